package web

import (
	"net/http"
)

// hidePost folds a post away for the actor.
func (s *Server) hidePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "hidden", s.store.HidePost)
}

// showPostAgain unfolds it.
func (s *Server) showPostAgain(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "shown", s.store.ShowPost)
}
