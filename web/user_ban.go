package web

import "net/http"

// ban hides the actor and a person from each other.
func (s *Server) ban(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	if err := s.store.Ban(q.Context(), q.who.User, whose.Name); err != nil {
		return err
	}
	s.recount(q)
	return s.done(w, q, "/"+whose.Name, map[string]any{"result": "banned"})
}

// unban removes a ban.
func (s *Server) unban(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	if err := s.store.Unban(q.Context(), q.who.User, whose.Name); err != nil {
		return err
	}
	return s.done(w, q, "/"+whose.Name, map[string]any{"result": "unbanned"})
}
