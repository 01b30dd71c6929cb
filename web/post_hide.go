package web

import (
	"net/http"
)

// hidePost hides a post for the actor.
func (s *Server) hidePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "hidden", s.store.HidePost)
}

// showPostAgain shows a hidden post to the actor again.
func (s *Server) showPostAgain(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "shown", s.store.ShowPost)
}
