package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
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

// A suggestionJSON is a person or group to follow, with the number of friends who do.
type suggestionJSON[ID ~int64] struct {
	ID      ID  `json:"id"`
	Friends int `json:"friends"`
}

func suggestionsOf[ID ~int64](some []discover.Suggestion[ID]) []suggestionJSON[ID] {
	all := make([]suggestionJSON[ID], 0, len(some))
	for one := range slices.Values(some) {
		all = append(all, suggestionJSON[ID]{one.ID, one.Friends})
	}
	return all
}

// listSuggestions serves the people and groups that the visitor may want to follow.
func (s *Server) listSuggestions(w http.ResponseWriter, q *request) error {
	some, c, err := s.suggest(q)
	if err != nil {
		return err
	}
	return s.jsonFound(w, q, c, map[string]any{"suggested_users": suggestionsOf(some.People), "suggested_groups": suggestionsOf(some.Groups)})
}

// suggestions returns suggestions for an empty home, and for the first steps of a newcomer;
// nil on other pages.
func (s *Server) suggestions(q *request, v *riverPage, steps *page.Steps) *page.SuggestModel {
	if v.address.Key.What != river.KindHome || steps == nil && (len(v.view.Entries) > 0 || v.view.Older != nil) {
		return nil
	}
	return s.suggested(q, "/")
}

// suggested returns suggestions for a page of a signed-in visitor; nil if there are none.
func (s *Server) suggested(q *request, returnTo string) *page.SuggestModel {
	if !q.who.signedIn() {
		return nil
	}
	m, err := s.suggestionRows(q)
	if err != nil {
		s.log.DebugContext(q.Context(), "suggestions", "user", q.who.User, "err", err)
		return nil
	}
	m.ReturnTo = returnTo
	return m
}

func (s *Server) suggestionRows(q *request) (*page.SuggestModel, error) {
	ctx := q.Context()
	some, c, err := s.suggest(q)
	if err != nil {
		return nil, err
	}
	sets, _, err := s.setsAndCards(ctx, q.who.User, address.Owner{})
	if err != nil {
		return nil, err
	}
	m := &page.SuggestModel{}
	if m.Users, err = suggestedRows(s, q, s.peopleDirectory(), some.People, c, sets); err != nil {
		return nil, err
	}
	m.Groups, err = suggestedRows(s, q, s.groupDirectory(), some.Groups, c, sets)
	return m, err
}

// suggestedRows returns suggested people or groups as rows with their reasons.
func suggestedRows[ID ~int64](s *Server, q *request, d directory, some []discover.Suggestion[ID], c mokum.Cards, sets *timeline.Sets) ([]page.Row, error) {
	ids, why := make([]ID, len(some)), make(map[int64]string, len(some))
	var friends []timeline.UserID
	for _, one := range some {
		if one.Friend != 0 {
			friends = append(friends, one.Friend)
		}
	}
	known, err := s.cards(q.Context(), friends, nil)
	if err != nil {
		return nil, err
	}
	for i, one := range some {
		ids[i] = one.ID
		why[int64(one.ID)] = page.SuggestedBecause(q.words, one.Friends, known.Users[one.Friend], one.Posts)
	}
	listed, err := described(q.Context(), s, d, q.who.User, ids)
	if err != nil {
		return nil, err
	}
	rows := d.rows(listed, c, sets)
	for i := range rows {
		rows[i].Why, rows[i].Suggested = why[rows[i].ID()], true
	}
	return rows, nil
}
