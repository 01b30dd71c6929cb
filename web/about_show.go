package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showAbout shows the page that describes the site.
func (s *Server) showAbout(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.AboutTitle(s.siteName()))
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.About(page.AboutModel{Shell: shell, About: s.rivers.Site().About}))
}

// showRules shows the rules of the site.
func (s *Server) showRules(w http.ResponseWriter, q *request) error {
	rules, since, err := s.store.SiteRules(q.Context())
	if err == nil && rules == "" {
		err = timeline.ErrNotFound
	}
	if err != nil {
		return err
	}
	shell := s.shell(q, q.words.AboutRules(s.siteName()))
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.Rules(page.RulesModel{Shell: shell, Rules: rules, Since: since}))
}

// showCompare shows the page that compares the ways to see less of a person.
func (s *Server) showCompare(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.CompareTitle())
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.Compare(page.AboutModel{Shell: shell}))
}

// showKeys shows the page that lists the keys.
func (s *Server) showKeys(w http.ResponseWriter, q *request) error {
	return s.page(w, q, http.StatusOK, page.Keys(page.AboutModel{Shell: s.shell(q, q.words.KeysTitle())}))
}
