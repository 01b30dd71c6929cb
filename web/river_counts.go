package web

import (
	"context"
	"log/slog"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/cache"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// countsFresh is how long the numbers of subscribers are shown without a look
// at the primary.
const countsFresh = 30 * time.Second

// countsHeld bounds how many numbers are remembered.
const countsHeld = 50_000

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

// counts remembers the numbers beside names.
type counts struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[counter, counted]
}

func newCounts(store *timeline.Store, now func() time.Time, log *slog.Logger) *counts {
	return &counts{store, now, log, cache.New[counter, counted](countsHeld)}
}

// of returns the numbers of a person or a group, as a viewer is told them. A primary
// that is away leaves the numbers as they were.
func (c *counts) of(ctx context.Context, viewer *timeline.Sets, whose address.Owner) (found headCounts) {
	if whose.Name == "" {
		return headCounts{}
	}
	var signedIn, apart *timeline.Sets
	if viewer != nil && viewer.User != 0 {
		signedIn = viewer
		if len(viewer.Bans) > 0 {
			apart = viewer
		}
	}
	found.subscribers, found.known = c.count(ctx, counter{whose: whose.Account()}, apart, func(sets *timeline.Sets) (int, error) {
		return c.store.CountSubscribers(ctx, sets.User, whose.Name)
	})
	if whose.User != 0 {
		var known bool
		found.subscriptions, known = c.count(ctx, counter{whose: whose.Account(), follows: true}, signedIn, func(sets *timeline.Sets) (int, error) {
			people, _, err := c.store.CountSubscriptions(ctx, sets, whose.Name)
			return people, err
		})
		found.known = found.known && known
	}
	return found
}

// count returns a number, as a viewer is told it or, for nil, as all are who share
// it; it is read where it is not held, or was held for long.
func (c *counts) count(ctx context.Context, key counter, viewer *timeline.Sets, read func(*timeline.Sets) (int, error)) (n int, known bool) {
	sets := &timeline.Sets{}
	if viewer != nil {
		sets, key.viewer = viewer, viewer.User
	}
	held, at, was := c.held.Get(key)
	now := c.now()
	if was && held.sets == viewer && now.Sub(at) <= countsFresh {
		return held.n, true
	}
	n, err := read(sets)
	if err != nil {
		c.log.DebugContext(ctx, "counts", "user", key.whose.User, "group", key.whose.Group, "err", err)
		return held.n, was
	}
	c.held.Put(key, counted{n, viewer}, now)
	return n, true
}

// drop has the numbers of an account counted anew, as all who share them and one
// viewer are told them.
func (c *counts) drop(whose address.Account, viewer timeline.UserID) {
	for _, follows := range []bool{false, true} {
		c.held.Drop(counter{whose: whose, follows: follows})
		c.held.Drop(counter{viewer, whose, follows})
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
