package river

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A job is what a change of a timeline's access leaves for later turns: there
// may be fifty thousand posts in it. Until it is done nothing wrong is shown, as
// all that is shown is tested against the access of now: a timeline that was
// tightened is shut by that at once. Jobs take turns, a chunk each.
type job struct {
	kind     jobKind
	timeline timeline.TimelineID
	since    int64           // the counter at which it began
	at       timeline.Cursor // all above it, and it, is done

	pending []timeline.PostID // of a sweep: what is left, newest first; nil: not known yet
	known   bool              // that it is
}

type jobKind string

const (
	// A walk goes through a timeline that was loosened, newest first, and decides
	// its posts in every river that they may enter now.
	jobWalk jobKind = "walk"
	// A sweep goes through the posts of a timeline that are held, and decides
	// them again where they are.
	jobRecheck jobKind = "sweep"
)

// begin puts jobs for a timeline in the place of those of their kind under way,
// which would look at the same posts. A walk goes on where only a sweep begins: a
// timeline that was shut and opened again within one turn is as it was before.
func (r *router) replaceJobs(id timeline.TimelineID, kinds ...jobKind) {
	d := r.draft
	d.log.jobs = slices.DeleteFunc(slices.Clone(d.log.jobs), func(j job) bool { return j.timeline == id && slices.Contains(kinds, j.kind) })
	for _, kind := range kinds {
		d.log.jobs = append(d.log.jobs, job{kind: kind, timeline: id, since: d.counter, at: timeline.Top})
	}
}

// room is how many places in rivers, beside those that changes touched, a job may
// touch in a turn: one costs much less than a post that is read.
func (r *router) jobRoom() int { return 20 * r.node.cfg.Settings.chunk }

// workJob does a chunk of the job whose turn it is.
func (r *router) runJob(ctx context.Context, sn *timeline.Snapshot) error {
	d := r.draft
	if len(d.log.jobs) == 0 {
		return nil
	}
	j, rest := d.log.jobs[0], slices.Clone(d.log.jobs[1:])
	var more bool
	var err error
	switch j.kind {
	case jobWalk:
		more, err = r.walk(ctx, sn, &j)
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

// walk decides the next posts where they are not held: those that are, the sweep
// that began with it goes through.
func (r *router) walk(ctx context.Context, sn *timeline.Snapshot, j *job) (more bool, err error) {
	chunk := r.node.cfg.Settings.chunk
	chosen, err := sn.Choose(ctx, timeline.Choice{Timelines: map[timeline.TimelineID]bool{j.timeline: true}}, j.at, chunk)
	if err != nil {
		return false, err
	}
	found := chosen.Posts
	for _, c := range found {
		if !r.draft.knows(c.Post) {
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

// let has a post decided in the rivers that it may enter.
func (r *router) admit(post timeline.PostID) {
	d, st := r.draft, r.node.st
	f := d.factsOf(post)
	if f == nil {
		return
	}
	d.begin("let in", post)
	enters := func(rivers map[*river]bool) {
		for rv := range rivers {
			if rv.entries[post] == nil && d.mayHold(rv, f) {
				r.decideOrMark(rv, post)
			}
		}
	}
	for _, id := range f.In {
		enters(st.fed[id])
	}
	enters(st.single[post])
	for rv := range st.search {
		if _, matches := matching(d, rv, d.setsOf(rv.key.Viewer), f); matches && rv.entries[post] == nil && d.mayHold(rv, f) {
			r.decideOrMark(rv, post)
		}
	}
	d.handling = nil
}

// lowest is the lowest floor of all rivers: nothing below it concerns anybody.
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

// comparable says whether whatever stands above a place in the river is fresher
// than that place says, so that a walk in the order of what is fresh has come by
// it: what was published after a moment is fresher than it, too.
func (rv *river) comparable() bool {
	return rv.sorted == timeline.OrderFresh || rv.sorted == timeline.OrderCreated
}

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
		for rv := range h.rivers {
			r.decideOrMark(rv, post)
		}
		for rv := range st.single[post] {
			r.decideOrMark(rv, post)
		}
	}
	return len(j.pending) > 0
}

// heldIn lists the held posts of a timeline below a cursor, newest first.
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

// walked says whether every walk came down to a place in a river, or has nothing
// to say to it, as it was made, or swept that far, since the walk began: a page
// that reaches no lower shows all that was let in.
func (st *state) walked(rv *river, low timeline.Cursor) bool {
	if !rv.comparable() {
		low = timeline.Cursor{}
	}
	return !slices.ContainsFunc(st.jobs, func(j job) bool {
		return j.kind == jobWalk && low.Below(j.at) && j.since > rv.sweptSince
	})
}
