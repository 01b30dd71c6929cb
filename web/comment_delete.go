package web

import "net/http"

// deleteComment deletes a comment.
func (s *Server) deleteComment(w http.ResponseWriter, q *request) error {
	post, id, err := q.comment()
	if err != nil {
		return err
	}
	if err := s.store.DeleteComment(q.Context(), q.who.User, post, id); err != nil {
		return err
	}
	if err := s.tightened(w, q); err != nil {
		return err
	}
	return s.done(w, q, "", resultOf{"deleted", s.acted(w, q, post)})
}
