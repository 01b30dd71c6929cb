package web

import (
	"net/http"

	"amstel.dev/amstel/web/page"
)

// showAbout shows the page that describes the site.
func (s *Server) showAbout(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.AboutTitle())
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.About(page.AboutModel{Shell: shell}))
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
