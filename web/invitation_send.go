package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
)

// invite invites a person to a feed of the actor's.
func (s *Server) invite(kind feedKind) action {
	return func(w http.ResponseWriter, q *request) error {
		feed, err := s.feed(q, kind)
		if err != nil {
			return err
		}
		to, err := q.body.name("to")
		if err != nil {
			return err
		}
		became, err := s.store.Invite(q.Context(), q.who.User, feed, to)
		if errors.Is(err, timeline.ErrNotFound) { // the feed was found
			return &timeline.InvalidError{Field: "name", Reason: "belongs to nobody here", Code: "nobody"}
		}
		if err != nil {
			return err
		}
		s.recount(q)
		return s.done(w, q, "/"+feed.Name+"/subscribers", map[string]any{"result": became})
	}
}
