package river

import "amstel.dev/amstel/timeline"

// CacheKey returns the Epoch and Changed that [Node.Visit] would return for a page,
// and counts as a visit, but does not compose the page. A caller that keeps
// rendered pages compares these two values to find out whether a kept page is still
// right. CacheKey returns false if the page must be visited to know the two values.
func (n *Node) CacheKey(key Key, at At) (epoch string, changed int64, ok bool) {
	if n.sealed() || n.Age() > n.cfg.Settings.Blind {
		return "", 0, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	rv := n.st.byKey[key]
	if rv == nil || len(rv.marks) > 0 || mayOpen(n.st, rv) != nil {
		return "", 0, false
	}
	entries, changed, whole, _ := n.st.page(rv, key.part(at))
	var low timeline.Cursor
	if n := len(entries); n > 0 {
		low = entries[n-1].cursor
	}
	if !n.st.settledDownTo(rv, low) || !whole || len(entries) == 0 && kinds[key.What].single {
		return "", 0, false // the viewer may not see the post, so it has no page
	}
	rv.visited.Store(n.now())
	if len(entries) > 0 {
		rv.reach.note(rv.find(low)+1, n.now())
	}
	n.reachedAhead(rv)
	return rv.epoch, changed, true
}
