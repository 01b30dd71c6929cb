package web

import (
	"context"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// countsFresh is how long the numbers of subscribers are shown without a look
// at the primary.
const countsFresh = 30 * time.Second

// countsHeld bounds how many numbers are remembered.
const countsHeld = 50_000

// headFacts are what the top of a page says of a person or a group, and no river
// holds.
type headFacts struct {
	counts    headCounts
	languages []text.Language    // in use
	days      *discover.Calendar // of the month or year that is shown, on the page of a day
	found     *found             // whom a search may mean
}

// headCounts are numbers beside a name.
type headCounts struct {
	known                      bool
	subscribers, subscriptions int
}

// counter is a number and whose it is, as somebody is told it; viewer 0 is
// everybody who shares it. Subscriptions they share who are not signed in:
// everybody else is told of those to what he may read himself. Subscribers all
// share who have no bans, signed in or not: there may be very many to count.
type counter struct {
	viewer  timeline.UserID
	whose   address.Account
	follows bool // subscriptions, not subscribers
}

// counted is a number, which is good, where it is a viewer's own, for as long as
// their sets are the ones that it was found by.
type counted struct {
	n    int
	sets *timeline.Sets
}

// headFacts reads what is not of a river, as a viewer is told it. A primary that
// is away leaves the numbers as they were.
func (s *Server) headFacts(ctx context.Context, viewer *timeline.Sets, whose address.Owner) headFacts {
	if whose.Name == "" {
		return headFacts{}
	}
	var signedIn, apart *timeline.Sets
	if viewer != nil && viewer.User != 0 {
		signedIn = viewer
		if len(viewer.Bans) > 0 {
			apart = viewer
		}
	}
	var counts headCounts
	counts.subscribers, counts.known = s.count(ctx, counter{whose: whose.Account()}, apart, func(sets *timeline.Sets) (int, error) {
		return s.store.CountSubscribers(ctx, sets.User, whose.Name)
	})
	if whose.User != 0 {
		var known bool
		counts.subscriptions, known = s.count(ctx, counter{whose: whose.Account(), follows: true}, signedIn, func(sets *timeline.Sets) (int, error) {
			people, _, err := s.store.CountSubscriptions(ctx, sets, whose.Name)
			return people, err
		})
		counts.known = counts.known && known
	}
	return headFacts{counts: counts}
}

// count answers a number, as a viewer is told it or, for nil, as all are who share
// it; it is read where it is not held, or was held for long.
func (s *Server) count(ctx context.Context, key counter, viewer *timeline.Sets, read func(*timeline.Sets) (int, error)) (n int, known bool) {
	sets := &timeline.Sets{}
	if viewer != nil {
		sets, key.viewer = viewer, viewer.User
	}
	held, at, was := s.counts.Get(key)
	now := s.now()
	if was && held.sets == viewer && now.Sub(at) <= countsFresh {
		return held.n, true
	}
	n, err := read(sets)
	if err != nil {
		s.log.DebugContext(ctx, "counts", "user", key.whose.User, "group", key.whose.Group, "err", err)
		return held.n, was
	}
	s.counts.Put(key, counted{n, viewer}, now)
	return n, true
}

// recount has the numbers of whoever the path names, and of the actor, counted
// anew for the pages that are begun after what he did.
func (s *Server) recount(q *request) {
	drop := func(whose address.Account) {
		for _, follows := range []bool{false, true} {
			s.counts.Drop(counter{whose: whose, follows: follows})
			s.counts.Drop(counter{q.who.User, whose, follows})
		}
	}
	drop(address.Account{User: q.who.User})
	if named, held := s.addresses.Names.Held(q.param("name")); held {
		drop(named.Account())
		if named.Group != 0 {
			s.members.recount(named.Group)
		}
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
func (c headCounts) json() mokum.Counts {
	if !c.known {
		return mokum.Counts{}
	}
	return mokum.Counts{Subscribers: &c.subscribers, Subscriptions: &c.subscriptions}
}
