package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/web/page"
)

// showSearch shows the river of a search or, if the search is empty or invalid, the form
// with its problem.
func (s *Server) showSearch(w http.ResponseWriter, q *request) error {
	text := q.URL.Query().Get("q")
	if q.html && strings.TrimSpace(text) == "" {
		return s.searchAgain(w, q, http.StatusOK, &page.SearchModel{})
	}
	err := s.showRiver(w, q)
	if !q.html {
		return err
	}
	for _, wrong := range invalid(err) {
		if wrong.Field == "q" {
			return s.searchAgain(w, q, http.StatusUnprocessableEntity, &page.SearchModel{Text: strings.ToValidUTF8(text, "�"), Problem: wrongIn(q.words, wrong)})
		}
	}
	return err
}

// searchAgain shows the form for a search, with its problems.
func (s *Server) searchAgain(w http.ResponseWriter, q *request, status int, m *page.SearchModel) error {
	if err := s.savedSearches(q, m); err != nil {
		return err
	}
	shell := s.shell(q, q.words.SearchTitle())
	shell.Path = page.SearchesPath(m.Text)
	return s.page(w, q, status, page.Search(page.SearchPageModel{Shell: shell, Search: m}))
}

// savedSearches adds the visitor's saved searches to the form.
func (s *Server) savedSearches(q *request, m *page.SearchModel) (err error) {
	if m.Signed = q.who.signedIn(); m.Signed {
		m.Saved, err = s.discover.SavedSearches(q.Context(), q.who.User)
	}
	return err
}

// searchHead returns the form and the finds above the results of a search; nil on other pages.
func (s *Server) searchHead(q *request, v *riverPage) *page.SearchModel {
	if v.address.Path != page.SearchPath {
		return nil
	}
	m := &page.SearchModel{Text: v.address.Name, Tag: v.address.Tag()}
	if err := s.savedSearches(q, m); err != nil {
		s.log.DebugContext(q.Context(), "could not read saved searches", "user", q.who.User, "err", err)
	}
	if f := v.facts.found; f != nil {
		m.Users, m.Groups = shownUsers(f.Cards, f.people), shownGroups(f.Cards, f.groups)
	}
	return m
}
