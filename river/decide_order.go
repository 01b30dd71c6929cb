package river

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
)

// orderOf returns the order of a river: the order of its kind, except that homes and lists use
// [timeline.OrderLifted] if the site lifts posts by friends' actions.
func orderOf(b basis, key Key) timeline.Order {
	k := kinds[key.What]
	if k.fedBySets() && b.settings().Lift {
		return timeline.OrderLifted
	}
	return k.order
}

// choice returns the query for a river's posts: the posts of the river's timelines, as far as
// its viewer may read the timelines.
func (d *draft) choice(rv *river) timeline.Choice {
	c, sets := rv.bounds(), d.setsOf(rv.key.Viewer)
	c.Timelines, c.Since, c.Began = d.readable(rv), sets.Since, sets.SubscribedAt
	c.Query, c.Sets, c.Known = rv.query, sets, d.timeline
	c.Inbox = inboxOf(rv.key, d.settings().Source)
	return c
}

// inboxOf returns the key of the inbox that may keep the posts of a river. Homes and lists have an
// inbox for each viewer. All viewers share the inbox of any other river.
func inboxOf(key Key, source timeline.SourceSettings) timeline.InboxKey {
	in := timeline.InboxKey{Kind: string(key.What), Their: key.TheirID, Source: source.Of(string(key.What)), Settings: source}
	if kinds[key.What].fedBySets() {
		in.Viewer = key.Viewer
	}
	return in
}

// ChoiceOf returns the choice of posts of a river now: of a home, a list, or a river that all
// viewers share. The error is [timeline.ErrNotFound] if there is no such river.
func ChoiceOf(ctx context.Context, store *timeline.Store, in timeline.InboxKey) (c timeline.Choice, err error) {
	sn, err := store.Snapshot(ctx)
	if err != nil {
		return c, err
	}
	defer sn.Close()
	log, err := sn.Log(ctx, 0, "", "")
	if err != nil {
		return c, err
	}
	d := newDraft(newState())
	d.log.siteState = siteState{log.Site, log.Run}
	rv, err := d.construct(ctx, sn, Key{Viewer: in.Viewer, What: Kind(in.Kind), TheirID: in.Their})
	if err != nil {
		return c, err
	}
	return d.choice(rv), nil
}

// bounds returns a choice without timelines: the river's order, and its first and last day, if
// set.
func (rv *river) bounds() timeline.Choice {
	c := timeline.Choice{Order: rv.sorted, Run: rv.asOf}
	if kinds[rv.key.What].days {
		c.From, c.Until, _ = days(rv.key.Query)
	}
	return c
}

// placed returns the cursor of a post in a river, by the timelines that bring the post there. It
// returns false if the post is outside the river's bounds.
func placed(b basis, rv *river, f *timeline.Facts, feeds func(i int) bool) (timeline.Cursor, bool) {
	switch {
	case rv.chosen != nil: // an earlier run of the ranking: the facts no longer have its ranks
		at, was := rv.chosen[f.ID]
		return at, was
	case rv.sorted == timeline.OrderFresh:
		return f.Cursor(), true
	}
	c := rv.bounds()
	c.Query, c.Began = rv.query, b.setsOf(rv.key.Viewer).SubscribedAt
	return c.PlaceAmong(f, b.timeline, feeds)
}

// mayHold reports whether a post may stand in the range of a river. It costs less
// than a decision, and may say yes for a post that is not in the river.
func (d *draft) mayHold(rv *river, f *timeline.Facts) bool {
	at, in := placed(d, rv, f, feeding(d, rv, d.setsOf(rv.key.Viewer), f))
	return in && d.holds(rv, at)
}

// feeding returns a function that reports whether the i-th timeline of the facts
// brings the post into a river: the timeline feeds the river, the viewer may read
// it, and if the viewer's subscription is forward only, the post entered after it
// began.
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

// inOwnOrder reports whether a page shows a river in the river's own order and
// current run. Only such pages are held and live.
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

// setOrder sets the order and the ranking run of a river's page. The river is built for one
// answer only.
func (rv *river) setOrder(at At) {
	switch {
	case at.Order == OrderCreated:
		rv.sorted = timeline.OrderCreated
	case at.Run != 0 && rv.sorted == timeline.OrderRanked:
		rv.asOf, rv.chosen = at.Run, make(map[timeline.PostID]timeline.Cursor)
	}
}

// sortByScore sorts the entries of a river by the score of the ranking "rising",
// highest first.
func (st *state) sortByScore(rv *river) {
	for _, e := range rv.order {
		fold := e.rest().fold
		if fold == nil {
			fold = e.post.fold
		}
		e.cursor.FreshAt = st.site.BestOf.Score(len(fold.Likes.Users)+fold.Likes.More, fold.Comments.Count, fold.Likes.Favs, fold.Text.PublishedAt, timeline.Rising)
	}
	slices.SortFunc(rv.order, func(a, b *entry) int { return a.cursor.Compare(b.cursor) })
	rv.finished = true
}
