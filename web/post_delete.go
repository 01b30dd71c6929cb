package web

import "net/http"

// deletePost deletes a post with all that hangs on it.
func (s *Server) deletePost(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	if err := s.store.DeletePost(q.Context(), q.who.User, id); err != nil {
		return err
	}
	if err := s.tightened(w, q); err != nil {
		return err
	}
	return s.done(w, q, "/", resultOf{"deleted", s.acted(w, q, id)})
}
