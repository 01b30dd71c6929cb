package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
)

// A feedKind is a kind of feed that a path names.
type feedKind int

const (
	userFeed    feedKind = iota // a person's feed, under /users
	privateFeed                 // a person's private sub-feed
	groupFeed                   // a group, under /groups
)

// named returns the owner the path names: a person under /users, a group under
// /groups.
func (s *Server) named(q *request, group bool) (address.Owner, error) {
	found, err := s.addresses.Names.Lookup(q.Context(), q.param("name"))
	if err != nil {
		return address.Owner{}, err
	}
	if (found.Group != 0) != group {
		return address.Owner{}, timeline.ErrNotFound
	}
	return found, nil
}

// feed returns the feed that the path names.
func (s *Server) feed(q *request, kind feedKind) (timeline.FeedName, error) {
	whose, err := s.named(q, kind == groupFeed)
	return timeline.FeedName{Name: whose.Name, Private: kind == privateFeed}, err
}

// subscribe subscribes the actor to a feed, or sends a request to its owner.
func (s *Server) subscribe(kind feedKind) action {
	return func(w http.ResponseWriter, q *request) error {
		feed, err := s.feed(q, kind)
		if err != nil {
			return err
		}
		var opts timeline.SubscribeOptions
		if opts.ForwardOnly, err = q.body.set("forward_only"); err != nil {
			return err
		}
		became, err := s.store.Subscribe(q.Context(), q.who.User, feed, opts)
		if err != nil {
			return err
		}
		s.recount(q)
		return s.done(w, q, "/"+feed.Name, map[string]any{"result": became})
	}
}

// setPolicy changes what the actor's subscription to a feed brings.
func (s *Server) setPolicy(kind feedKind) action {
	return func(w http.ResponseWriter, q *request) error {
		feed, err := s.feed(q, kind)
		if err != nil {
			return err
		}
		on, err := q.body.flag("forward_only")
		if err != nil {
			return err
		}
		if on == nil {
			return &timeline.InvalidError{Field: "forward_only", Reason: "is neither true nor false"}
		}
		if err := s.store.SetForwardOnly(q.Context(), q.who.User, feed, *on); err != nil {
			return err
		}
		return s.done(w, q, "/"+feed.Name, map[string]any{"result": "subscribed", "forward_only": *on})
	}
}

// unsubscribe ends the actor's subscription, or withdraws their request for one.
func (s *Server) unsubscribe(kind feedKind) action {
	return func(w http.ResponseWriter, q *request) error {
		feed, err := s.feed(q, kind)
		if err != nil {
			return err
		}
		if err := s.store.Unsubscribe(q.Context(), q.who.User, feed); err != nil {
			return err
		}
		s.recount(q)
		return s.doneOn(w, q, "/"+feed.Name, "unsubscribed")
	}
}

// removeSubscriber ends another person's subscription to a feed of the actor's; in a
// group, it expels a member.
func (s *Server) removeSubscriber(kind feedKind) action {
	return func(w http.ResponseWriter, q *request) error {
		feed, err := s.feed(q, kind)
		if err != nil {
			return err
		}
		if err := s.store.RemoveSubscriber(q.Context(), q.who.User, feed, q.param("who")); err != nil {
			return err
		}
		s.recount(q)
		return s.done(w, q, "/"+feed.Name+"/subscribers", map[string]any{"result": "removed"})
	}
}

// recount drops the cached numbers of the account in the path and of the actor, so that
// pages that are begun after the write show the new ones.
func (s *Server) recount(q *request) {
	s.counts.drop(address.Account{User: q.who.User}, q.who.User)
	if named, held := s.addresses.Names.Held(q.param("name")); held {
		s.counts.drop(named.Account(), q.who.User)
		if named.Group != 0 {
			s.groupStandings.recount(int64(named.Group))
		} else {
			s.peopleStandings.recount(int64(named.User))
		}
	}
}
