package web

import (
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/page"
)

// status is the owner's, as the page knows it.
func (v *visited) status() string {
	if card := v.view.Users[v.owner.User]; v.owner.User != 0 && card != nil {
		return card.Status
	}
	if card := v.view.Groups[v.owner.Group]; v.owner.Group != 0 && card != nil {
		return card.Status
	}
	return ""
}

// heads are the top of a page about a person or a group.
func (s *Server) heads(q *request, v *visited) (*page.UserHead, *page.GroupHead) {
	back := v.path
	if card := v.view.Users[v.owner.User]; v.owner.User != 0 && card != nil {
		return &page.UserHead{
			Card: card, Counts: v.facts.counts.shown(), Relation: s.relation(q, v.view.Sets, v.owner), Tab: tabOf(v.key.What),
			Signed: q.who.signedIn(), ReturnTo: back,
		}, nil
	}
	if card := v.view.Groups[v.owner.Group]; v.owner.Group != 0 && card != nil {
		return nil, &page.GroupHead{
			Card: card, Counts: v.facts.counts.shown(), Relation: s.relation(q, v.view.Sets, v.owner),
			Signed: q.who.signedIn(), ReturnTo: back,
		}
	}
	return nil, nil
}

func tabOf(kind river.Kind) page.Tab {
	switch kind {
	case river.KindComments:
		return page.TabComments
	case river.KindLikes:
		return page.TabLikes
	}
	return page.TabPosts
}

// title is the page's name.
func (v *visited) title() string {
	switch v.key.What {
	case river.KindHome:
		return "Home"
	case river.KindDirects:
		return "Direct messages"
	case river.KindFavs:
		return "Favourites"
	case river.KindEverything:
		return "Everything"
	case river.KindPost:
		e := &v.view.Entries[0]
		by := "Somebody"
		if card := v.view.Users[e.Fold.Author]; card != nil {
			by = card.DisplayName
		}
		return by + ": " + firstWords(e.Fold.Text.Text, 60)
	}
	name := v.owner.Name
	if card := v.view.Users[v.owner.User]; v.owner.User != 0 && card != nil {
		name = card.DisplayName
	}
	if card := v.view.Groups[v.owner.Group]; v.owner.Group != 0 && card != nil {
		name = card.DisplayName
	}
	switch v.key.What {
	case river.KindComments:
		return name + ": comments"
	case river.KindLikes:
		return name + ": likes"
	}
	return name
}

// firstWords is the beginning of a text, in one line of at most n characters.
func firstWords(text string, n int) string {
	line := strings.Join(strings.Fields(text), " ")
	runes := []rune(line)
	if len(runes) <= n {
		return line
	}
	cut := string(runes[:n])
	if at := strings.LastIndexByte(cut, ' '); at > n/2 {
		cut = cut[:at]
	}
	return cut + "…"
}
