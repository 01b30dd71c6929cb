package river

import "amstel.dev/amstel/timeline"

// postHidden reports whether a river is the page of a post that its viewer may not read now, as far
// as the state knows. The watch of such a page ends. When the page watches the river again, the
// post is decided first: the page then gets the post, or the reason why there is none.
func (st *state) postHidden(rv *river) bool {
	if !kinds[rv.key.What].single {
		return false
	}
	e := st.entryOf(rv, timeline.PostID(rv.key.TheirID))
	return e == nil || st.currentEntry(rv, e) == nil
}

// Viewer returns the current sets of the watched river's viewer. It returns false
// if the river may not be shown to the viewer now.
func (w *Watch) Viewer() (*timeline.Sets, bool) {
	w.node.mu.RLock()
	defer w.node.mu.RUnlock()
	if w.checkShown() != nil {
		return nil, false
	}
	return w.node.st.viewers[w.rv.key.Viewer].sets, true
}
