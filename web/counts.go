package web

import (
	"context"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// countsFresh is how long the numbers of subscribers are shown without a look
// at the primary.
const countsFresh = 30 * time.Second

// headFacts are what the top of a page says of a person or a group, and no river
// holds.
type headFacts struct {
	counts headCounts
}

// headCounts are numbers beside a name.
type headCounts struct {
	known                      bool
	subscribers, subscriptions int
}

// counter is whose numbers somebody is shown; viewer 0 is everybody who has no
// bans, signed in or not: they share them.
type counter struct {
	viewer timeline.UserID
	whose  account
}

// counted is the numbers as they were at a time, and, where they leave out the
// people of a viewer's bans, as long as his sets are the ones they were found by.
type counted struct {
	headCounts
	at   time.Time
	sets *timeline.Sets
}

// headFacts reads what is not of a river, as a viewer is told it. A primary that
// is away leaves the numbers as they were.
func (s *Server) headFacts(ctx context.Context, viewer *timeline.Sets, whose owner) headFacts {
	if whose.Name == "" {
		return headFacts{}
	}
	if viewer == nil || len(viewer.Bans) == 0 {
		viewer = &timeline.Sets{}
	}
	key := counter{viewer.User, whose.account()}
	if key.viewer == 0 {
		viewer = nil
	}
	held, was := s.counts.get(key)
	if now := s.now(); !was || held.sets != viewer || now.Sub(held.at) > countsFresh {
		counts, err := s.store.Counts(ctx, key.viewer, whose.Name)
		if err != nil {
			s.log.DebugContext(ctx, "counts", "name", whose.Name, "err", err)
			return headFacts{held.headCounts}
		}
		held = counted{headCounts{true, counts.Subscribers, counts.Subscriptions}, now, viewer}
		s.counts.put(key, held)
	}
	return headFacts{held.headCounts}
}

// recount has the numbers of whoever the path names, and of the actor, counted
// anew for the pages that are begun after what he did.
func (s *Server) recount(q *request) {
	s.counts.drop(counter{whose: account{user: q.who.User}})
	if named, _, held := s.names.get(strings.ToLower(q.param("name"))); held {
		s.counts.drop(counter{whose: named.account()})
	}
}

// shown is the numbers as pages have them.
func (c headCounts) shown() page.Counts {
	if !c.known {
		return page.Counts{}
	}
	return page.Counts{Subscribers: &c.subscribers, Subscriptions: &c.subscriptions}
}

// json is the numbers as clients find them.
func (c headCounts) json() countsJSON {
	if !c.known {
		return countsJSON{}
	}
	return countsJSON{Subscribers: &c.subscribers, Subscriptions: &c.subscriptions}
}
