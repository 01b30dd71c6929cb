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
	findMost     = 50 // people, and groups, by a name
	groupsCount  = 50 // groups a page of the directory
	groupsPages  = 128
	suggestMost  = 8
	pageFieldKey = "page"
)

// showFound shows the people and groups that match a name.
func (s *Server) showFound(w http.ResponseWriter, q *request) error {
	m := page.FindModel{Shell: s.shell(q, q.words.FindTitle()), Text: q.URL.Query().Get("q")}
	if q.html && strings.TrimSpace(m.Text) == "" {
		m.Suggest = s.suggested(q, page.FindPath)
		return s.page(w, q, http.StatusOK, page.Find(m))
	}
	f, err := s.foundBy(q.Context(), q.who.User, m.Text, findMost)
	if err != nil {
		wrong, bad := q.badQuery(err)
		if !q.html || !bad {
			return err
		}
		m.Text, m.Problem = strings.ToValidUTF8(m.Text, "�"), wrong
		return s.page(w, q, http.StatusUnprocessableEntity, page.Find(m))
	}
	if !q.html {
		return s.jsonFound(w, q, f.Cards, map[string]any{"found_users": mokum.NotNil(f.people), "found_groups": mokum.NotNil(f.groups)})
	}
	m.Users, m.Groups = shownUsers(f.Cards, f.people), shownGroups(f.Cards, f.groups)
	m.More = max(len(f.people), len(f.groups)) >= findMost
	return s.page(w, q, http.StatusOK, page.Find(m))
}

// badQuery returns what is wrong with the words of a search, and reports whether the
// error is about them.
func (q *request) badQuery(err error) (reason string, bad bool) {
	for _, wrong := range invalid(err) {
		if wrong.Field == "q" {
			return wrongIn(q.words, wrong), true
		}
	}
	return "", false
}

// jsonFound answers with the cards of people and groups, as the visitor sees them, beside
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
