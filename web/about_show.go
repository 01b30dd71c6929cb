package web

import (
	"net/http"

	"amstel.dev/amstel/web/page"
)

// showAbout says what this site is.
func (s *Server) showAbout(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.AboutTitle())
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.About(page.AboutModel{Shell: shell}))
}

// showCompare compares what keeps people away.
func (s *Server) showCompare(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.CompareTitle())
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.Compare(page.AboutModel{Shell: shell}))
}
