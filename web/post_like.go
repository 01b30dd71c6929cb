package web

import (
	"context"
	"net/http"

	"amstel.dev/amstel/timeline"
)

// likePost gives a post the actor's like.
func (s *Server) likePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "liked", s.store.Like)
}

// unlikePost takes it back.
func (s *Server) unlikePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "unliked", s.store.Unlike)
}

// onPost does what needs no more than who and which post; a form goes on to the
// address given, if any.
func (s *Server) onPost(w http.ResponseWriter, q *request, to, result string, do func(context.Context, timeline.UserID, timeline.PostID) error) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	if err := do(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.doneTo(w, q, id, to, result)
}

// favPost makes a post one of the actor's favourites.
func (s *Server) favPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "faved", s.store.Fav)
}

// unfavPost takes that back.
func (s *Server) unfavPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "unfaved", s.store.Unfav)
}
