package river

import "amstel.dev/amstel/timeline"

// News is how much of a living river stands above a place.
type News struct {
	Posts int  // that were published since
	Moved int  // that were there before, and came up
	More  bool // the river holds nothing at the place or below it: there may be more
}

// Since counts what a living river has above a place, of what its viewer may
// see; false: it does not live, or is not right now.
func (n *Node) Since(key Key, place timeline.Cursor) (News, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	rv := n.st.byKey[key]
	if rv == nil || !rv.right() || mayOpen(n.st, rv) != nil {
		return News{}, false
	}
	var news News
	for _, e := range rv.order {
		if !place.Below(e.cursor) {
			return news, true
		}
		switch {
		case n.st.now(rv, e) == nil:
		case e.post.facts.ID.Cursor().FreshAt > place.FreshAt:
			news.Posts++
		default:
			news.Moved++
		}
	}
	news.More = !rv.finished
	return news, true
}
