package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// defaultCount is the number of entries on a page that asks for no other number.
const defaultCount = 25

func (at At) count() int {
	if at.Count <= 0 {
		return defaultCount
	}
	return min(at.Count, 100)
}

// part returns the part of the river that a page shows when it asks for at. The
// page of a single post has no parts, so for such a page the result is the zero At.
func (key Key) part(at At) At {
	if kinds[key.What].single {
		return At{}
	}
	return at
}

// upperBound returns the cursor that all entries of a page stand below.
func (at At) upperBound() timeline.Cursor {
	c := timeline.Top
	if at.Before != (timeline.Cursor{}) {
		c = at.Before
	}
	if at.StartFrom > 0 {
		if from := (timeline.Cursor{FreshAt: at.StartFrom}); from.Below(c) {
			c = from
		}
	}
	return c
}

// includes reports whether a page with these options shows an entry.
func (at At) includes(e *entry) bool { return !at.NoReplies || !isReply(e.reasons) }

// isReply reports whether an entry is in a river only because of comments or likes.
func isReply(reasons Reasons) bool {
	for what := range reasons.kinds() {
		if what != timeline.WhatUserComments && what != timeline.WhatUserLikes {
			return false
		}
	}
	return reasons != ""
}

// cardCollector collects the cards that a view shows.
type cardCollector struct {
	st     *state
	users  map[timeline.UserID]*timeline.UserCard
	groups map[timeline.GroupID]*timeline.GroupCard
}

func (st *state) newCardCollector() *cardCollector {
	return &cardCollector{st, make(map[timeline.UserID]*timeline.UserCard), make(map[timeline.GroupID]*timeline.GroupCard)}
}

// visitor returns a cardVisitor that collects cards. If m is not nil, the visitor also adds the
// hash of each card to m.
func (c *cardCollector) visitor(m *hasher) cardVisitor {
	return cardVisitor{
		user: func(id timeline.UserID) {
			if k, has := c.st.users[id]; has {
				c.users[id] = k.card
				if m != nil {
					m.add(k.hash[:]...)
				}
			}
		},
		group: func(id timeline.GroupID) {
			if k, has := c.st.groups[id]; has {
				c.groups[id] = k.card
				if m != nil {
					m.add(k.hash[:]...)
				}
			}
		},
	}
}

// entry composes the visible form of an entry for the river's viewer. It applies
// the visibility rule once more, with the current sets and access, and returns
// false if the rule refuses. The rule may refuse an entry between a change and the
// decision of the marks that the change left.
func (st *state) entry(rv *river, e *entry, c *cardCollector) (Entry, bool) {
	if e = st.currentEntry(rv, e); e == nil {
		return Entry{}, false
	}
	return st.compose(rv, e, c), true
}

// compose composes the visible form of an entry that [state.currentEntry] returned.
func (st *state) compose(rv *river, e *entry, c *cardCollector) Entry {
	sets := st.viewers[rv.key.Viewer].sets
	f, rest := e.post.facts, e.rest()
	shown := Entry{River: rv.key, Facts: f, Fold: rest.fold, Reasons: e.reasons, Hidden: e.hidden, Cursor: e.cursor, Hits: rest.hits}
	var m hasher
	m.add(uint64(f.ID), e.own[0], e.own[1])
	if shown.Fold == nil {
		var hash digest
		shown.Fold, hash = e.post.sharedFold(rv)
		m.add(hash[:]...)
	} else {
		shown.Fold = withNumbersOf(rest.fold, e.post.fold)
		m.add(rest.hash[:]...)
	}
	if sets.User != 0 {
		_, shown.Liked = slices.BinarySearch(f.Likers, sets.User)
		_, shown.Faved = slices.BinarySearch(f.FavedBy, sets.User)
	}
	m.addBool(shown.Liked)
	m.addBool(shown.Faved)
	shown.Places, shown.Public = placesFor(sets, f, st.timeline)
	c.visitor(&m).visitEntry(&shown)
	if rv.sorted == timeline.OrderRanked {
		likes := shown.Fold.Likes
		shown.Points = st.weights(rv.key.What).Points(len(likes.Users)+likes.More, shown.Fold.Comments.Count, likes.Favs)
	}
	shown.Tag = tag(m.sum())
	return shown
}

// weights returns the weights of a ranking.
func (st *state) weights(what Kind) timeline.Weights {
	if what == KindMostFaved {
		return st.site.MostFaved
	}
	return st.site.BestOf
}

// page finds the entries of a page: the entries below its upper bound that the viewer may see,
// after the skipped ones. Changed is the counter of the last change of anything on the page. Whole
// reports whether the river holds the complete page, or as much of the page as exists. More
// reports whether the river holds entries below the page.
func (st *state) page(rv *river, at At) (entries []*entry, changed int64, whole, more bool) {
	viewer := st.viewers[rv.key.Viewer]
	changed = max(rv.changed, viewer.changed)
	cardVisitor{ // the page's head shows these cards
		user:  func(id timeline.UserID) { changed = max(changed, st.users[id].changed) },
		group: func(id timeline.GroupID) { changed = max(changed, st.groups[id].changed) },
	}.visitSubject(rv.key)
	want, skip := at.count(), at.Skip
	i := rv.find(at.upperBound())
	if i < len(rv.order) && rv.order[i].cursor == at.upperBound() {
		i++ // the entry at the bound is not below the bound
	}
	entries = make([]*entry, 0, min(want, len(rv.order)-i))
	for ; i < len(rv.order) && len(entries) < want; i++ {
		e := rv.order[i]
		if !at.After.Below(e.cursor) {
			return entries, changed, true, false
		}
		now := st.currentEntry(rv, e)
		changed = max(changed, st.shownChangedAt(rv, e, now))
		switch {
		case now == nil || !at.includes(now):
		case skip > 0:
			skip--
		default:
			entries = append(entries, e)
		}
	}
	more = i < len(rv.order)
	// If the river holds nothing below the page, only a finished river tells that
	// nothing more exists.
	bottom := rv.finished || at.After != timeline.Cursor{} && rv.floor.Below(at.After)
	return entries, changed, bottom || len(entries) == want && more, more
}

// view composes a page of a river. Whole reports whether the river holds the
// complete page, or as much of it as exists.
func (st *state) view(rv *river, at At) (v *View, whole bool) {
	entries, changed, whole, more := st.page(rv, at)
	c := st.newCardCollector()
	v = &View{
		Key: rv.key, Epoch: rv.epoch, Counter: st.counter, Position: st.position, Live: true,
		Sets: st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups, Number: at.Skip, Changed: changed,
		Unread: st.unread(rv.key.Viewer), Run: rv.asOf, followed: st.followed,
	}
	if v.Run == 0 && rv.sorted == timeline.OrderRanked {
		v.Run = st.run
	}
	for _, e := range entries {
		if shown, may := st.entry(rv, e, c); may {
			v.Entries = append(v.Entries, shown)
		}
	}
	c.visitor(nil).visitSubject(rv.key)
	n := len(v.Entries)
	if n > 0 && (more || !rv.finished) && (at.After == timeline.Cursor{} || more || !whole) {
		at := v.Entries[n-1].Cursor
		v.Older = &at
	}
	if !whole && n < at.count() {
		// The page is short because it looked at as many posts as a page may. The next page begins
		// below the last of these posts. Older has the time of the last post but not its id,
		// because the viewer may not be allowed to know of the post. A page that began at the same
		// millisecond needs the id after all: without the id the page would lead to itself.
		below := timeline.Cursor{FreshAt: rv.floor.FreshAt, Post: timeline.Top.Post}
		if !below.Below(at.upperBound()) {
			below = rv.floor
		}
		if v.Older == nil || below.Below(*v.Older) {
			v.Older = &below
		}
	}
	return v, whole
}
