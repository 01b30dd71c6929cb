package web

import "net/http"

// deleteComment deletes a comment.
func (s *Server) deleteComment(w http.ResponseWriter, q *request) error {
	return s.onComment(w, q, "deleted", s.store.DeleteComment)
}
