package river

import "amstel.dev/amstel/timeline"

// lost reports whether a river is the page of one post that its viewer may not
// read now. Watching such a page anew tells why: the post may only have to be
// decided first.
func (st *state) postHidden(rv *river) bool {
	if !kinds[rv.key.What].single {
		return false
	}
	e := rv.entries[timeline.PostID(rv.key.TheirID)]
	return e == nil || st.currentEntry(rv, e) == nil
}

// Viewer returns the sets by which the watched river's viewer reads now. It
// returns false where the river may not be shown to them now.
func (w *Watch) Viewer() (*timeline.Sets, bool) {
	w.node.mu.RLock()
	defer w.node.mu.RUnlock()
	if w.checkShown() != nil {
		return nil, false
	}
	return w.node.st.viewers[w.rv.key.Viewer].sets, true
}
