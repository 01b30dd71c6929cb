package river

import (
	"cmp"
	"reflect"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A change of a viewer's rights, subscriptions or marks brings each of the viewer's rivers in line
// with the new sets. The method depends neither on the change nor on the number of changes: each
// river is decided again as of now, and the change itself adds and removes nothing. The river's
// version rises, its timelines are replaced, and the river is swept from the top: each turn takes
// one chunk of the order, and decides the entries in the chunk and the posts that may belong
// there. The cursor of the sweep is stored, so a restart continues from the cursor. For example,
// when a viewer with a home of 500 posts bans a person, five turns of 100 posts each decide the
// home again.
//
// An entry that is not confirmed yet is decided when the entry is shown, by the current sets. So
// entries that the change took away are gone at once; entries that the change brings come with the
// sweep.

// confirmed reports whether an entry was decided since the sets of the river's
// viewer last changed.
func (rv *river) confirmed(e *entry) bool {
	return rv.stale == 0 || e.version == rv.version || !e.cursor.Below(rv.swept)
}

// accessChangedSince reports whether the access of a place of the entry's post
// changed since the entry was last decided. A job will decide the entry again.
func (st *state) accessChangedSince(e *entry) bool {
	return st.lastAccessAt > e.decided && slices.ContainsFunc(e.post.facts.Places, func(id timeline.TimelineID) bool { return st.accessAt[id] > e.decided })
}

// currentEntry decides an entry that may not be confirmed, by the state alone. It
// returns nil if the entry must not be shown, or can only be shown after the
// viewer's own fold was read.
func (st *state) currentEntry(rv *river, e *entry) *entry {
	f := e.post.facts
	if rv.confirmed(e) && !st.accessChangedSince(e) {
		if !mayRead(st, st.setsOf(rv.key.Viewer), f) {
			return nil
		}
		return e
	}
	fresh := decide(st, rv, f)
	if fresh == nil || !slices.Equal(bannedIn(st.setsOf(rv.key.Viewer), f), e.rest().without) {
		return nil
	}
	fresh.extra, fresh.post = e.extra, e.post // hits depend on the words alone, which are the same
	fresh.own = ownHash(st, rv, fresh, f)
	return fresh
}

// shownChangedAt returns the counter at which the visible form of an entry last
// changed. It compares the current form with the form when the entry was last
// decided. If the viewer's sets changed twice since, pages may have been shown a
// third form in between, so the entry counts as changed.
func (st *state) shownChangedAt(rv *river, e *entry, now *entry) int64 {
	changed := e.changed
	if at := e.post.sharedChangedAt(rv); e.rest().fold == nil && at > e.known {
		changed = max(changed, at)
	}
	if e.post.touched > changed && now != nil {
		changed = max(changed, st.cardsChangedAt(rv, now))
	}
	if author := st.users[e.post.facts.Author]; now == nil && author.card != nil && author.card.Gone() {
		changed = max(changed, author.changed) // the end or suspension of the account took the entry away
	}
	if st.lastAccessAt > changed {
		changed = max(changed, st.accessChangedAt(e, now))
	}
	if !rv.confirmed(e) && (now == nil || now.own != e.own || rv.staleTwice) {
		changed = max(changed, rv.stale)
	}
	return changed
}

// sweepRivers is the number of rivers that a turn sweeps, a chunk each. Two of them are the open
// river and the closed river that have waited longest, so that neither sort starves when
// visitors wait for many rivers.
const sweepRivers = 5

// routeViewer routes a change of a viewer's sets. If only requests, invitations or hidden posts
// changed, it starts no sweep: requests and invitations are in no river, and posts that the
// viewer hid or unhid are decided one by one.
func (r *router) routeViewer(v *viewer) {
	was, now := v.sets, r.draft.setsOf(v.sets.User)
	alike := seesAlike(was, now)
	for rv := range v.rivers {
		if !alike || !homesAlike(rv.key, was, now) {
			r.startSweep(rv)
			continue
		}
		r.draft.riverDraft(rv).changed = true // the page shows pending requests
		for _, list := range []map[timeline.PostID]bool{was.HiddenPosts, now.HiddenPosts} {
			for post := range list {
				if r.node.st.entryOf(rv, post) != nil && was.HiddenPosts[post] != now.HiddenPosts[post] {
					r.decideOrMark(rv, post)
				}
			}
		}
	}
}

// seesAlike reports whether two versions of a viewer's sets decide alike about all
// posts. It leaves out hidden posts, and the sets that only homes and lists are
// made of.
func seesAlike(a, b *timeline.Sets) bool {
	bare := func(s timeline.Sets) timeline.Sets {
		s.Requested, s.Invited, s.Incoming, s.HiddenPosts = nil, nil, 0, nil
		s.Muted, s.Lists, s.OwnLeftOut = nil, nil, false // only homes and lists depend on these: see homesAlike
		return s
	}
	return reflect.DeepEqual(bare(*a), bare(*b))
}

// startSweep begins to sweep a river from the top. It drops the river if its viewer may no
// longer open it.
func (r *router) startSweep(rv *river) {
	d := r.draft
	rd := d.riverDraft(rv)
	if kinds[rv.key.What].fedBySets() {
		rd.wants = homeOf(rv.key, d.setsOf(rv.key.Viewer))
	}
	if mayOpen(d, rv) != nil {
		rd.dropped = true
		return
	}
	rd.sweepStarted, rd.changed, rd.sweepDone = true, true, false
	rd.swept = new(timeline.Top)
	// A closed river keeps one chunk: sweeping the rest would cost more than building it again,
	// and usually no visitor asks for the rest.
	if most := r.node.cfg.Settings.chunk; !rv.open() && len(rv.order) > most && rd.floor == nil {
		floor := rv.order[most-1].cursor
		rd.floor, rd.finished = &floor, false
	}
}

// A chooser chooses posts in the snapshot of a turn, as [timeline.Snapshot.Choose] does.
type chooser func(c timeline.Choice, below timeline.Cursor, want int) (timeline.Chosen, error)

// sweeps takes the next chunk of several rivers that are being swept.
func (r *router) sweeps(choose chooser) error {
	for _, rv := range r.toSweep() {
		if err := r.sweep(choose, rv); err != nil {
			return err
		}
	}
	return nil
}

// toSweep returns the rivers that the turn sweeps, a chunk each: the open river and the closed
// river that have waited longest, then rivers that visitors wait for, then other open rivers.
func (r *router) toSweep() []*river {
	d, n := r.draft, r.node
	var asked, open, closed []*river
	sort := func(rv *river) {
		switch {
		case r.asked.refresh[rv]:
			asked = append(asked, rv)
		case rv.open():
			open = append(open, rv)
		default:
			closed = append(closed, rv)
		}
	}
	for rv := range n.stale {
		if rd := d.rivers[rv]; (rd == nil || !rd.sweepStarted && !rd.dropped) && n.st.rivers[rv.id] == rv {
			sort(rv)
		}
	}
	for rv, rd := range d.rivers {
		if rd.sweepStarted && !rd.dropped {
			sort(rv)
		}
	}
	since := func(rv *river) int64 {
		if rd := d.rivers[rv]; rd != nil && rd.sweepStarted {
			return d.counter
		}
		return rv.stale
	}
	for _, rivers := range [][]*river{asked, open, closed} {
		slices.SortFunc(rivers, func(a, b *river) int { return cmp.Compare(since(a), since(b)) })
	}
	oldest := min(1, len(open))
	todo := slices.Concat(open[:oldest], closed[:min(1, len(closed))], asked, open[oldest:])
	return todo[:min(len(todo), sweepRivers)]
}

// sweep takes the next chunk of one river: it enqueues the entries and the posts that may stand
// in the chunk, and notes how far the sweep came.
func (r *router) sweep(choose chooser, rv *river) error {
	d := r.draft
	rd := d.riverDraft(rv)
	at, floor := rv.swept, rv.floor
	if rd.swept != nil {
		at = *rd.swept
	}
	finished := rv.finished
	if rd.floor != nil {
		floor, finished = *rd.floor, rd.finished
	}
	if finished {
		floor = timeline.Cursor{}
	}
	end := floor
	if kinds[rv.key.What].single {
		d.enqueue(rv, timeline.PostID(rv.key.TheirID))
		at = timeline.Cursor{}
	}
	if floor.Below(at) {
		chunk := r.node.cfg.Settings.chunk
		chosen, err := choose(d.choice(rv), at, chunk)
		if err != nil {
			return err
		}
		if floor.Below(chosen.Low) {
			end = chosen.Low
		}
		for _, c := range chosen.Posts {
			if !c.Below(end) {
				d.enqueue(rv, c.Post)
			}
		}
		for i := rv.find(at); i < len(rv.order) && !rv.order[i].cursor.Below(end); i++ {
			d.enqueue(rv, rv.order[i].post.facts.ID)
		}
	}
	rd.swept, rd.sweepDone = &end, end == floor
	return nil
}

// readable returns those timelines of a river that its viewer may read.
func (d *draft) readable(rv *river) map[timeline.TimelineID]bool {
	sets, wants := d.setsOf(rv.key.Viewer), d.wantsOf(rv)
	found := make(map[timeline.TimelineID]bool, len(wants))
	for id := range wants {
		if t, known := d.timeline(id); known && d.access().feeds(sets, t) {
			found[id] = true
		}
	}
	return found
}
