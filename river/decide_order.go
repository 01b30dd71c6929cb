package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// orderOf is how a river is sorted: as its kind says, or, where the site lifts
// what a friend brings, a home by that; see [timeline.OrderLifted].
func orderOf(b basis, key Key) timeline.Order {
	k := kinds[key.What]
	if k.fedBySets() && b.settings().Lift {
		return timeline.OrderLifted
	}
	return k.order
}

// choice is what a river's posts are chosen from: what feeds it and its viewer
// may read.
func (d *draft) choice(rv *river) timeline.Choice {
	c := rv.bounds()
	c.Timelines = d.readable(rv)
	if kinds[rv.key.What].fedBySets() {
		c.Since = d.setsOf(rv.key.Viewer).Since
	}
	c.Query, c.Sets, c.Known = rv.query, d.setsOf(rv.key.Viewer), d.timeline
	if c.Query != nil {
		c.Timelines = nil // it speaks of them, they do not feed it
	}
	return c
}

// bounds is a choice without what feeds it.
func (rv *river) bounds() timeline.Choice {
	c := timeline.Choice{Order: rv.sorted, Run: rv.asOf}
	if kinds[rv.key.What].days {
		c.From, c.Until, _ = days(rv.key.Query)
	}
	return c
}

// placed is where a post stands in a river, by what feeds it there; false: out
// of its bounds.
func placed(b basis, rv *river, f *timeline.Facts, feeds func(i int) bool) (timeline.Cursor, bool) {
	switch {
	case rv.chosen != nil: // an order of before, which its facts do not have
		at, was := rv.chosen[f.ID]
		return at, was
	case rv.sorted == timeline.OrderFresh:
		return f.Cursor(), true
	}
	c := rv.bounds()
	c.Query = rv.query
	return c.PlaceAmong(f, b.timeline, feeds)
}

// mayHold says whether a post may stand in the range of a river, as far as can
// be said without deciding.
func (d *draft) mayHold(rv *river, f *timeline.Facts) bool {
	if rv.sorted == timeline.OrderFresh {
		return d.holds(rv, f.Cursor())
	}
	at, in := placed(d, rv, f, feeding(d, rv, d.setsOf(rv.key.Viewer), f))
	return in && d.holds(rv, at)
}

// feeding answers whether the timeline in which a post is, by its place among the
// facts, brings it into a river: it feeds that, its viewer may read it, and what
// he follows forward only has had the post since.
func feeding(b basis, rv *river, sets *timeline.Sets, f *timeline.Facts) func(i int) bool {
	wants, homely := b.wantsOf(rv), kinds[rv.key.What].fedBySets()
	return func(i int) bool {
		id := f.In[i]
		if !wants[id] || homely && f.Entered[i] < sets.Since[id] {
			return false
		}
		t, known := b.timeline(id)
		return known && b.access().feeds(sets, t)
	}
}

// own says whether a page shows a river in its own order, as it is now: only such
// pages are held and live.
func (n *Node) inOwnOrder(key Key, at At) bool {
	if at.Order != OrderOwn {
		return false
	}
	if at.Run == 0 || kinds[key.What].order != timeline.OrderRanked {
		return true
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return at.Run == n.st.run
}

// ask makes a river that is made for one answer what a page asks for.
func (rv *river) setOrder(at At) {
	switch {
	case at.Order == OrderCreated:
		rv.sorted = timeline.OrderCreated
	case at.Run != 0 && rv.sorted == timeline.OrderRanked:
		rv.asOf, rv.chosen = at.Run, make(map[timeline.PostID]timeline.Cursor)
	}
}

// sortByScore puts what a river holds into the order of the score that ranks what
// is rising among the best of the site, the highest first.
func (st *state) sortByScore(rv *river) {
	for _, e := range rv.order {
		fold := e.fold
		if fold == nil {
			fold = e.post.fold
		}
		e.cursor.FreshAt = st.site.BestOf.Score(len(fold.Likes.Users)+fold.Likes.More, fold.Comments.Count, fold.Likes.Favs, fold.Text.PublishedAt, timeline.Rising)
	}
	slices.SortFunc(rv.order, func(a, b *entry) int { return a.cursor.Compare(b.cursor) })
	rv.finished = true
}
