package web

import (
	"context"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/web/mokum"
)

// fewFound is how many people, and groups, stand above the posts that a search
// found.
const fewFound = 4

// found are people and groups, in their order.
type found struct {
	people []timeline.UserID
	groups []timeline.GroupID
	mokum.Cards
}

// text tells it from another.
func (f *found) text() string {
	if f == nil {
		return ""
	}
	var names []string
	for _, card := range shownUsers(f.Cards, f.people) {
		names = append(names, card.Name, card.DisplayName, card.AvatarURL, card.Status)
	}
	for _, card := range shownGroups(f.Cards, f.groups) {
		names = append(names, card.Name, card.DisplayName, card.AvatarURL, card.Status)
	}
	return strings.Join(names, "\n")
}

// shownUsers are the cards of people, in their order; who has none is left out.
func shownUsers(c mokum.Cards, ids []timeline.UserID) []*timeline.UserCard {
	var all []*timeline.UserCard
	for _, id := range ids {
		if card := c.Users[id]; card != nil {
			all = append(all, card)
		}
	}
	return all
}

func shownGroups(c mokum.Cards, ids []timeline.GroupID) []*timeline.GroupCard {
	var all []*timeline.GroupCard
	for _, id := range ids {
		if card := c.Groups[id]; card != nil {
			all = append(all, card)
		}
	}
	return all
}

// findFew finds the people and groups whom the words of a search may mean; none
// where it asks for anything else.
func (s *Server) findFew(ctx context.Context, viewer timeline.UserID, search query.Search) *found {
	if len(search.Words) == 0 || search.String() != (query.Search{Words: search.Words}).String() {
		return nil
	}
	f, err := s.foundBy(ctx, viewer, strings.Join(search.Words, " "), fewFound)
	if err != nil {
		s.log.DebugContext(ctx, "people and groups of a search", "err", err)
		return nil
	}
	return f
}

func (s *Server) foundBy(ctx context.Context, viewer timeline.UserID, text string, most int) (*found, error) {
	var f found
	var err error
	if f.people, f.groups, err = s.discover.Find(ctx, viewer, text, most); err != nil {
		return nil, err
	}
	f.Cards, err = s.cards(ctx, f.people, f.groups)
	return &f, err
}
