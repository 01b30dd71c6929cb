package river

import "amstel.dev/amstel/timeline"

// Stamp answers the Epoch and Changed that [Node.Visit] would answer of a page,
// and counts as a visit, without composing what the page shows; false where
// only a visit can tell. Whoever keeps what was made of a page needs no more to
// know that it is still good.
func (n *Node) Stamp(key Key, at At) (epoch string, changed int64, ok bool) {
	if n.sealed.Load() || n.Age() > n.cfg.Settings.Blind {
		return "", 0, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	rv := n.st.byKey[key]
	if rv == nil || !rv.right() || len(n.st.jobs) > 0 || n.st.mayOpen(rv) != nil {
		return "", 0, false
	}
	if changed, ok = n.st.stamp(rv, at); ok {
		rv.visited.Store(n.now())
	}
	return rv.epoch, changed, ok
}

// stamp goes over a page as [state.view] does.
func (st *state) stamp(rv *river, at At) (changed int64, whole bool) {
	viewer := st.viewers[rv.key.Viewer]
	changed = max(rv.changed, viewer.changed)
	want := at.Skip + at.count()
	i := rv.find(at.above())
	if i < len(rv.order) && rv.order[i].cursor == at.above() {
		i++
	}
	shown := 0
	for ; i < len(rv.order) && shown < want; i++ {
		e := rv.order[i]
		changed = max(changed, e.changed, e.post.changed)
		if viewer.sets.MayRead(e.post.facts.Deciding(), st.timeline) {
			shown++
		}
	}
	if k, has := st.users[timeline.UserID(rv.key.TheirID)]; has && kinds[rv.key.What].gate == timeline.WhatUser {
		changed = max(changed, k.changed)
	}
	if k, has := st.groups[timeline.GroupID(rv.key.TheirID)]; has && rv.key.What == KindGroup {
		changed = max(changed, k.changed)
	}
	if shown == 0 && kinds[rv.key.What].single {
		return 0, false // there is no page of what may not be seen
	}
	return changed, rv.finished || shown == want && i < len(rv.order)
}
