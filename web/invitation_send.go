package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
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
			err = &timeline.InvalidError{Field: "name", Reason: "belongs to nobody here", Code: "nobody"}
		}
		if f, may := fixableByUser(err); err != nil && q.html && may {
			return s.inviteAgain(w, q, kind, feed.Name, f)
		}
		if err != nil {
			return err
		}
		s.recount(q)
		return s.done(w, q, "/"+feed.Name+"/subscribers", map[string]any{"result": became})
	}
}

// inviteAgain shows the page whose form invited a person, with the problem beside the typed
// name.
func (s *Server) inviteAgain(w http.ResponseWriter, q *request, kind feedKind, feed string, f failure) error {
	refused := page.RefusedInvite{Problem: f.inPage(q.words)}
	refused.Typed, _ = q.body.text("to")
	refused.Action, _ = q.body.text("_action")
	if kind != groupFeed {
		m, err := s.myPeople(q)
		m.Refused = refused
		if err != nil {
			return err
		}
		return s.page(w, q, f.Status, page.MyPeople(m))
	}
	whose, err := s.addresses.Names.Lookup(q.Context(), feed)
	if err != nil {
		return err
	}
	m, err := s.groupEdits(q, whose)
	m.Refused = refused
	if err != nil {
		return err
	}
	return s.page(w, q, f.Status, page.EditGroup(m))
}
