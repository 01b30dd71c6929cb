package river

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"amstel.dev/amstel/timeline"
)

// When what a viewer may see, follows or does changes, each of his rivers is
// brought in line with it, whatever the change was, and however many came one
// after the other: "as of now", never "add" or "remove". The river's version
// rises, what feeds it is replaced, and it is swept from the top: a chunk of it
// a turn, the entries that it has and those that it should have are decided
// again. How far the sweep came is kept, so a restart goes on from there.
//
// An entry that is not confirmed yet is decided when it is shown, by the sets of
// now: what the change took away is gone at once. What it brings comes with the
// sweep.

// confirmed says whether an entry was decided since the river's viewer changed.
func (rv *river) confirmed(e *entry) bool {
	return rv.stale == 0 || e.version == rv.version || !e.cursor.Below(rv.swept)
}

// flipped says whether the access of a place of a post changed since its entry was
// last decided: a job will come to it.
func (st *state) accessChangedSince(e *entry) bool {
	return st.lastAccessAt > e.decided && slices.ContainsFunc(e.post.facts.Places, func(id timeline.TimelineID) bool { return st.accessAt[id] > e.decided })
}

// now decides an entry that may not be confirmed, by the state alone. Nil: it is
// not to be shown, or only after its own fold was read.
func (st *state) currentEntry(rv *river, e *entry) *entry {
	f := e.post.facts
	if rv.confirmed(e) && !st.accessChangedSince(e) {
		if !mayRead(st, st.setsOf(rv.key.Viewer), f) {
			return nil
		}
		return e
	}
	fresh := decide(st, rv, f)
	if fresh == nil || !slices.Equal(bannedIn(st.setsOf(rv.key.Viewer), f), e.without) {
		return nil
	}
	fresh.fold, fresh.hash, fresh.without, fresh.post = e.fold, e.hash, e.without, e.post // hits are of the words, which are the same
	fresh.own = ownHash(st, rv, fresh, f)
	return fresh
}

// told is the counter at which what is shown of an entry last changed. What it is
// held against is what was shown when it was last decided: where the viewer's
// sets changed twice since, it may have been told otherwise in between.
func (st *state) shownChangedAt(rv *river, e *entry, now *entry) int64 {
	changed := e.changed
	if at := e.post.sharedChangedAt(rv); e.fold == nil && at > e.known {
		changed = max(changed, at)
	}
	if e.post.touched > changed && now != nil {
		changed = max(changed, st.cardsChangedAt(rv, now))
	}
	if st.lastAccessAt > changed {
		changed = max(changed, st.accessChangedAt(e, now))
	}
	if !rv.confirmed(e) && (now == nil || now.own != e.own || rv.staleTwice) {
		changed = max(changed, rv.stale)
	}
	return changed
}

// sweepRivers is how many rivers a turn sweeps a chunk of. One of them is the open
// river that waits longest, and one the closed river that does, however many are
// asked for.
const sweepRivers = 5

// viewer routes a change of somebody's sets. What waits for his answer, or for
// others', is in no river, and posts that he hides are decided one by one.
func (r *router) routeViewer(v *viewer) {
	was, now := v.sets, r.draft.setsOf(v.sets.User)
	alike := seesAlike(was, now)
	for rv := range v.rivers {
		if !alike || !homesAlike(rv.key, was, now) {
			r.startSweep(rv)
			continue
		}
		r.draft.of(rv).changed = true // the page says what waits
		for _, list := range []map[timeline.PostID]bool{was.HiddenPosts, now.HiddenPosts} {
			for post := range list {
				if rv.entries[post] != nil && was.HiddenPosts[post] != now.HiddenPosts[post] {
					r.decideOrMark(rv, post)
				}
			}
		}
	}
}

// seesAlike says whether two sets decide alike about all posts, but for whether
// they are marked as hidden, and for what homes are made of.
func seesAlike(a, b *timeline.Sets) bool {
	bare := func(s timeline.Sets) timeline.Sets {
		s.Requested, s.Invited, s.Incoming, s.HiddenPosts = nil, nil, 0, nil
		s.Muted, s.Lists, s.OwnLeftOut = nil, nil, false // what homes are made of: see homesAlike
		return s
	}
	return reflect.DeepEqual(bare(*a), bare(*b))
}

// renew has a river swept from the top.
func (r *router) startSweep(rv *river) {
	d := r.draft
	rd := d.of(rv)
	if kinds[rv.key.What].fedBySets() {
		rd.wants = homeOf(rv.key, d.setsOf(rv.key.Viewer))
	}
	if mayOpen(d, rv) != nil {
		rd.dropped = true
		return
	}
	rd.sweepStarted, rd.changed, rd.sweepDone = true, true, false
	rd.swept = new(timeline.Top)
	// Of a river that nobody has open a chunk is kept: to sweep more would cost
	// more than to build it again.
	if most := r.node.cfg.Settings.chunk; !rv.open() && len(rv.order) > most && rd.floor == nil {
		floor := rv.order[most-1].cursor
		rd.floor, rd.finished = &floor, false
	}
}

// sweeps takes the next chunk of rivers that are being swept: of the open one and
// the closed one that wait longest, then of those that visitors wait for, then of
// other open ones.
func (r *router) sweeps(ctx context.Context, sn *timeline.Snapshot) error {
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
	for _, rv := range todo[:min(len(todo), sweepRivers)] {
		if err := r.sweep(ctx, sn, rv); err != nil {
			return err
		}
	}
	return nil
}

// sweep takes the next chunk of one river.
func (r *router) sweep(ctx context.Context, sn *timeline.Snapshot, rv *river) error {
	d := r.draft
	rd := d.of(rv)
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
		chosen, err := sn.Choose(ctx, d.choice(rv), at, chunk)
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

// readable are the timelines that feed a river and that its viewer may read.
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
