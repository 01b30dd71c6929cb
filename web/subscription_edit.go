package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
)

// feedKind says what a path names: whose feed, and which.
type feedKind int

const (
	userFeed    feedKind = iota // a person's, under /users
	privateFeed                 // his private sub-feed
	groupFeed                   // under /groups
)

// named finds whom the path names: a person under /users, a group under /groups.
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

// feed finds the feed that the path names.
func (s *Server) feed(q *request, kind feedKind) (timeline.FeedName, error) {
	whose, err := s.named(q, kind == groupFeed)
	return timeline.FeedName{Name: whose.Name, Private: kind == privateFeed}, err
}

// subscribe subscribes the actor to a feed, or asks to.
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

// unsubscribe ends a subscription, or takes the request for one back.
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

// removeSubscriber ends somebody else's subscription to a feed that the actor
// keeps: of a group, that is expelling him.
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

// recount has the numbers of the account that the path names, and of the actor,
// counted anew for the pages that are begun after what the actor did.
func (s *Server) recount(q *request) {
	s.counts.drop(address.Account{User: q.who.User}, q.who.User)
	if named, held := s.addresses.Names.Held(q.param("name")); held {
		s.counts.drop(named.Account(), q.who.User)
		if named.Group != 0 {
			s.members.recount(named.Group)
		}
	}
}
