package timeline

import (
	"math"
	"time"
)

// Order says how a river is sorted, newest or highest first.
type Order string

// The orders of rivers.
const (
	// OrderFresh is by (FreshAt, id): what was published or commented on last.
	OrderFresh Order = ""
	// OrderCreated is by id, which has the time of publication in it.
	OrderCreated Order = "created"
	// OrderRanked is by the ranks that the posts have in a timeline.
	OrderRanked Order = "ranked"
	// OrderLifted is OrderFresh, but for what only filter timelines bring: it
	// stands where it first came in, if that was later.
	OrderLifted Order = "lifted"
)

// A Choice is what the posts of a page are chosen from, and their order.
type Choice struct {
	Timelines map[TimelineID]bool // of which one must hold the post
	Order     Order
	Since     map[TimelineID]int64              // OrderLifted: what entered before does not count (milliseconds)
	From      PostID                            // OrderCreated: only ids at or above it
	Until     PostID                            // OrderCreated: only ids below it; 0: no such bound
	Run       int64                             // OrderRanked: as that run left it; 0: as of now
	Query     *Query                            // if not nil, the posts that match it, whatever holds them, and that can be read by:
	Sets      *Sets                             // nil: somebody who is not signed in
	Known     func(TimelineID) (Timeline, bool) // knows the Feeds of the query
}

// Place is where a post stands in the order of a choice; false: none of its
// timelines holds it, or it is out of bounds. The function timelines knows each
// of the choice's.
func (c *Choice) Place(f *Facts, timelines func(TimelineID) (Timeline, bool)) (Cursor, bool) {
	return c.PlaceAmong(f, timelines, func(i int) bool {
		return c.Timelines[f.In[i]] && (c.Order != OrderLifted || f.Entered[i] >= c.Since[f.In[i]])
	})
}

// PlaceAmong is [Choice.Place] where the caller says which of the timelines that
// hold the post count, by their place in f.In.
func (c *Choice) PlaceAmong(f *Facts, timelines func(TimelineID) (Timeline, bool), counts func(i int) bool) (Cursor, bool) {
	at, in, base, first := f.Cursor(), c.Query != nil, false, int64(math.MaxInt64)
	for i, id := range f.In {
		if !counts(i) {
			continue
		}
		switch c.Order {
		case OrderRanked:
			if f.Ranks == nil || f.Ranks[i] == 0 {
				continue
			}
			if !in || f.Ranks[i] > at.FreshAt {
				at.FreshAt = f.Ranks[i]
			}
		case OrderLifted:
			t, _ := timelines(id)
			base = base || t.What.Base()
			first = min(first, f.Entered[i])
		}
		in = true
	}
	switch {
	case c.Order == OrderCreated:
		at = f.ID.Cursor()
		in = in && f.ID >= c.From && (c.Until == 0 || f.ID < c.Until)
	case c.Order == OrderLifted && in && !base:
		at.FreshAt = max(at.FreshAt, first)
	}
	return at, in
}

// Ids begin with the seconds since then, above a shard and a sequence.
const (
	idEpoch = 946684800 // 2000-01-01
	idShift = 22
)

// Cursor is the post's place where the order is by publication.
func (id PostID) Cursor() Cursor {
	return Cursor{FreshAt: (int64(id)>>idShift + idEpoch) * 1000, Post: id}
}

// FirstID is the lowest id that a post published at that time, or later, has.
func FirstID(at time.Time) PostID {
	return PostID(max(at.Unix()-idEpoch, 0) << idShift)
}
