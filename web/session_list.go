package web

import (
	"bytes"
	"net/http"

	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A sessionJSON is a session, as its owner sees it.
type sessionJSON struct {
	ID        int64  `json:"id"`
	Browser   string `json:"browser,omitempty"`
	System    string `json:"system,omitempty"`
	CreatedAt string `json:"created_at"`
	SeenAt    string `json:"seen_at"`
	Current   bool   `json:"current"`
}

// listSessions serves the visitor's sessions.
func (s *Server) listSessions(w http.ResponseWriter, q *request) error {
	all, err := s.ownSessions(q)
	if err != nil {
		return err
	}
	list := make([]sessionJSON, 0, len(all))
	for _, one := range all {
		list = append(list, sessionJSON{one.ID, one.Browser, one.System, mokum.Stamp(one.CreatedAt), mokum.Stamp(one.SeenAt), one.Current})
	}
	s.json(w, q, http.StatusOK, map[string]any{"sessions": list})
	return nil
}

// ownSessions returns the visitor's sessions as their page shows them.
func (s *Server) ownSessions(q *request) (all []page.Session, err error) {
	found, err := s.store.Sessions(q.Context(), q.who.User)
	for _, one := range found {
		all = append(all, page.Session{
			ID: one.ID, Browser: one.Browser, System: one.System, CreatedAt: one.CreatedAt, SeenAt: one.SeenAt, Current: bytes.Equal(one.Hash, q.who.Hash),
		})
	}
	return all, err
}

// endOneSession ends one of the actor's sessions.
func (s *Server) endOneSession(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.EndSessionByID(q.Context(), q.who.User, id); err != nil {
		return err
	}
	s.people.forgetUser(q.who.User)
	return s.saved(w, q, page.SessionsForm, map[string]any{"result": "ended"})
}

// endOtherSessions ends all of the actor's sessions but the one of the request.
func (s *Server) endOtherSessions(w http.ResponseWriter, q *request) error {
	if err := s.store.EndOtherSessions(q.Context(), q.who.User, q.who.Hash); err != nil {
		return err
	}
	s.people.forgetUser(q.who.User)
	return s.saved(w, q, page.SessionsForm, map[string]any{"result": "ended"})
}
