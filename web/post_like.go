package web

import (
	"context"
	"net/http"

	"amstel.dev/amstel/timeline"
)

// likePost adds the actor's like to a post.
func (s *Server) likePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "liked", s.store.Like)
}

// unlikePost removes the actor's like from a post.
func (s *Server) unlikePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "unliked", s.store.Unlike)
}

// onPost runs a write that needs only the actor and a post, and answers. A form without
// script is redirected to the given path, or back if it is empty.
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

// favPost adds a post to the actor's favourites.
func (s *Server) favPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "faved", s.store.Fav)
}

// unfavPost removes a post from the actor's favourites.
func (s *Server) unfavPost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "unfaved", s.store.Unfav)
}
