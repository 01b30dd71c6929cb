package web

import "net/http"

// signOut ends the visitor's session. Every node then closes the session's sockets,
// because the change log has its end.
func (s *Server) signOut(w http.ResponseWriter, q *request) error {
	if q.who.secret != "" {
		if err := s.endSession(q); err != nil {
			return err
		}
	}
	s.clearCookie(w)
	return s.done(w, q, "/", map[string]any{"result": "signed_out"})
}

// endSession ends the session of the request.
func (s *Server) endSession(q *request) error {
	if err := s.store.EndSession(q.Context(), q.who.secret); err != nil {
		return err
	}
	s.people.forget(q.who.Hash)
	return nil
}
