package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
)

// named finds whom the path names: a person under /users, a group under /groups.
func (s *Server) named(q *request, group bool) (owner, error) {
	found, err := s.lookup(q.Context(), q.param("name"))
	if err != nil {
		return owner{}, err
	}
	if (found.Group != 0) != group {
		return owner{}, timeline.ErrNotFound
	}
	return found, nil
}

// subscribe subscribes the actor to a person or a group, or asks to.
func (s *Server) subscribe(group bool) action {
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, group)
		if err != nil {
			return err
		}
		became, err := s.store.Subscribe(q.Context(), q.who.User, timeline.FeedName{Name: whose.Name}, timeline.SubscribeOptions{})
		if err != nil {
			return err
		}
		s.caughtUp(w, q)
		return s.done(w, q, "/"+whose.Name, map[string]any{"result": became})
	}
}

// unsubscribe ends a subscription, or takes the request for one back.
func (s *Server) unsubscribe(group bool) action {
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, group)
		if err != nil {
			return err
		}
		if err := s.store.Unsubscribe(q.Context(), q.who.User, timeline.FeedName{Name: whose.Name}); err != nil {
			return err
		}
		if err := s.tightened(w, q); err != nil {
			return err
		}
		return s.done(w, q, "/"+whose.Name, map[string]any{"result": "unsubscribed"})
	}
}
