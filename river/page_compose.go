package river

import (
	"iter"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

func mapKeys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// defaultCount is how many entries a page has.
const defaultCount = 25

func (at At) count() int {
	if at.Count <= 0 {
		return defaultCount
	}
	return min(at.Count, 100)
}

// part returns which part of the river a page shows that is asked for a part: the
// page of a single post has no parts.
func (key Key) part(at At) At {
	if kinds[key.What].single {
		return At{}
	}
	return at
}

// above is the cursor that a page's entries are below.
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

// shows says whether a page that is asked for so has an entry.
func (at At) includes(e *entry) bool { return !at.NoReplies || !isReply(e.reasons) }

// reply says whether an entry is where it is only by somebody's comment or like.
func isReply(reasons Reasons) bool {
	for what := range reasons {
		if what != timeline.WhatUserComments && what != timeline.WhatUserLikes {
			return false
		}
	}
	return len(reasons) > 0
}

// cast gathers the cards that what is shown needs.
type cardCollector struct {
	st     *state
	users  map[timeline.UserID]*timeline.UserCard
	groups map[timeline.GroupID]*timeline.GroupCard
}

func (st *state) newCardCollector() *cardCollector {
	return &cardCollector{st, make(map[timeline.UserID]*timeline.UserCard), make(map[timeline.GroupID]*timeline.GroupCard)}
}

// of answers the functions that put a person or a group on, mixing the cards'
// hashes into m, which may be nil.
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

// entry composes what the viewer is shown of an entry. It asks the visibility
// rule once more, with the sets and access of now: false if it refuses, as it
// may between a change and the working off of its marks.
func (st *state) entry(rv *river, e *entry, c *cardCollector) (Entry, bool) {
	if e = st.currentEntry(rv, e); e == nil {
		return Entry{}, false
	}
	return st.compose(rv, e, c), true
}

// compose composes what the viewer is shown of an entry that [state.now] answered.
func (st *state) compose(rv *river, e *entry, c *cardCollector) Entry {
	sets := st.viewers[rv.key.Viewer].sets
	f := e.post.facts
	shown := Entry{River: rv.key, Facts: f, Fold: e.fold, Reasons: e.reasons, Hidden: e.hidden, Place: e.cursor, Hits: e.hits}
	var m hasher
	m.add(uint64(f.ID), e.own[0], e.own[1])
	if shown.Fold == nil {
		var hash digest
		shown.Fold, hash = e.post.sharedFold(rv)
		m.add(hash[:]...)
	} else {
		shown.Fold = withNumbersOf(e.fold, e.post.fold)
		m.add(e.hash[:]...)
	}
	if sets.User != 0 {
		_, shown.Liked = slices.BinarySearch(f.Likers, sets.User)
		_, shown.Faved = slices.BinarySearch(f.Favers, sets.User)
	}
	m.addBool(shown.Liked)
	m.addBool(shown.Faved)
	shown.Places, shown.Public = placesFor(sets, f, st.timeline)
	on := c.visitor(&m)
	on.visitFold(shown.Fold)
	for _, t := range shown.Places {
		on.visitTimeline(t.What, t.TheirID)
	}
	for _, what := range slices.Sorted(mapKeys(e.reasons)) {
		for _, id := range e.reasons[what] {
			on.visitTimeline(what, id)
		}
	}
	shown.Tag = tag(m.sum())
	return shown
}

// page finds the entries of a page: those that the viewer may see, below where
// it begins, after those passed over. Changed is the counter at which what the
// page shows last changed; whole says that the river holds the page, or as much
// of it as there is; more, that it holds entries below it.
func (st *state) page(rv *river, at At) (entries []*entry, changed int64, whole, more bool) {
	viewer := st.viewers[rv.key.Viewer]
	changed = max(rv.changed, viewer.changed)
	cardVisitor{ // whose page it is stands above it
		user:  func(id timeline.UserID) { changed = max(changed, st.users[id].changed) },
		group: func(id timeline.GroupID) { changed = max(changed, st.groups[id].changed) },
	}.visitSubject(rv.key)
	want, skip := at.count(), at.Skip
	i := rv.find(at.upperBound())
	if i < len(rv.order) && rv.order[i].cursor == at.upperBound() {
		i++ // the cursor itself is not below
	}
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
	// Where nothing more is held, whether there is more is not known.
	bottom := rv.finished || at.After != timeline.Cursor{} && rv.floor.Below(at.After)
	return entries, changed, bottom || len(entries) == want && more, more
}

// view composes a page of a river. The answer is whole iff the river holds the
// page, or as much of it as there is.
func (st *state) view(rv *river, at At) (v *View, whole bool) {
	entries, changed, whole, more := st.page(rv, at)
	c := st.newCardCollector()
	v = &View{
		Key: rv.key, Epoch: rv.epoch, Counter: st.counter, Position: st.position, Live: true,
		Sets: st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups, Number: at.Skip, Changed: changed,
		Unread: st.unread(rv.key.Viewer), Run: rv.asOf,
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
		at := v.Entries[n-1].Place
		v.Older = &at
	}
	if !whole && n < at.count() {
		// The page looked at as many posts as a page may, and goes on below those. The
		// moment of the last one is told, but not which post that was, unless the page
		// began at the same moment: it would lead to itself.
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
