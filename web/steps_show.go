package web

import (
	"net/http"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/page"
)

// steps returns the first steps of a newcomer, for the top of their home; nil on other
// pages, once all are done, and once the newcomer has put them away.
func (s *Server) steps(q *request, v *riverPage) *page.Steps {
	if _, below := v.part.Newer(); below || !q.who.Newcomer || v.address.Key.What != river.KindHome {
		return nil
	}
	st, err := s.store.Steps(q.Context(), q.who.User)
	if err != nil {
		s.log.DebugContext(q.Context(), "first steps", "user", q.who.User, "err", err)
		return nil
	}
	m := &page.Steps{Follows: st.Follows, Wrote: st.Wrote, Pictured: st.Pictured, Pictures: s.config.Files != nil}
	if st.Open && m.Done() {
		// Later homes need not ask again.
		if err := s.store.DismissSteps(q.Context(), q.who.User); err != nil {
			s.log.DebugContext(q.Context(), "put the first steps away", "user", q.who.User, "err", err)
		}
		s.people.forgetUser(q.who.User)
	}
	if !st.Open || m.Done() {
		return nil
	}
	return m
}

// dismissSteps puts the actor's first steps away.
func (s *Server) dismissSteps(w http.ResponseWriter, q *request) error {
	if err := s.store.DismissSteps(q.Context(), q.who.User); err != nil {
		return err
	}
	s.people.forgetUser(q.who.User)
	return s.done(w, q, "/", map[string]any{"result": "dismissed"})
}
