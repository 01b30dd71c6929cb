package river

// install adds finished builds to the draft of a turn. The turn's snapshot is
// younger than the builds' snapshots. Everything that turns read since a build was
// registered is read again in the turn's snapshot, and every entry is decided
// again, so that the river shows the turn's state and not the build's. A build ends
// only when the turn is published: the turn may fail, and until then turns note
// further changes in the build.
//
// For example, a build read a post that was edited before this turn began. A turn
// has noted the edit in the build, so this turn reads the post again and decides it
// by the new facts.
func (n *Node) install(d *draft, built []*build) {
	for _, b := range built {
		b.err = n.installOne(d, b)
	}
}

// installOne adds one finished build to the draft. It returns errAgain if changes overtook the
// build so that reading the changed values again would not be enough, and ErrGone if the river
// ended.
func (n *Node) installOne(d *draft, b *build) error {
	if b.dirty.spoilt || n.full.Load() {
		return errAgain
	}
	// A build has read all timelines on which its decisions rest, except for a search: the
	// primary leaves out posts that the viewer may not read, so the build never reads the
	// timelines of these posts.
	overtaken := b.dirty.viewers[b.key.Viewer] || kinds[b.key.What].search && len(b.dirty.access) > 0
	for id := range b.dirty.access {
		_, read := b.draft.timelines[id]
		overtaken = overtaken || read
	}
	if overtaken {
		return errAgain
	}
	if b.made.sorted != orderOf(d, b.key) {
		return errAgain // the site's order has changed since
	}
	rv, st := b.rv, n.st
	result := b.draft.rivers[b.made]
	switch {
	case rv == nil: // the first build
		if st.byKey[b.key] != nil {
			return nil
		}
		st.lastID++
		rv = b.made
		rv.id, rv.created = st.lastID, n.now()
		rv.visited.Store(rv.created)
		rv.ahead.Store(b.ahead)
		rd := d.riverDraft(rv)
		rd.made, rd.floor, rd.finished = true, result.floor, result.finished
		rd.visited = rv.created
		if _, has := st.viewers[b.key.Viewer]; !has && d.sets[b.key.Viewer] == nil {
			d.sets[b.key.Viewer] = b.draft.sets[b.key.Viewer]
		}
	case st.rivers[rv.id] != rv || d.riverDraft(rv).dropped:
		return ErrGone
	default: // below the floor
		rd := d.riverDraft(rv)
		// A sweep that begins in this turn may raise the floor above b.from. The entries in
		// between would then wrongly count as swept.
		if rv.finished || rv.floor != b.from || rv.stale != 0 || rd.sweepStarted {
			return errAgain
		}
		rd.floor, rd.finished = result.floor, result.finished
	}
	n.merge(d, b)
	for post, m := range b.draft.matches[b.made] {
		if !b.dirty.posts[post] {
			d.knowMatch(rv, post, m)
		}
	}
	for post := range b.draft.facts {
		d.enqueue(rv, post)
	}
	for post := range b.dirty.posts {
		d.enqueue(rv, post)
	}
	return nil
}

// merge adds the values that a build read to the draft, unless the node has them
// already or read a change of them since.
func (n *Node) merge(d *draft, b *build) {
	st := n.st
	for id, t := range b.draft.timelines {
		if _, has := d.timeline(id); !has {
			d.timelines[id] = t
		}
	}
	for post, f := range b.draft.facts {
		if b.dirty.posts[post] {
			continue // the turn reads the post again
		}
		if h := st.held[post]; h != nil {
			if all := b.draft.alls[post]; all != nil && h.all == nil && d.alls[post] == nil {
				d.alls[post] = all
			}
			continue
		}
		if _, has := d.facts[post]; has {
			continue
		}
		d.facts[post] = f
		if fold := b.draft.folds[post]; fold != nil {
			d.folds[post] = fold
		}
		if all := b.draft.alls[post]; all != nil {
			d.alls[post] = all
		}
	}
	for id, c := range b.draft.users {
		if _, has := st.users[id]; !has && d.users[id] == nil && !b.dirty.users[id] {
			d.users[id] = c
		}
	}
	for id, c := range b.draft.groups {
		if _, has := st.groups[id]; !has && d.groups[id] == nil && !b.dirty.groups[id] {
			d.groups[id] = c
		}
	}
}
