package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// How many people and groups are listed at once.
const (
	findMost    = 50 // people, and groups, by a name
	suggestMost = 8
)

// showFound shows the people and groups that match a name. Without a name, it shows the
// directory of people, those with the most subscribers first.
func (s *Server) showFound(w http.ResponseWriter, q *request) error {
	m := page.DirectoryModel{Shell: s.shell(q, q.words.FindTitle()), At: page.FindPath, Text: q.URL.Query().Get("q")}
	if strings.TrimSpace(m.Text) == "" && !q.URL.Query().Has("q") || q.html && strings.TrimSpace(m.Text) == "" {
		if q.html && q.URL.RawQuery == "" {
			m.Suggest = s.suggested(q, page.FindPath)
		}
		return s.showDirectory(w, q, s.peopleDirectory(), m, "found_users", "subscribers")
	}
	f, err := s.foundBy(q.Context(), q.who.User, m.Text, findMost)
	if err != nil {
		wrong, bad := q.badQuery(err)
		if !q.html || !bad {
			return err
		}
		m.Text, m.Problem = strings.ToValidUTF8(m.Text, "�"), wrong
		return s.page(w, q, http.StatusUnprocessableEntity, page.Directory(m))
	}
	if !q.html {
		return s.jsonFound(w, q, f.Cards, map[string]any{"found_users": mokum.NotNil(f.people), "found_groups": mokum.NotNil(f.groups)})
	}
	m.More = max(len(f.people), len(f.groups)) >= findMost
	if m.Rows, err = s.foundRows(q, f); err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.Directory(m))
}

// foundRows returns found people and groups as rows of a list.
func (s *Server) foundRows(q *request, f *found) ([]page.Row, error) {
	sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return nil, err
	}
	people, err := described(q.Context(), s, s.peopleDirectory(), q.who.User, f.people)
	if err != nil {
		return nil, err
	}
	groups, err := described(q.Context(), s, s.groupDirectory(), q.who.User, f.groups)
	return append(s.peopleDirectory().rows(people, f.Cards, sets), s.groupDirectory().rows(groups, f.Cards, sets)...), err
}

// badQuery returns the sentence for an error about the words of a search. It returns false
// if the error is about something else.
func (q *request) badQuery(err error) (reason string, bad bool) {
	for _, wrong := range invalid(err) {
		if wrong.Field == "q" {
			return wrongIn(q.words, wrong), true
		}
	}
	return "", false
}

// jsonFound serves the cards of people and groups, as the visitor sees them, beside
// the rest of the body.
func (s *Server) jsonFound(w http.ResponseWriter, q *request, c mokum.Cards, body map[string]any) error {
	sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return err
	}
	body["users"], body["groups"] = c.Shapes(sets)
	s.json(w, q, http.StatusOK, body)
	return nil
}
