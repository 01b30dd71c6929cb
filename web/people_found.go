package web

import (
	"context"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/web/mokum"
)

// fewFound is how many people, and how many groups, stand above the posts that a search
// found.
const fewFound = 4

// found are people and groups, each in an order, with their cards.
type found struct {
	people []timeline.UserID
	groups []timeline.GroupID
	mokum.Cards
}

// text returns a text that changes whenever the shown people and groups change.
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

// shownUsers returns the cards of people, in the order of their ids. People without a
// card are left out.
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

// findFew returns the people and groups that the words of a search may mean; nil if the
// search has anything but words.
func (s *Server) findFew(ctx context.Context, viewer timeline.UserID, search query.Search) *found {
	if len(search.Words) == 0 || search.String() != (query.Search{Words: search.Words}).String() {
		return nil
	}
	f, err := s.foundBy(ctx, viewer, strings.Join(search.Words, " "), fewFound)
	if err != nil {
		s.log.DebugContext(ctx, "could not find people and groups for a search", "err", err)
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
