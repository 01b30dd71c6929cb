package river

import "amstel.dev/amstel/timeline"

// News is how much of a living river stands above a place, without what is no
// news to its viewer: what he did himself, and what he hides.
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
	if rv == nil || !rv.upToDate() || mayOpen(n.st, rv) != nil {
		return News{}, false
	}
	var news News
	for _, e := range rv.order {
		if !place.Below(e.cursor) {
			return news, true
		}
		if e = n.st.currentEntry(rv, e); e == nil || e.hidden {
			continue
		}
		fold := e.fold
		if fold == nil {
			fold = e.post.fold
		}
		switch posted, moved := newsOf(fold, key.Viewer, place); {
		case posted:
			news.Posts++
		case moved:
			news.Moved++
		}
	}
	news.More = !rv.finished
	return news, true
}

// newsOf says what a post that stands above a place is to its viewer: published
// since by another, or brought up by another. What nobody commented on since
// was lifted there.
func newsOf(f *timeline.Fold, viewer timeline.UserID, place timeline.Cursor) (posted, moved bool) {
	by, talked := TalkedSince(f, place)
	if place.Below(timeline.Cursor{FreshAt: f.Text.PublishedAt.UnixMilli(), Post: f.Post}) {
		posted = f.Author != viewer
		return posted, !posted && talked && by != viewer
	}
	return false, !talked || by != viewer
}

// TalkedSince is who commented last on a post, if that was after a place.
func TalkedSince(f *timeline.Fold, place timeline.Cursor) (by timeline.UserID, ok bool) {
	n := len(f.Comments.Comments)
	if n == 0 {
		return 0, false
	}
	last := &f.Comments.Comments[n-1]
	return last.User, last.CreatedAt.UnixMilli() > place.FreshAt
}
