package river

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A job is the work that a change of a timeline's access leaves for later turns,
// since the timeline may hold fifty thousand posts. Nothing wrong is shown before
// the job is done: every entry is tested against the current access when it is
// shown, so a timeline with tightened access is closed at once. If there are
// several jobs, each turn works on the next one, a chunk at a time.
type job struct {
	kind     jobKind
	timeline timeline.TimelineID
	since    int64           // the counter at which the job began
	at       timeline.Cursor // the job is done for all posts at or above this cursor

	pending []timeline.PostID // of a recheck: the posts left to decide, newest first
	known   bool              // whether pending was computed
}

type jobKind string

const (
	// A walk goes through a timeline that opened to more viewers, newest post first,
	// and decides each post in every river that the post may enter now. For
	// example, when a private feed of 300 posts becomes public, three turns of 100
	// posts each let the posts into the rivers of their new readers.
	jobWalk jobKind = "walk"
	// A recheck goes through the held posts of a timeline, and decides each post again in its
	// rivers.
	jobRecheck jobKind = "sweep" // the name that river DBs have had for rechecks from the start
)

// replaceJobs queues jobs for a timeline. They replace earlier jobs of the same kinds, which
// would visit the same posts. A walk under way continues if only a recheck is queued: a timeline
// that was closed and opened again within one turn has its earlier access again, and the walk
// still has to reach its end.
func (r *router) replaceJobs(id timeline.TimelineID, kinds ...jobKind) {
	d := r.draft
	d.log.jobs = slices.DeleteFunc(slices.Clone(d.log.jobs), func(j job) bool { return j.timeline == id && slices.Contains(kinds, j.kind) })
	for _, kind := range kinds {
		d.log.jobs = append(d.log.jobs, job{kind: kind, timeline: id, since: d.counter, at: timeline.Top})
	}
}

// jobRoom returns how many entries a job may decide or mark in a turn, beside those
// that the turn's changes concern. Each costs much less than reading a post.
func (r *router) jobRoom() int { return 20 * r.node.cfg.Settings.chunk }

// runJob works off one chunk of the first job in the queue, and moves the job to the end
// of the queue if work is left.
func (r *router) runJob(ctx context.Context, sn *timeline.Snapshot, choose chooser) error {
	d := r.draft
	if len(d.log.jobs) == 0 {
		return nil
	}
	j, rest := d.log.jobs[0], slices.Clone(d.log.jobs[1:])
	var more bool
	var err error
	switch j.kind {
	case jobWalk:
		more, err = r.walk(ctx, sn, choose, &j)
	case jobRecheck:
		more = r.recheckHeld(&j)
	}
	if err != nil {
		return err
	}
	if more {
		rest = append(rest, j)
	}
	d.log.jobs = rest
	return nil
}

// walk decides the next posts of a timeline in the rivers that do not hold them.
// The recheck that was queued with the walk decides the others.
func (r *router) walk(ctx context.Context, sn *timeline.Snapshot, choose chooser, j *job) (more bool, err error) {
	chunk := r.node.cfg.Settings.chunk
	chosen, err := choose(timeline.Choice{Timelines: map[timeline.TimelineID]bool{j.timeline: true}}, j.at, chunk)
	if err != nil {
		return false, err
	}
	found := chosen.Posts
	for _, c := range found {
		if !r.draft.factsKnown(c.Post) {
			r.draft.need.facts[c.Post] = true
		}
	}
	if err := r.draft.fillFacts(ctx, sn); err != nil {
		return false, err
	}
	if err := r.matchAll(ctx, sn, postsAt(found)); err != nil {
		return false, err
	}
	for room := r.routed + r.jobRoom(); len(found) > 0 && r.routed < room; found = found[1:] {
		r.admit(found[0].Post)
		j.at = found[0]
	}
	return (len(found) > 0 || chosen.Low != timeline.Cursor{}) && !j.at.Below(r.node.st.lowest()), nil
}

// admit enqueues a post in the rivers that the post may enter.
func (r *router) admit(post timeline.PostID) {
	d, st := r.draft, r.node.st
	f := d.factsOf(post)
	if f == nil {
		return
	}
	d.begin("let in", post)
	enters := func(rivers map[*river]bool) {
		for rv := range rivers {
			if st.entryOf(rv, post) == nil && d.mayHold(rv, f) {
				r.decideOrMark(rv, post)
			}
		}
	}
	for _, id := range f.In {
		enters(st.fed[id])
	}
	enters(st.single[post])
	for rv := range st.search {
		if _, matches := matching(d, rv, d.setsOf(rv.key.Viewer), f); matches && st.entryOf(rv, post) == nil && d.mayHold(rv, f) {
			r.decideOrMark(rv, post)
		}
	}
	d.handling = nil
}

// lowest returns the lowest floor of all rivers. No river holds a post below it.
func (st *state) lowest() timeline.Cursor {
	low := timeline.Top
	for _, rv := range st.rivers {
		if rv.finished || !rv.comparable() {
			return timeline.Cursor{}
		}
		if rv.floor.Below(low) {
			low = rv.floor
		}
	}
	return low
}

// comparable reports whether the river's order agrees with the order of a walk, which goes down by
// freshness: whether every entry above a cursor of the river is also fresher than the cursor, so
// that a walk at the cursor has passed the entry. The order of publication agrees too, because a
// post is at least as fresh as its publication.
func (rv *river) comparable() bool {
	return rv.sorted == timeline.OrderFresh || rv.sorted == timeline.OrderCreated
}

// recheckHeld decides or marks the next held posts of a timeline in the rivers that hold them.
func (r *router) recheckHeld(j *job) (more bool) {
	st := r.node.st
	if !j.known {
		j.pending, j.known = st.heldIn(j.timeline, j.at), true
	}
	for room := r.routed + r.jobRoom(); len(j.pending) > 0 && r.routed < room; j.pending = j.pending[1:] {
		post := j.pending[0]
		h := st.held[post]
		if h == nil {
			continue
		}
		j.at = h.facts.Cursor()
		for rv := range h.entries {
			r.decideOrMark(rv, post)
		}
		for rv := range st.single[post] {
			r.decideOrMark(rv, post)
		}
	}
	return len(j.pending) > 0
}

// heldIn returns the held posts of a timeline below a cursor, newest first.
func (st *state) heldIn(id timeline.TimelineID, below timeline.Cursor) []timeline.PostID {
	var at []timeline.Cursor
	for _, h := range st.held {
		if c := h.facts.Cursor(); c.Below(below) && slices.Contains(h.facts.Places, id) {
			at = append(at, c)
		}
	}
	slices.SortFunc(at, timeline.Cursor.Compare)
	return postsAt(at)
}

// walked reports whether no walk can still add an entry to a river at or above low:
// each walk has come down to low, or began before the river was made or last swept.
// A page that ends at low then shows all posts that the walks let in.
func (st *state) walked(rv *river, low timeline.Cursor) bool {
	if !rv.comparable() {
		low = timeline.Cursor{}
	}
	return !slices.ContainsFunc(st.jobs, func(j job) bool {
		return j.kind == jobWalk && low.Below(j.at) && j.since > rv.sweptSince
	})
}
