package web

import "net/http"

// favPost makes a post one of the actor's favourites.
func (s *Server) favPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "faved", s.store.Fav)
}

// unfavPost takes that back.
func (s *Server) unfavPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "unfaved", s.store.Unfav)
}
