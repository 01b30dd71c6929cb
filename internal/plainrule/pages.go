package plainrule

import (
	"cmp"
	"slices"
)

// An Entry is a post on a page. Reasons are the timelines that brought the post there: for
// each kind the ids of their owners, sorted. Entries are in descending order of Place.
type Entry struct {
	Post    *Post
	Reasons map[string][]int64
	Place   int64
}

// sorted sorts entries. Of entries with the same place the newest post is first.
func sorted(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Place, a.Place), cmp.Compare(b.Post.ID, a.Post.ID))
	})
}

// page returns the posts that the viewer may read and for which why returns a reason, in
// the order of rivers: by freshness (docs/kinds.md), and then by id.
func (s *Site) page(v int64, why func(*Post) map[string][]int64) (entries []Entry) {
	for _, p := range s.Posts {
		if !s.MayRead(v, p) {
			continue
		}
		if reasons := why(p); len(reasons) > 0 {
			for _, ids := range reasons {
				slices.Sort(ids)
			}
			entries = append(entries, Entry{p, reasons, p.Fresh()})
		}
	}
	sorted(entries)
	return entries
}

// isIn reports whether a post belongs in a timeline: in a base timeline because its author put
// it there, in a filter timeline because of what people did.
func (s *Site) isIn(p *Post, f *Feed) bool {
	switch f.What {
	case "user_discussions":
		return p.Author == f.Their || slices.ContainsFunc(p.Comments, func(c *Comment) bool { return c.Author == f.Their })
	case "mentions":
		return slices.ContainsFunc(s.Mentions(p), func(m Mention) bool { return m.User == f.Their })
	case "hashtag":
		return slices.Contains(Tags(p.Text), s.Hashtags[f.Their])
	case "user_likes":
		return slices.ContainsFunc(p.Likes, func(l Like) bool { return l.User == f.Their })
	case "user_comments":
		return slices.ContainsFunc(p.Comments, func(c *Comment) bool { return c.Author == f.Their })
	case "user_favs":
		return p.Favs[f.Their]
	}
	return slices.Contains(p.Places, f.ID)
}

// feedsPage returns a page with the posts of some timelines.
func (s *Site) feedsPage(v int64, feeds ...*Feed) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		reasons := make(map[string][]int64)
		for _, f := range feeds {
			if f != nil && s.isIn(p, f) {
				reasons[f.What] = append(reasons[f.What], f.Their)
			}
		}
		return reasons
	})
}

// PersonPage returns the posts of a person's page, and whether the viewer may open it.
//
// The page has the person's feed and their private sub-feed, each if the viewer may read
// it (docs/kinds.md). If the viewer may read neither feed, they can't open the page
// (checklist MO6). To the person themselves it has their posts for their own eyes, too.
func (s *Site) PersonPage(v, whose int64) (entries []Entry, open bool) {
	var feeds []*Feed
	for _, what := range []string{"user", "user_private", "user_fyeo"} {
		if f := s.Feed(what, whose); s.Opens(v, f) {
			feeds = append(feeds, f)
		}
	}
	if len(feeds) == 0 {
		return nil, false
	}
	return s.feedsPage(v, feeds...), true
}

// PhotosPage returns the posts of a person's page that have an image.
func (s *Site) PhotosPage(v, whose int64) (entries []Entry, open bool) {
	entries, open = s.PersonPage(v, whose)
	return withImage(entries), open
}

// GroupPhotosPage returns the posts of a group that have an image.
func (s *Site) GroupPhotosPage(v, group int64) (entries []Entry, open bool) {
	entries, open = s.GroupPage(v, group)
	return withImage(entries), open
}

// withImage returns the entries of posts with an image, without reasons, because a post is
// there for its files, and not for a timeline.
func withImage(entries []Entry) []Entry {
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !e.Post.hasFile("image") })
	for i := range entries {
		entries[i].Reasons = nil
	}
	return entries
}

// LikesPage returns the posts that a person likes. Only readers of the person's feed may
// open the page, and it has only posts that the viewer may read (checklist FF13).
func (s *Site) LikesPage(v, whose int64) (entries []Entry, open bool) {
	if !s.Opens(v, s.Feed("user", whose)) {
		return nil, false
	}
	return s.feedsPage(v, s.Feed("user_likes", whose)), true
}

// CommentsPage returns the posts that a person commented on.
//
// Checklist MO14: a private post that a person commented on is on the page of the
// person's comments for readers of the post only.
func (s *Site) CommentsPage(v, whose int64) (entries []Entry, open bool) {
	if !s.Opens(v, s.Feed("user", whose)) {
		return nil, false
	}
	return s.feedsPage(v, s.Feed("user_comments", whose)), true
}

// GroupPage returns the posts of a group, and whether the viewer may open its page.
func (s *Site) GroupPage(v, group int64) (entries []Entry, open bool) {
	f := s.Feed("group", group)
	if !s.Opens(v, f) {
		return nil, false
	}
	return s.feedsPage(v, f), true
}

// Directs returns the viewer's direct messages.
//
// Checklist FF16: directs are in the feeds of their sender and receivers only, and
// the page is the viewer's own.
func (s *Site) Directs(v int64) []Entry { return s.feedsPage(v, s.Feed("user_directs", v)) }

// FavsPage returns a person's own favourites. Others see the count (docs/access.md).
func (s *Site) FavsPage(v int64) []Entry { return s.feedsPage(v, s.Feed("user_favs", v)) }

// PostPage returns the entry of a post's own page, which has this post and no other (checklist MO5).
func (s *Site) PostPage(v int64, post int64) (e Entry, open bool) {
	p := s.Posts[post]
	return Entry{Post: p}, s.MayRead(v, p)
}
