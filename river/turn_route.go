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

	routed int                      // in rivers that posts were decided or marked in
	unread map[timeline.UserID]bool // whose notices are to be counted
}

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
			// Of what was left out nothing is known: it is new, wherever it stands.
			out := r.node.quarantine.release(&c)
			one.Moved = one.Moved || c.Moved || out
			one.Worded = one.Worded || c.Worded
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
	for post, c := range posts {
		if st.mayConcern(c) {
			d.need.facts[post] = true
		} else {
			delete(posts, post)
		}
	}
	r.routeQuarantined()
	r.decideMarks()
	if err := d.fillFacts(ctx, sn); err != nil {
		return err
	}
	for _, c := range posts {
		r.routePost(c)
	}
	if err := r.routeSearches(ctx, sn, textChanged(posts)); err != nil {
		return err
	}
	r.recount(news)
	if err := r.runJob(ctx, sn); err != nil {
		return err
	}
	for viewer := range viewers {
		if v := st.viewers[viewer]; v != nil {
			r.routeViewer(v)
		}
	}
	for rv := range r.asked.resweep {
		walks := func(j job) bool { return j.kind == jobWalk && j.since > rv.sweptSince }
		if rd := d.rivers[rv]; st.rivers[rv.id] == rv && rv.stale == 0 && (rd == nil || !rd.sweepStarted && !rd.dropped) && slices.ContainsFunc(d.log.jobs, walks) {
			r.startSweep(rv)
		}
	}
	return r.sweeps(ctx, sn)
}

// concerned says whether a change of a post can be of any river: it is held, or
// has a page, or came to where it was not.
func (st *state) mayConcern(c *timeline.Change) bool {
	return c.Moved || c.Worded && len(st.search) > 0 || st.held[c.Post] != nil || st.single[c.Post] != nil ||
		slices.ContainsFunc(c.Timelines, func(id timeline.TimelineID) bool { return st.fed[id] != nil })
}

// post routes a change of a post, which is folded again where it is held.
func (r *router) routePost(c *timeline.Change) {
	if h := r.node.st.held[c.Post]; h != nil {
		r.draft.need.folds[c.Post] = true
		if h.all != nil {
			r.draft.need.alls[c.Post] = true
		}
	}
	r.routePlaces(c)
}

// place has a post decided wherever a change may have brought it, or taken it
// from.
func (r *router) routePlaces(c *timeline.Change) {
	d, st := r.draft, r.node.st
	f := d.factsOf(c.Post)
	if h := st.held[c.Post]; h != nil {
		for rv := range h.rivers {
			e := rv.entries[c.Post]
			sets := d.setsOf(rv.key.Viewer)
			own := e.fold != nil || hidesComments(sets, h.facts) || f != nil && (len(bannedIn(sets, f)) > 0 || hidesComments(sets, f))
			if c.Moved || own || wantsAny(d.wantsOf(rv), c.Timelines) {
				r.decideOrMark(rv, c.Post)
			}
		}
	}
	for rv := range st.single[c.Post] {
		if c.Moved || rv.entries[c.Post] == nil {
			r.decideOrMark(rv, c.Post)
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
		r.routeTo(id, f)
	}
	if c.Worded && !c.Moved { // somebody may be named whom another named before
		for _, m := range f.Mentions {
			if v := st.viewers[m.User]; v != nil {
				r.routeTo(v.sets.Own[timeline.WhatMentions], f)
			}
		}
	}
}

// fed has a post decided in the rivers that a timeline feeds, where it may stand.
func (r *router) routeTo(id timeline.TimelineID, f *timeline.Facts) {
	for rv := range r.node.st.fed[id] {
		if rv.entries[f.ID] != nil || r.draft.mayHold(rv, f) {
			r.decideOrMark(rv, f.ID)
		}
	}
}

// worded are the posts of which words or places changed, or which came up.
func textChanged(posts map[timeline.PostID]*timeline.Change) (changed []timeline.PostID) {
	for post, c := range posts {
		if c.Moved || c.Worded {
			changed = append(changed, post)
		}
	}
	return changed
}

// hides says whether somebody commented whose comments the viewer folded away.
func hidesComments(sets *timeline.Sets, f *timeline.Facts) bool {
	return len(sets.HiddenComments) > 0 && slices.ContainsFunc(f.Talkers, func(u timeline.UserID) bool { return sets.HiddenComments[u] })
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

// readAccess routes changes of access. What is held of such a timeline counts as
// changed in this turn, so whatever is shown from now on was tested against the
// access of now; a job decides it again. Pages that may no longer be opened end,
// and a timeline that was loosened is walked, for posts that nobody holds.
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
	for _, id := range ids {
		t, there := now[id]
		if !there {
			continue
		}
		was, known := st.timelines[id]
		d.timelines[id] = t
		if !t.What.Base() { // nothing is put there, but it may be why an entry is here
			for rv := range st.fed[id] {
				if sets := d.setsOf(rv.key.Viewer); known && sets.Readable(was) != sets.Readable(t) {
					r.startSweep(rv)
				}
			}
			continue
		}
		d.accessChanged = append(d.accessChanged, id)
		for rv := range st.fed[id] {
			if rv.query != nil { // it may ask for what is not in there, too
				r.startSweep(rv)
			}
		}
		// Where homes are lifted, a post that its author's feed brings no more may
		// come up by what a friend's like still does.
		if known && was.Access.Covers(t.Access) && !d.settings().Lift { // nobody gains
			r.replaceJobs(id, jobRecheck)
		} else {
			r.replaceJobs(id, jobRecheck, jobWalk)
		}
	}
	for _, id := range ids {
		for rv := range st.gated[id] {
			if mayOpen(d, rv) != nil {
				d.of(rv).dropped = true
			}
		}
	}
	return nil
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
		if r.showsReadCard(h) {
			d.touched[post] = true
		}
	}
	return nil
}

// shows says whether a held post shows a card that the draft read. All that are
// held are asked, so whose the post is, and who has anything to do with it, is
// looked at first.
func (r *router) showsReadCard(h *held) (shows bool) {
	d := r.draft
	on := cardVisitor{
		user:  func(id timeline.UserID) { shows = shows || d.users[id] != nil },
		group: func(id timeline.GroupID) { shows = shows || d.groups[id] != nil },
	}
	if on.visitPlaces(h.facts, d.timeline); shows {
		return true
	}
	if !slices.ContainsFunc([][]timeline.UserID{h.facts.Likers, h.facts.Talkers}, func(people []timeline.UserID) bool {
		for id := range d.users {
			if _, is := slices.BinarySearch(people, id); is {
				return true
			}
		}
		return false
	}) && !slices.ContainsFunc(h.facts.Mentions, func(m timeline.Mention) bool { return d.users[m.User] != nil }) {
		return false
	}
	on.visitFold(h.fold)
	on.visitFold(h.all)
	for rv := range h.rivers {
		if shows {
			break
		}
		e := rv.entries[h.facts.ID]
		on.visitFold(e.fold)
		on.visitReasons(e.reasons)
	}
	return shows
}
