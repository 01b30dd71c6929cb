package river

import "amstel.dev/amstel/timeline"

// A CacheKey is everything on which the content of a page depends, as far as the node knows. Two pages with the same
// address and the same key look the same.
type CacheKey struct {
	Epoch   string // of the river
	Changed int64  // the counter at which anything on the page last changed
	Unread  Unread // what the viewer has not read
	// Versions is the sum of the versions of the entries. A version rises with every event on a post, even an event of
	// which the viewer is shown nothing, and so may rise while nothing else of the page changes.
	Versions int
	// Followed is the counter at which the sets of any person last changed, as when a person follows another. A page that
	// tells which people follow the viewer depends on the counter.
	Followed int64
}

// CacheKey returns the key of the page.
func (v *View) CacheKey() CacheKey {
	versions := 0
	for i := range v.Entries {
		if f := v.Entries[i].Fold; f != nil { // an entry that can't be drawn may lack a fold
			versions += f.Version
		}
	}
	return CacheKey{v.Epoch, v.Changed, v.Unread, versions, v.followed}
}

// CacheKey returns the key of the page that [Node.Visit] would return, with the viewer's sets,
// and counts as a visit, but does not compose the page. A caller that keeps
// rendered pages compares keys to find out whether a kept page is still
// right. CacheKey returns false if the page must be visited to know its key.
func (n *Node) CacheKey(key Key, at At) (k CacheKey, sets *timeline.Sets, ok bool) {
	if n.sealed() || n.Age() > n.cfg.Settings.Blind {
		return CacheKey{}, nil, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	rv := n.st.byKey[key]
	if rv == nil || len(rv.marks) > 0 || mayOpen(n.st, rv) != nil {
		return CacheKey{}, nil, false
	}
	entries, changed, whole, _ := n.st.page(rv, key.part(at))
	var low timeline.Cursor
	if n := len(entries); n > 0 {
		low = entries[n-1].cursor
	}
	if !n.st.settledDownTo(rv, low) || !whole || len(entries) == 0 && kinds[key.What].single {
		return CacheKey{}, nil, false // the viewer may not see the post, so it has no page
	}
	rv.visited.Store(n.now())
	if len(entries) > 0 {
		rv.reach.note(rv.find(low)+1, n.now())
	}
	n.reachedAhead(rv)
	versions := 0
	for _, e := range entries {
		versions += e.post.fold.Version
	}
	return CacheKey{rv.epoch, changed, n.st.unread(key.Viewer), versions, n.st.followed}, n.st.viewers[key.Viewer].sets, true
}
