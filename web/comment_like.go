package web

import (
	"context"
	"net/http"

	"amstel.dev/amstel/timeline"
)

// likeComment gives a comment the actor's like.
func (s *Server) likeComment(w http.ResponseWriter, q *request) error {
	return s.onComment(w, q, "liked", s.store.LikeComment)
}

// unlikeComment removes the actor's like from a comment.
func (s *Server) unlikeComment(w http.ResponseWriter, q *request) error {
	return s.onComment(w, q, "unliked", s.store.UnlikeComment)
}

// onComment runs a write that needs only the actor and a comment, and answers.
func (s *Server) onComment(w http.ResponseWriter, q *request, result string, do func(context.Context, timeline.UserID, timeline.PostID, timeline.CommentID) error) error {
	post, comment, err := q.comment()
	if err != nil {
		return err
	}
	if err := do(q.Context(), q.who.User, post, comment); err != nil {
		return err
	}
	return s.doneTo(w, q, post, "", result)
}
