package river

import (
	"context"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A router finds what the changes of a turn concern: the posts to read again, the entries to
// decide in this turn (tier 1: in rivers that a page has open or a visit waits for), and the
// entries to mark for a later turn (tier 2).
type router struct {
	node  *Node
	draft *draft
	asked *asks

	routed int                      // entries decided or marked so far, counted once per river
	unread map[timeline.UserID]bool // viewers with unread notices to be counted again
}

// routedChanges are the changes of a turn, by their subjects.
type routedChanges struct {
	posts   map[timeline.PostID]*timeline.Change // all changes of a post in one
	viewers map[timeline.UserID]bool
	access  []timeline.TimelineID
	users   map[timeline.UserID]bool
	groups  map[timeline.GroupID]bool
}

// sortChanges returns the changes by their subjects, and releases quarantined posts that changed.
func (r *router) sortChanges(news []timeline.Change) *routedChanges {
	by := &routedChanges{
		posts: make(map[timeline.PostID]*timeline.Change), viewers: make(map[timeline.UserID]bool),
		users: make(map[timeline.UserID]bool), groups: make(map[timeline.GroupID]bool),
	}
	for _, c := range news {
		switch c.Kind {
		case timeline.ChangePost:
			one := by.posts[c.Post]
			if one == nil {
				one = &timeline.Change{Post: c.Post}
				by.posts[c.Post] = one
			}
			// The node holds nothing of a quarantined post, so a newly released post counts as
			// new in all its timelines.
			out := r.node.quarantine.release(&c)
			one.PlaceChanged = one.PlaceChanged || c.PlaceChanged || out
			one.TextChanged = one.TextChanged || c.TextChanged
			one.Timelines = append(one.Timelines, c.Timelines...)
		case timeline.ChangeViewer:
			by.viewers[c.User] = true
		case timeline.ChangeAccess:
			by.access = append(by.access, c.Timelines...)
		case timeline.ChangeCard:
			by.users[c.User] = true
			by.groups[c.Group] = true
		}
	}
	return by
}

// route routes the changes that a turn read. It reads the changed sets, access and cards first,
// because every decision of the turn uses them, and then decides or marks the posts.
func (r *router) route(ctx context.Context, sn *timeline.Snapshot, news []timeline.Change) error {
	d, st := r.draft, r.node.st
	by := r.sortChanges(news)
	d.followed = len(by.viewers) > 0

	if err := r.readSets(ctx, sn, by.viewers); err != nil {
		return err
	}
	if err := r.readAccess(ctx, sn, by.access); err != nil {
		return err
	}
	if err := r.readCards(ctx, sn, by.users, by.groups); err != nil {
		return err
	}
	for post, c := range by.posts {
		if st.mayConcern(c) {
			d.need.facts[post] = true
		} else {
			delete(by.posts, post)
		}
	}
	r.routeQuarantined()
	r.decideMarks()
	if err := d.fillFacts(ctx, sn); err != nil {
		return err
	}
	for _, c := range by.posts {
		r.routePost(c)
	}
	if err := r.routeSearches(ctx, sn, textChanged(by.posts)); err != nil {
		return err
	}
	r.recount(news)
	choose := func(c timeline.Choice, below timeline.Cursor, want int) (timeline.Chosen, error) {
		return sn.Choose(ctx, c, below, want)
	}
	if err := r.runJob(ctx, sn, choose); err != nil {
		return err
	}
	for viewer := range by.viewers {
		if v := st.viewers[viewer]; v != nil {
			r.routeViewer(v)
		}
	}
	r.resweep()
	return r.sweeps(choose)
}

// resweep begins to sweep the rivers that visits asked to have swept, if a walk may still add to them.
func (r *router) resweep() {
	d, st := r.draft, r.node.st
	for rv := range r.asked.resweep {
		walks := func(j job) bool { return j.kind == jobWalk && j.since > rv.sweptSince }
		if rd := d.rivers[rv]; st.rivers[rv.id] == rv && rv.stale == 0 && (rd == nil || !rd.sweepStarted && !rd.dropped) && slices.ContainsFunc(d.log.jobs, walks) {
			r.startSweep(rv)
		}
	}
}

// mayConcern reports whether a change of a post may concern any river: the post is
// held, has a page of its own, or came into a timeline that feeds a river.
func (st *state) mayConcern(c *timeline.Change) bool {
	return c.PlaceChanged || c.TextChanged && len(st.search) > 0 || st.held[c.Post] != nil || st.single[c.Post] != nil ||
		slices.ContainsFunc(c.Timelines, func(id timeline.TimelineID) bool { return st.fed[id] != nil })
}

// routePost routes a change of a post. A post that is held is folded again.
func (r *router) routePost(c *timeline.Change) {
	if h := r.node.st.held[c.Post]; h != nil {
		r.draft.need.folds[c.Post] = true
		if h.all != nil {
			r.draft.need.alls[c.Post] = true
		}
	}
	r.routePlaces(c)
}

// routePlaces decides or marks a post in every river that the post may have entered or left, or
// in which it may have moved.
func (r *router) routePlaces(c *timeline.Change) {
	d, st := r.draft, r.node.st
	f := d.factsOf(c.Post)
	if h := st.held[c.Post]; h != nil {
		for rv, e := range h.entries {
			sets := d.setsOf(rv.key.Viewer)
			own := e.rest().fold != nil || hidesComments(sets, h.facts) || f != nil && (len(bannedIn(sets, f)) > 0 || hidesComments(sets, f))
			if c.PlaceChanged || own || wantsAny(d.wantsOf(rv), c.Timelines) {
				r.decideOrMark(rv, c.Post)
			}
		}
	}
	for rv := range st.single[c.Post] {
		if c.PlaceChanged || st.entryOf(rv, c.Post) == nil {
			r.decideOrMark(rv, c.Post)
		}
	}
	if f == nil {
		return
	}
	feeds := c.Timelines
	if c.PlaceChanged {
		feeds = f.In // the post may have risen from below a floor to above it
	}
	for _, id := range feeds {
		r.routeTo(id, f)
	}
	if c.TextChanged && !c.PlaceChanged { // the new text may mention a person whom only another text of the post mentioned before
		for _, m := range f.Mentions {
			if v := st.viewers[m.User]; v != nil {
				r.routeTo(v.sets.Own[timeline.WhatMentions], f)
			}
		}
	}
}

// routeTo decides or marks a post in the rivers that a timeline feeds, if the post's place can
// be in the range of the river.
func (r *router) routeTo(id timeline.TimelineID, f *timeline.Facts) {
	for rv := range r.node.st.fed[id] {
		if r.node.st.entryOf(rv, f.ID) != nil || r.draft.mayHold(rv, f) {
			r.decideOrMark(rv, f.ID)
		}
	}
}

// textChanged returns the posts whose text or places changed.
func textChanged(posts map[timeline.PostID]*timeline.Change) (changed []timeline.PostID) {
	for post, c := range posts {
		if c.PlaceChanged || c.TextChanged {
			changed = append(changed, post)
		}
	}
	return changed
}

// hidesComments reports whether the viewer hides the comments of one of the commenters of
// the post.
func hidesComments(sets *timeline.Sets, f *timeline.Facts) bool {
	return len(sets.HiddenComments) > 0 && slices.ContainsFunc(f.Commenters, func(u timeline.UserID) bool { return sets.HiddenComments[u] })
}

func wantsAny(wants map[timeline.TimelineID]bool, ids []timeline.TimelineID) bool {
	return slices.ContainsFunc(ids, func(id timeline.TimelineID) bool { return wants[id] })
}

// readSets reads the changed sets of the viewers who have rivers.
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

// readAccess reads the new access of timelines, and routes the change.
func (r *router) readAccess(ctx context.Context, sn *timeline.Snapshot, ids []timeline.TimelineID) error {
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	now, err := sn.Timelines(ctx, ids)
	if err != nil {
		return err
	}
	r.routeAccess(ids, now)
	return nil
}

// routeAccess routes a change of the access of timelines. From now on every post in such a
// timeline is tested against the new access, so all held posts of the timeline count
// as changed in this turn. A job decides them again in later turns. Pages that their viewers
// may no longer open end at once. If any viewer may read more than before, a second job walks
// through the timeline, to find the posts that no river holds yet.
func (r *router) routeAccess(ids []timeline.TimelineID, now map[timeline.TimelineID]timeline.Timeline) {
	d, st := r.draft, r.node.st
	for _, id := range ids {
		t, there := now[id]
		if !there {
			continue
		}
		was, known := st.timelines[id]
		d.timelines[id] = t
		if !t.What.Base() { // a filter timeline has no posts of its own, but it can be the reason for an entry in a river
			for rv := range st.fed[id] {
				if sets := d.setsOf(rv.key.Viewer); known && sets.Readable(was) != sets.Readable(t) {
					r.startSweep(rv)
				}
			}
			continue
		}
		d.accessChanged = append(d.accessChanged, id)
		for rv := range st.fed[id] {
			// A search may also ask for posts that are not in the timeline. In a lifted
			// home a like may bring a post up that the timeline no longer brings.
			lost := func() bool { s := d.setsOf(rv.key.Viewer); return known && s.Readable(was) && !s.Readable(t) }
			if rv.query != nil || rv.sorted == timeline.OrderLifted && lost() {
				r.startSweep(rv)
			}
		}
		if known && was.Access.Covers(t.Access) { // no viewer may read more than before
			r.replaceJobs(id, jobRecheck)
		} else {
			r.replaceJobs(id, jobRecheck, jobWalk)
		}
	}
	for _, id := range ids {
		for rv := range st.gated[id] {
			if mayOpen(d, rv) != nil {
				d.riverDraft(rv).dropped = true
			}
		}
	}
}

// readCards reads the changed cards that the node holds, and notes which posts show
// one of them.
func (r *router) readCards(ctx context.Context, sn *timeline.Snapshot, users map[timeline.UserID]bool, groups map[timeline.GroupID]bool) error {
	st := r.node.st
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
	r.routeCards(u, g)
	return nil
}

// routeCards takes over changed cards, and notes that every post with one of these cards is shown
// differently.
func (r *router) routeCards(users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) {
	maps.Copy(r.draft.users, users)
	maps.Copy(r.draft.groups, groups)
	for post, h := range r.node.st.held {
		if r.showsReadCard(h) {
			r.draft.touched[post] = true
		}
	}
}

// showsReadCard reports whether a held post shows a card that the draft read. It is called for
// every held post, so it first checks the author, the places, the likers and the commenters,
// which is cheap, and the folds only if one of these is affected.
func (r *router) showsReadCard(h *held) (shows bool) {
	d := r.draft
	on := cardVisitor{
		user:  func(id timeline.UserID) { shows = shows || d.users[id] != nil },
		group: func(id timeline.GroupID) { shows = shows || d.groups[id] != nil },
	}
	if on.visitPlaces(h.facts, d.timeline); shows {
		return true
	}
	if !slices.ContainsFunc([][]timeline.UserID{h.facts.Likers, h.facts.Commenters}, func(people []timeline.UserID) bool {
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
	for _, e := range h.entries {
		if shows {
			break
		}
		on.visitFold(e.rest().fold)
		on.visitReasons(e.reasons)
	}
	return shows
}
