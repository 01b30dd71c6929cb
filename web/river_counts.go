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

// countsFresh is how long a number is shown before it is read again.
const countsFresh = 30 * time.Second

// countsHeld bounds how many numbers are kept.
const countsHeld = 50_000

// headCounts are the numbers beside the name of a person or a group.
type headCounts struct {
	known                      bool // they could be read
	subscribers, subscriptions int
}

// A counter names one number of an account, as one viewer or all others see it.
//
// Viewers who see the same number share the counter of viewer 0. All viewers without bans share
// the number of subscribers, signed in or not, because a popular account has very many to count.
// Visitors without a session share the number of subscriptions; for a signed-in viewer only the
// subscriptions that the viewer may read count, so each has a counter of their own.
type counter struct {
	viewer  timeline.UserID
	whose   address.Account
	follows bool // subscriptions, not subscribers
}

// counted is a number, and the sets of the viewer by which it was counted; nil if the
// number is shared. A viewer's own number is outdated once they have other sets.
type counted struct {
	n    int
	sets *timeline.Sets
}

// counts keeps the numbers beside names.
type counts struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[counter, counted]
}

func newCounts(store *timeline.Store, now func() time.Time, log *slog.Logger) *counts {
	return &counts{store, now, log, cache.New[counter, counted](countsHeld)}
}

// headCounts returns the numbers of a person or a group as a viewer sees them. While the
// primary is unavailable, it returns cached numbers of any age.
func (c *counts) headCounts(ctx context.Context, viewer *timeline.Sets, whose address.Owner) (found headCounts) {
	if whose.Name == "" {
		return headCounts{}
	}
	var signedIn, withBans *timeline.Sets
	if viewer != nil && viewer.User != 0 {
		signedIn = viewer
		if len(viewer.Bans) > 0 {
			withBans = viewer
		}
	}
	found.subscribers, found.known = c.count(ctx, counter{whose: whose.Account()}, withBans, func(sets *timeline.Sets) (int, error) {
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

// count returns a number as a viewer sees it; viewer nil stands for all viewers who share the
// number. It calls read if the number is missing or too old, and reports whether it returns a
// number.
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
	found, err := c.held.Load(key, now, func() (counted, error) {
		n, err := read(sets)
		return counted{n, viewer}, err
	})
	if err != nil {
		c.log.DebugContext(ctx, "could not count", "user", key.whose.User, "group", key.whose.Group, "err", err)
		return held.n, was
	}
	return found.n, true
}

// drop removes the shared numbers of an account, and the numbers of one viewer, so that the next
// page counts again.
func (c *counts) drop(whose address.Account, viewer timeline.UserID) {
	for _, follows := range []bool{false, true} {
		c.held.Drop(counter{whose: whose, follows: follows})
		c.held.Drop(counter{viewer, whose, follows})
	}
}

// shown returns the numbers for a page.
func (c headCounts) shown() page.Counts {
	if !c.known {
		return page.Counts{}
	}
	return page.Counts{Subscribers: &c.subscribers, Subscriptions: &c.subscriptions}
}

// json returns the numbers for a JSON answer.
func (c headCounts) json() mokum.Counts {
	if !c.known {
		return mokum.Counts{}
	}
	return mokum.Counts{Subscribers: &c.subscribers, Subscriptions: &c.subscriptions}
}
