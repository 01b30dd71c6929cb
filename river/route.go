package river

import (
	"context"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A router says what the changes that a turn read touch: which posts are read
// again, which are decided in which rivers now (tier 1: open ones, and those
// asked for), and which are left as marks (tier 2).
type router struct {
	node  *Node
	draft *draft
	asked *asks
}

// jobChunk is how many posts a job looks at in a turn.
const jobChunk = 100

func (r *router) route(ctx context.Context, sn *timeline.Snapshot, news []timeline.Change) error {
	d, st := r.draft, r.node.st
	posts := make(map[timeline.PostID]*timeline.Change)
	viewers := make(map[timeline.UserID]bool)
	var access []timeline.TimelineID
	users := make(map[timeline.UserID]bool)
	groups := make(map[timeline.GroupID]bool)
	for _, c := range news {
		switch c.Kind {
		case timeline.ChangePost:
			one := posts[c.Post]
			if one == nil {
				one = &timeline.Change{Post: c.Post}
				posts[c.Post] = one
			}
			one.Moved = one.Moved || c.Moved
			one.Timelines = append(one.Timelines, c.Timelines...)
		case timeline.ChangeViewer:
			viewers[c.User] = true
		case timeline.ChangeAccess:
			access = append(access, c.Timelines...)
		case timeline.ChangeCard:
			users[c.User] = true
			groups[c.Group] = true
		}
	}
	// In one turn everything is decided by the sets and access of its snapshot,
	// so those are read first.
	if err := r.readSets(ctx, sn, viewers); err != nil {
		return err
	}
	if err := r.readAccess(ctx, sn, access); err != nil {
		return err
	}
	if err := r.readCards(ctx, sn, users, groups); err != nil {
		return err
	}
	if err := r.walkJobs(ctx, sn, posts); err != nil {
		return err
	}
	for post := range posts {
		d.needFacts[post] = true
	}
	r.workMarks()
	if err := d.fillFacts(ctx, sn); err != nil {
		return err
	}
	for _, c := range posts {
		r.post(c)
	}
	for viewer := range viewers {
		if v := st.viewers[viewer]; v != nil {
			r.viewer(v)
		}
	}
	return nil
}

// later decides a post in a river now if the river is open or asked for, else
// leaves a mark. An unmarked river whose viewer's change is being worked on is
// not shown before it is built again, so it needs neither.
func (r *router) later(rv *river, post timeline.PostID) {
	if rv.open() || r.asked.right[rv] {
		r.draft.task(rv, post)
		return
	}
	if f := r.node.cfg.faults.dropMark; f != nil && f() {
		return
	}
	r.draft.mark(rv, post)
}

// post routes a change of a post.
func (r *router) post(c *timeline.Change) {
	d, st := r.draft, r.node.st
	h := st.held[c.Post]
	f := d.factsOf(c.Post)
	if h != nil {
		d.needFold[c.Post] = true
		if h.all != nil {
			d.needAll[c.Post] = true
		}
		for rv := range h.rivers {
			e := rv.entries[c.Post]
			bans := len(st.viewers[rv.key.Viewer].sets.Bans) > 0 && (e.fold != nil || f != nil && len(meets(d.setsOf(rv.key.Viewer), f)) > 0)
			if c.Moved || bans || wantsAny(d.wantsOf(rv), c.Timelines) {
				r.later(rv, c.Post)
			}
		}
	}
	for rv := range st.single[c.Post] {
		if c.Moved || rv.entries[c.Post] == nil {
			r.later(rv, c.Post)
		}
	}
	if f == nil {
		return
	}
	feeds := c.Timelines
	if c.Moved {
		feeds = f.In // from below a floor it may rise above it
	}
	for _, id := range feeds {
		for rv := range st.fed[id] {
			if rv.entries[c.Post] != nil || d.holds(rv, f.Cursor()) {
				r.later(rv, c.Post)
			}
		}
	}
}

func wantsAny(wants map[timeline.TimelineID]bool, ids []timeline.TimelineID) bool {
	return slices.ContainsFunc(ids, func(id timeline.TimelineID) bool { return wants[id] })
}

// readSets reads the sets of viewers that changed, of those who have rivers.
func (r *router) readSets(ctx context.Context, sn *timeline.Snapshot, viewers map[timeline.UserID]bool) error {
	var living []timeline.UserID
	for v := range viewers {
		if r.node.st.viewers[v] != nil {
			living = append(living, v)
		}
	}
	if len(living) == 0 {
		return nil
	}
	sets, feeds, err := sn.Sets(ctx, living)
	if err != nil {
		return err
	}
	maps.Copy(r.draft.timelines, feeds)
	for v, s := range sets {
		r.draft.sets[v] = s
	}
	return nil
}

// viewer routes a change of somebody's sets: what his open rivers hold is
// decided again at once, and every river of his is built again before it is
// shown whole, for what may come in.
func (r *router) viewer(v *viewer) {
	d := r.draft
	for rv := range v.rivers {
		rd := d.of(rv)
		if kinds[rv.key.What].home {
			rd.wants = d.setsOf(rv.key.Viewer).Feeds
		}
		since := d.counter
		rd.stale = &since
		rd.changed = true
		if mayOpen(rv, d.setsOf(rv.key.Viewer), d.timeline) != nil {
			rd.dropped = true
			continue
		}
		if !rv.open() {
			continue
		}
		for post := range rv.entries {
			d.task(rv, post)
		}
	}
}

// readAccess routes changes of access: what is held is decided again, pages
// that may no longer be opened end, and a timeline that was loosened is walked,
// for posts that nobody holds.
func (r *router) readAccess(ctx context.Context, sn *timeline.Snapshot, ids []timeline.TimelineID) error {
	if len(ids) == 0 {
		return nil
	}
	d, st := r.draft, r.node.st
	slices.Sort(ids)
	ids = slices.Compact(ids)
	now, err := sn.Timelines(ctx, ids)
	if err != nil {
		return err
	}
	changed := make(map[timeline.TimelineID]bool, len(ids))
	for _, id := range ids {
		t, there := now[id]
		if !there {
			continue
		}
		was, known := st.timelines[id]
		d.timelines[id] = t
		changed[id] = true
		for rv := range st.fed[id] {
			sets := d.setsOf(rv.key.Viewer)
			if known && !sets.Readable(was) && sets.Readable(t) && rv.gate != id {
				since := d.counter
				d.of(rv).stale = &since
			}
		}
		switch {
		case !t.What.Base(), t.Access == timeline.AccessPrivate, t.Access == timeline.AccessOwner, t.Access == timeline.AccessClosed:
		case known && was.Access == timeline.AccessPublic && t.Access == timeline.AccessProtected: // tightened: nobody gains
		default:
			// One that is under way begins again: two would look at the same posts.
			others := slices.DeleteFunc(slices.Clone(d.done.jobs), func(j job) bool { return j.timeline == id })
			d.done.jobs = append(others, job{id, timeline.Top})
		}
	}
	for rv := range r.gated(changed) {
		if mayOpen(rv, d.setsOf(rv.key.Viewer), d.timeline) != nil {
			d.of(rv).dropped = true
		}
	}
	for post, h := range st.held {
		touches := slices.ContainsFunc(h.facts.In, func(id timeline.TimelineID) bool { return changed[id] }) ||
			slices.ContainsFunc(h.facts.Places, func(id timeline.TimelineID) bool { return changed[id] })
		if !touches {
			continue
		}
		d.touched[post] = true
		for rv := range h.rivers {
			r.later(rv, post)
		}
		for rv := range st.single[post] {
			r.later(rv, post)
		}
	}
	return nil
}

// gated are the rivers whose page is opened by one of the timelines.
func (r *router) gated(changed map[timeline.TimelineID]bool) map[*river]bool {
	found := make(map[*river]bool)
	for _, rv := range r.node.st.rivers {
		if changed[rv.gate] {
			found[rv] = true
		}
	}
	return found
}

// readCards reads changed cards that are shown, and touches what shows them.
func (r *router) readCards(ctx context.Context, sn *timeline.Snapshot, users map[timeline.UserID]bool, groups map[timeline.GroupID]bool) error {
	d, st := r.draft, r.node.st
	var us []timeline.UserID
	var gs []timeline.GroupID
	for u := range users {
		if _, has := st.users[u]; has {
			us = append(us, u)
		}
	}
	for g := range groups {
		if _, has := st.groups[g]; has {
			gs = append(gs, g)
		}
	}
	if len(us)+len(gs) == 0 {
		return nil
	}
	u, g, err := sn.Cards(ctx, us, gs)
	if err != nil {
		return err
	}
	for id, c := range u {
		d.users[id] = c
	}
	for id, c := range g {
		d.groups[id] = c
	}
	for post, h := range st.held {
		shows := false
		on := cardsOf{
			user:  func(id timeline.UserID) { shows = shows || d.users[id] != nil },
			group: func(id timeline.GroupID) { shows = shows || d.groups[id] != nil },
		}
		on.fold(h.fold)
		on.fold(h.all)
		on.places(h.facts, d.timeline)
		for rv := range h.rivers {
			e := rv.entries[post]
			on.fold(e.fold)
			on.reasons(e.reasons)
		}
		if shows {
			d.touched[post] = true
		}
	}
	return nil
}

// walkJobs takes the next chunk of the oldest job: its posts are routed as if
// they had moved.
func (r *router) walkJobs(ctx context.Context, sn *timeline.Snapshot, posts map[timeline.PostID]*timeline.Change) error {
	d := r.draft
	if len(d.done.jobs) == 0 {
		return nil
	}
	j := d.done.jobs[0]
	found, err := sn.Choose(ctx, map[timeline.TimelineID]bool{j.timeline: true}, j.at, jobChunk)
	if err != nil {
		return err
	}
	lowest := r.node.st.lowest()
	for _, c := range found {
		if posts[c.Post] == nil {
			posts[c.Post] = &timeline.Change{Post: c.Post}
		}
		posts[c.Post].Moved = true
	}
	rest := slices.Clone(d.done.jobs[1:])
	if len(found) == jobChunk && !found[jobChunk-1].Below(lowest) {
		rest = append([]job{{j.timeline, found[jobChunk-1]}}, rest...)
	}
	d.done.jobs = rest
	return nil
}

// lowest is the lowest floor of all rivers: nothing below it concerns anybody.
func (st *state) lowest() timeline.Cursor {
	low := timeline.Top
	for _, rv := range st.rivers {
		if rv.finished {
			return timeline.Cursor{}
		}
		if rv.floor.Below(low) {
			low = rv.floor
		}
	}
	return low
}

// workMarks decides what is marked in the rivers asked for, all of it, and in
// others as far as a turn's budget goes, oldest first.
func (r *router) workMarks() {
	n := r.node
	for rv := range r.asked.right {
		if n.st.rivers[rv.id] != rv {
			continue // it ended since
		}
		for post := range rv.marks {
			r.draft.task(rv, post)
		}
	}
	budget := n.cfg.Settings.Marks
	for i, rv := range n.queue {
		if n.st.rivers[rv.id] != rv {
			continue
		}
		for post := range rv.marks {
			if budget == 0 {
				r.draft.queue = n.queue[i:]
				return
			}
			r.draft.task(rv, post)
			budget--
		}
	}
}
