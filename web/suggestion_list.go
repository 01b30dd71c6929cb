package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// suggest returns the people and groups that the visitor may want to follow, with their
// cards.
func (s *Server) suggest(q *request) (discover.Suggestions, mokum.Cards, error) {
	some, err := s.discover.Suggest(q.Context(), q.who.User, suggestMost)
	if err != nil {
		return some, mokum.Cards{}, err
	}
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, p := range some.People {
		people = append(people, p.ID)
	}
	for _, g := range some.Groups {
		groups = append(groups, g.ID)
	}
	c, err := s.cards(q.Context(), people, groups)
	return some, c, err
}

// A suggestionJSON is a person or group to follow, with the number of friends that do.
type suggestionJSON[ID ~int64] struct {
	ID      ID  `json:"id"`
	Friends int `json:"friends"`
}

func suggestionsOf[ID ~int64](some []discover.Suggestion[ID]) []suggestionJSON[ID] {
	all := make([]suggestionJSON[ID], 0, len(some))
	for one := range slices.Values(some) {
		all = append(all, suggestionJSON[ID](one))
	}
	return all
}

// listSuggestions answers with the people and groups that the visitor may want to follow.
func (s *Server) listSuggestions(w http.ResponseWriter, q *request) error {
	some, c, err := s.suggest(q)
	if err != nil {
		return err
	}
	return s.jsonFound(w, q, c, map[string]any{"suggested_users": suggestionsOf(some.People), "suggested_groups": suggestionsOf(some.Groups)})
}

// suggestions returns suggestions for an empty home; nil on other pages.
func (s *Server) suggestions(q *request, v *riverPage) *page.SuggestModel {
	if v.address.Key.What != river.KindHome || len(v.view.Entries) > 0 || v.view.Older != nil {
		return nil
	}
	return s.suggested(q, "/")
}

// suggested returns suggestions for a page of a signed-in visitor; nil if there are none.
func (s *Server) suggested(q *request, returnTo string) *page.SuggestModel {
	if !q.who.signedIn() {
		return nil
	}
	some, c, err := s.suggest(q)
	if err != nil {
		s.log.DebugContext(q.Context(), "suggestions", "user", q.who.User, "err", err)
		return nil
	}
	m := &page.SuggestModel{ReturnTo: returnTo}
	for _, p := range some.People {
		if card := c.Users[p.ID]; card != nil {
			m.Users = append(m.Users, page.SuggestedUser{Card: card, Friends: p.Friends})
		}
	}
	for _, g := range some.Groups {
		if card := c.Groups[g.ID]; card != nil {
			m.Groups = append(m.Groups, page.SuggestedGroup{Card: card, Friends: g.Friends})
		}
	}
	return m
}
