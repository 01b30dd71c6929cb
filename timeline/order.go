package timeline

import (
	"math"
	"time"
)

// Order is how a river is sorted, newest or highest first.
type Order string

// The orders of rivers.
const (
	// OrderFresh sorts by (FreshAt, id): the post published or commented on last comes
	// first.
	OrderFresh Order = ""
	// OrderCreated sorts by id, which begins with the time of publication.
	OrderCreated Order = "created"
	// OrderRanked sorts by the rank that a post has in a timeline.
	OrderRanked Order = "ranked"
	// OrderLifted sorts like OrderFresh, except posts that a filter timeline brought first. Such a
	// post stands at the time when it first entered one of the filter timelines, if that is later
	// than its freshness. An entry from before the viewer followed the timeline's owner does not
	// lift the post. A base timeline brought the post first if, before the post entered a filter
	// timeline, the post was in the base timeline and the viewer subscribed to it. So a post keeps
	// its place when the viewer joins its group, or follows its author or a person who liked it.
	OrderLifted Order = "lifted"
)

// A Choice names the posts for a page and their order.
type Choice struct {
	Timelines map[TimelineID]bool // one of them must hold the post
	Order     Order
	Since     map[TimelineID]int64              // OrderLifted: an entry from before this time does not count (milliseconds)
	Began     map[TimelineID]int64              // OrderLifted: when the subscription began that brings the timeline (milliseconds)
	From      PostID                            // OrderCreated: only ids at or above it
	Until     PostID                            // OrderCreated: only ids below it; 0: no such bound
	Run       int64                             // OrderRanked: the run whose ranks count; 0: the latest
	Query     *Query                            // if not nil: posts that match the query, in any timeline, as far as Sets may read them
	Sets      *Sets                             // nil: a viewer without an account
	Inbox     InboxKey                          // whether and how the posts of the choice are kept in an inbox
	Known     func(TimelineID) (Timeline, bool) // returns the timelines of Query.Feeds; OrderLifted: those of Timelines
}

// Cursor returns where a post stands in the order of the choice. It returns false if none
// of the choice's timelines holds the post, or if the post is out of the bounds of the
// choice. The function timelines returns each timeline of the choice.
func (c *Choice) Cursor(f *Facts, timelines func(TimelineID) (Timeline, bool)) (Cursor, bool) {
	return c.PlaceAmong(f, timelines, func(i int) bool {
		return c.Timelines[f.In[i]] && (c.Order != OrderLifted || f.Entered[i] >= c.Since[f.In[i]])
	})
}

// PlaceAmong is [Choice.Cursor] for a caller that decides which of the post's timelines count:
// counts(i) reports whether the timeline f.In[i] counts.
func (c *Choice) PlaceAmong(f *Facts, timelines func(TimelineID) (Timeline, bool), counts func(i int) bool) (Cursor, bool) {
	at, in := f.Cursor(), c.Query != nil
	base, filter := int64(math.MaxInt64), int64(math.MaxInt64) // when the first timeline of each kind brought the post
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
			switch began := c.Began[id]; {
			case t.What.Base():
				base = min(base, max(f.Entered[i], began))
			case f.Entered[i] >= began:
				filter = min(filter, f.Entered[i])
			}
		}
		in = true
	}
	switch {
	case c.Order == OrderCreated:
		at = f.ID.Cursor()
		in = in && f.ID >= c.From && (c.Until == 0 || f.ID < c.Until)
	case c.Order == OrderLifted && filter <= base && filter != math.MaxInt64:
		at.FreshAt = max(at.FreshAt, filter)
	}
	return at, in
}

// The parts of an id. An id begins with the seconds since idEpoch. Its low idShift bits are a shard
// and, in the lowest sequenceBits, a sequence. See next_id in the schema.
const (
	idEpoch      = 946684800 // 2000-01-01
	idShift      = 22
	sequenceBits = 18
)

// Cursor returns the post's place in [OrderCreated].
func (id PostID) Cursor() Cursor {
	return Cursor{FreshAt: (int64(id)>>idShift + idEpoch) * 1000, Post: id}
}

// FirstID returns the lowest possible id of a post published at that time or later.
func FirstID(at time.Time) PostID {
	return PostID(max(at.Unix()-idEpoch, 0) << idShift)
}
