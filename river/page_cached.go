package river

import "amstel.dev/amstel/timeline"

// CacheKey answers the Epoch and Changed that [Node.Visit] would answer of a page,
// and counts as a visit, without composing what the page shows; false where
// only a visit can tell. Whoever keeps what was made of a page needs no more to
// know that it is still good.
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
		return "", 0, false // there is no page of a post that may not be seen
	}
	rv.visited.Store(n.now())
	return rv.epoch, changed, true
}
