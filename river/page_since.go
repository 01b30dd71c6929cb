package river

import "amstel.dev/amstel/timeline"

// A News counts the entries of a living river above a cursor. It leaves out entries that are no
// news to the viewer: the viewer's own actions, and posts that the viewer hides.
type News struct {
	Posts int  // posts that were published since
	Moved int  // older posts that came up since
	More  bool // the river holds no entry at or below the cursor, so there may be more news
}

// Since counts the entries of a living river above a cursor, as far as the viewer may see them.
// It returns false if the river is not in memory or is not up to date.
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
		fold := e.rest().fold
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

// newsOf reports whether a post above a cursor counts as posted, because another
// person published it since, or as moved, because another person brought it up. A
// post without a comment since then was lifted by a like.
func newsOf(f *timeline.Fold, viewer timeline.UserID, place timeline.Cursor) (posted, moved bool) {
	by, talked := TalkedSince(f, place)
	if place.Below(timeline.Cursor{FreshAt: f.Text.PublishedAt.UnixMilli(), Post: f.Post}) {
		posted = f.Author != viewer
		return posted, !posted && talked && by != viewer
	}
	return false, !talked || by != viewer
}

// TalkedSince returns the author of the last comment on a post, if the comment was
// written after the time of a cursor.
func TalkedSince(f *timeline.Fold, place timeline.Cursor) (by timeline.UserID, ok bool) {
	n := len(f.Comments.Comments)
	if n == 0 {
		return 0, false
	}
	last := &f.Comments.Comments[n-1]
	return last.User, last.CreatedAt.UnixMilli() > place.FreshAt
}
