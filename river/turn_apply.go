package river

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// apply turns the state into the state of the draft. The caller holds the lock that readers of the
// state share, and has written the draft to SQLite. apply returns the open rivers that changed or
// ended.
func (st *state) apply(d *draft, now int64) (wake map[*river]bool) {
	wake = make(map[*river]bool)
	st.counter = d.counter
	st.logState = d.log
	if d.followed {
		st.followed = d.counter
	}

	for _, t := range d.timelines {
		st.setTimeline(t)
	}
	for user, sets := range d.sets {
		v := st.viewers[user]
		if v == nil {
			v = &viewer{rivers: make(map[*river]bool)}
			st.viewers[user] = v
		}
		v.sets, v.changed = sets, d.counter
		st.reweighViewer(v)
		for rv := range v.rivers {
			wake[rv] = true
		}
	}
	for id, c := range d.users {
		hash := hashOf(c)
		st.setUser(id, card[*timeline.UserCard]{c, hash, d.counter})
	}
	for id, c := range d.groups {
		hash := hashOf(c)
		st.setGroup(id, card[*timeline.GroupCard]{c, hash, d.counter})
	}
	// New rivers are added before others are dropped: a viewer is forgotten together
	// with their last river.
	for rv, rd := range d.rivers {
		if rd.made {
			st.add(rv)
			st.order.insert(rv, segmentOnce, now)
		}
	}
	for rv, rd := range d.rivers {
		if rd.dropped {
			st.drop(rv)
			wake[rv] = true
		}
	}
	st.applyUnread(d, wake)
	st.applyPosts(d, wake)
	st.applyGates(d, wake)
	for rv, rd := range d.rivers {
		if !rd.dropped && st.applyRiver(d, rv, rd, now) {
			wake[rv] = true
		}
	}
	for _, id := range d.forget.posts {
		st.dropPost(id)
	}
	for _, id := range d.forget.users {
		st.forgetUser(id)
	}
	for _, id := range d.forget.groups {
		st.forgetGroup(id)
	}
	for _, id := range d.forget.timelines {
		st.forgetTimeline(id)
	}
	return wake
}

// applyPosts stores the facts and folds that the draft read of posts in rivers, now or after
// this turn.
func (st *state) applyPosts(d *draft, wake map[*river]bool) {
	wanted := make(map[timeline.PostID]bool)
	for _, rd := range d.rivers {
		for post := range rd.put {
			wanted[post] = true
		}
	}
	shown := make(map[timeline.PostID]bool)
	for post, f := range d.facts {
		h := st.held[post]
		if h == nil {
			if f == nil || !wanted[post] || d.folds[post] == nil {
				continue
			}
			h = &held{facts: f, entries: make(map[*river]*entry)}
			st.held[post] = h
			put(&st.idle.posts, post, true) // until a river holds it
			st.weigh(h, 1)
		}
		if f == nil { // the post was deleted without a trace: no viewer may see it
			f = &timeline.Facts{ID: post, Deleted: true, Author: h.facts.Author, FreshAt: h.facts.FreshAt}
		}
		st.weigh(h, -1)
		h.facts = f
		st.weigh(h, 1)
	}
	for post, fold := range d.folds {
		h := st.held[post]
		if h == nil {
			continue
		}
		d.begin("publish", post)
		st.weigh(h, -1)
		if hash := foldHash(fold); h.fold == nil || h.hash != hash {
			h.hash, h.changed = hash, d.counter
			shown[post] = true
		}
		h.fold = fold // its version numbers may have risen although the hash is the same
		st.weigh(h, 1)
	}
	for post, fold := range d.alls {
		h := st.held[post]
		if h == nil {
			continue
		}
		d.begin("publish", post)
		st.weigh(h, -1)
		if hash := foldHash(fold); h.all == nil || h.allHash != hash {
			h.allHash, h.allAt = hash, d.counter
			shown[post] = true
		}
		h.all = fold
		st.weigh(h, 1)
	}
	d.handling = nil
	for post := range d.touched {
		if h := st.held[post]; h != nil {
			h.touched = d.counter
			shown[post] = true
		}
	}
	for post := range shown {
		for rv, e := range st.held[post].entries {
			if rv.open() && (d.touched[post] || e.rest().fold == nil) {
				wake[rv] = true
			}
		}
	}
}

// applyGates notes the timelines with changed access. Every post in them is now shown
// differently, or no longer shown, so all open rivers are woken.
func (st *state) applyGates(d *draft, wake map[*river]bool) {
	for _, id := range d.accessChanged {
		st.accessBefore[id] = st.accessAt[id]
		st.accessAt[id], st.lastAccessAt = d.counter, d.counter
	}
	if len(d.accessChanged) == 0 {
		return
	}
	for _, rv := range st.rivers {
		if rv.open() {
			wake[rv] = true
		}
	}
}

// applyRiver changes a river as its draft says. It reports whether the content of the river
// changed.
func (st *state) applyRiver(d *draft, rv *river, rd *riverDraft, now int64) bool {
	defer st.reweigh(rv)
	if rd.wants != nil {
		st.feed(rv, rd.wants)
	}
	if rd.made {
		rv.sweptSince = d.counter
	}
	if rd.sweepStarted {
		rv.version++
		rv.staleTwice = rv.stale != 0
		rv.stale, rv.sweptSince = d.counter, d.counter
	}
	if rd.swept != nil {
		if rv.swept = *rd.swept; rd.sweepDone {
			rv.stale, rv.staleTwice = 0, false
		}
	}
	was := rv.floor
	if rv.finished {
		was = timeline.Cursor{}
	}
	if rd.floor != nil {
		if rv.floor.Below(*rd.floor) && !rd.made {
			rv.trimmed = d.counter
		} else if !rd.made {
			rv.lowered = d.counter
		}
		rv.floor, rv.finished, rv.changed = *rd.floor, rd.finished, d.counter
		for len(rv.order) > 0 && !rv.holds(rv.order[len(rv.order)-1].cursor) {
			st.removeEntry(rv, rv.order[len(rv.order)-1].post.facts.ID)
		}
	}
	news, passed := len(rd.gone) > 0 || rd.changed, false
	for post := range rd.gone {
		st.removeEntry(rv, post)
		put(&rv.tombs, post, tomb{d.counter, now})
	}
	for post, e := range rd.put {
		h := st.held[post]
		if h == nil {
			continue // the post was deleted before its fold could be read
		}
		e.post, e.version, e.decided = h, rv.version, d.counter
		news = news || e.changed == d.counter
		passed = passed || e.span != nil
		if _, left := rv.tombs[post]; !left && st.entryOf(rv, post) == nil && e.cursor.Below(was) {
			e.changed, e.moved = 0, 0 // the river was extended downwards: no page can have missed the entry
		}
		st.removeEntry(rv, post)
		rv.insert(e)
		st.weighEntry(rv, e, 1)
		st.hold(h, rv, e)
		delete(rv.tombs, post)
	}
	for _, post := range rd.same {
		if e := st.entryOf(rv, post); e != nil {
			e.decided = d.counter
		}
	}
	for _, post := range rd.purge {
		delete(rv.tombs, post)
	}
	for post := range rd.unmark {
		delete(rv.marks, post)
	}
	if len(rd.mark) > 0 && len(rv.marks) == 0 {
		rv.marked = time.Now()
	}
	for post := range rd.mark {
		put(&rv.marks, post, true)
	}
	if rd.visited != 0 {
		rv.persisted = rd.visited
	}
	if news {
		rv.changed = d.counter
		return true
	}
	if passed { // a window may begin or end at a cursor that the entry passed
		return true
	}
	// Changes of shared folds were not reported while the river had marks, and a
	// window is not extended before the river's sweep ended. Both may happen now,
	// so the river's pages look again.
	return (len(rd.unmark) > 0 || rd.sweepDone) && rv.open()
}

// add adds a river to the state, and to the indexes of the river's timelines. The caller weighs
// the river.
func (st *state) add(rv *river) {
	st.rivers[rv.id] = rv
	st.byKey[rv.key] = rv
	rv.index = len(st.all)
	st.all = append(st.all, rv)
	st.lastID = max(st.lastID, rv.id)
	st.viewers[rv.key.Viewer].rivers[rv] = true
	if kinds[rv.key.What].single {
		link(st, st.single, timeline.PostID(rv.key.TheirID), rv)
	}
	if rv.query != nil {
		st.search[rv] = true
	}
	if kinds[rv.key.What].unbounded {
		st.unbounded[rv] = true
	}
	for _, id := range rv.gates {
		link(st, st.gated, id, rv)
		st.noteTimelineUse(id)
	}
	st.feed(rv, rv.wants)
	st.cardCounter(1).visitSubject(rv.key)
}

// feed replaces the set of timelines that feed a river.
func (st *state) feed(rv *river, wants map[timeline.TimelineID]bool) {
	for id := range rv.wants {
		if !wants[id] {
			unlink(st, st.fed, id, rv)
			st.noteTimelineUse(id)
		}
	}
	for id := range wants {
		link(st, st.fed, id, rv)
		st.noteTimelineUse(id)
	}
	rv.wants = wants
}

// drop removes a river. The posts of this river alone stay in the state until they are purged.
func (st *state) drop(rv *river) {
	st.order.remove(rv)
	for len(rv.order) > 0 {
		st.removeEntry(rv, rv.order[len(rv.order)-1].post.facts.ID)
	}
	st.feed(rv, nil)
	delete(st.search, rv)
	delete(st.unbounded, rv)
	for _, id := range rv.gates {
		unlink(st, st.gated, id, rv)
		st.noteTimelineUse(id)
	}
	post := timeline.PostID(rv.key.TheirID)
	if kinds[rv.key.What].single {
		unlink(st, st.single, post, rv)
		if h := st.held[post]; h != nil && st.single[post] == nil {
			st.weigh(h, -1)
			h.all, h.allHash = nil, digest{}
			st.weigh(h, 1)
		}
	}
	v := st.viewers[rv.key.Viewer]
	delete(v.rivers, rv)
	if len(v.rivers) == 0 {
		st.linkNotices(rv.key.Viewer, v.unread, nil)
		delete(st.uncounted, rv.key.Viewer)
		delete(st.viewers, rv.key.Viewer)
		st.bytes -= v.bytes
	}
	st.cardCounter(-1).visitSubject(rv.key)
	st.bytes -= rv.bytes
	last := st.all[len(st.all)-1]
	st.all[rv.index], last.index = last, rv.index
	st.all[len(st.all)-1] = nil
	st.all = st.all[:len(st.all)-1]
	delete(st.rivers, rv.id)
	if st.byKey[rv.key] == rv {
		delete(st.byKey, rv.key)
	}
}

// removeEntry removes an entry from a river, without a tombstone.
func (st *state) removeEntry(rv *river, post timeline.PostID) {
	e := st.entryOf(rv, post)
	if e == nil {
		return
	}
	rv.remove(e)
	st.weighEntry(rv, e, -1)
	st.unhold(e.post, rv)
}
