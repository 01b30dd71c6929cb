package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/web/page"
)

// showSearch shows what a search finds, which is a river; or, where there is
// nothing to search for, or it can't be understood, the form to say what.
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

// searchAgain shows the form for a search, with what is wrong.
func (s *Server) searchAgain(w http.ResponseWriter, q *request, status int, m *page.SearchModel) error {
	if err := s.savedSearches(q, m); err != nil {
		return err
	}
	shell := s.shell(q, q.words.SearchTitle())
	shell.Path = page.SearchesPath(m.Text)
	return s.page(w, q, status, page.Search(page.SearchPageModel{Shell: shell, Search: m}))
}

// savedSearches fills in what the asker keeps.
func (s *Server) savedSearches(q *request, m *page.SearchModel) (err error) {
	if m.Signed = q.who.signedIn(); m.Signed {
		m.Saved, err = s.discover.SavedSearches(q.Context(), q.who.User)
	}
	return err
}

// searchHead is what stands above what a search found; nil: the page is of none.
func (s *Server) searchHead(q *request, v *visited) *page.SearchModel {
	if v.address.Path != page.SearchPath {
		return nil
	}
	m := &page.SearchModel{Text: v.address.Name, Tag: v.address.Tag()}
	if err := s.savedSearches(q, m); err != nil {
		s.log.DebugContext(q.Context(), "searches", "user", q.who.User, "err", err)
	}
	if f := v.facts.found; f != nil {
		m.Users, m.Groups = shownUsers(f.Cards, f.people), shownGroups(f.Cards, f.groups)
	}
	return m
}
