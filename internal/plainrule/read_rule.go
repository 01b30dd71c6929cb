package plainrule

import "slices"

// Apart reports whether a ban stands between two people.
//
// docs/bans.md: across a ban both people disappear for each other, everywhere.
func (s *Site) Apart(v, other int64) bool {
	return v != 0 && (s.Bans[[2]int64{v, other}] || s.Bans[[2]int64{other, v}])
}

// Gone reports whether another account is as if it did not exist for v. A person still finds
// an account that they banned, to be able to take the ban back. A person does not find an
// account that banned them.
func (s *Site) Gone(v, other int64) bool {
	return v != 0 && s.Bans[[2]int64{other, v}] && !s.Bans[[2]int64{v, other}]
}

// Opens reports whether a viewer may read a feed.
//
// A base feed is open or shut to a person as a whole (checklist FF3). A public feed is
// open to all viewers; a protected one to all signed-in viewers but an explicit set; a
// private one to an explicit set; directs, and posts for the owner's eyes only, to their
// owner. A private sub-feed is private also if the person is public or protected.
func (s *Site) Opens(v int64, f *Feed) bool {
	if f == nil {
		return false
	}
	status := ""
	if f.What == "group" {
		status = s.Groups[f.Their].Status
	} else {
		owner := s.People[f.Their]
		switch {
		case owner == nil || owner.Gone():
			return false
		case v == f.Their:
			return true
		case s.Apart(v, f.Their):
			return false
		}
		switch f.What {
		case "user":
			status = owner.Status
		case "user_private":
			status = "private"
		default:
			return false // for the owner's eyes only: also directs and favourites
		}
	}
	_, subscribes := f.Subscribers[v]
	switch status {
	case "public", "disallow-robots":
		return true
	case "protected":
		return v != 0 && !f.Excluded[v]
	case "private":
		return v != 0 && subscribes && !f.Excluded[v]
	}
	return false
}

// MayRead reports whether a viewer may read a post.
//
// docs/access.md, and checklist FF4: the author reads the post. Any other viewer reads it
// if at least one of its decisive timelines is readable to them, and no ban stands
// between them and the author. Posts of a deleted or suspended account have no
// readers.
func (s *Site) MayRead(v int64, p *Post) bool {
	if p == nil || p.withheld || s.People[p.Author] == nil || s.People[p.Author].Gone() {
		return false
	}
	if v != 0 && v == p.Author {
		return true
	}
	if s.Apart(v, p.Author) {
		return false
	}
	for _, place := range p.Places {
		if s.Opens(v, s.Feeds[place]) {
			return true
		}
	}
	return false
}

// VisiblePlaces returns the feeds of a post that may be named to a reader of the post: the feeds
// that the reader may read as well. An author sees all of them. The parties of a direct see
// each other, except across a ban.
func (s *Site) VisiblePlaces(v int64, p *Post) (known []*Feed) {
	party := false
	for _, place := range p.Places {
		f := s.Feeds[place]
		party = party || f.What == "user_directs" && (f.Their == v || p.Author == v)
	}
	for _, place := range p.Places {
		f := s.Feeds[place]
		switch {
		case f.What == "user_directs":
			if party && v != 0 && !s.Apart(v, f.Their) {
				known = append(known, f)
			}
		case v != 0 && v == p.Author, s.Opens(v, f):
			known = append(known, f)
		}
	}
	return known
}

// Comments returns the comments of a post that a viewer is shown, the oldest first.
//
// docs/bans.md: a ban hides comments, likes, comment likes, mentions and counts too.
func (s *Site) Comments(v int64, p *Post) (shown []*Comment) {
	for _, c := range p.Comments {
		if !s.Apart(v, c.Author) {
			shown = append(shown, c)
		}
	}
	slices.SortFunc(shown, func(a, b *Comment) int {
		if a.Created != b.Created {
			return int(a.Created - b.Created)
		}
		return int(a.ID - b.ID)
	})
	return shown
}

// Likes returns the likers of a post that are shown to a viewer, in the order of their likes.
func (s *Site) Likes(v int64, p *Post) (shown []int64) {
	all := slices.Clone(p.Likes)
	slices.SortFunc(all, func(a, b Like) int {
		if a.Created != b.Created {
			return int(a.Created - b.Created)
		}
		return int(a.User - b.User)
	})
	for _, like := range all {
		if !s.Apart(v, like.User) {
			shown = append(shown, like.User)
		}
	}
	return shown
}

// Favs returns how many favourites of a post a viewer is shown.
func (s *Site) Favs(v int64, p *Post) (n int) {
	for user := range p.Favs {
		if !s.Apart(v, user) {
			n++
		}
	}
	return n
}

// CommentLikes returns how many likes of a comment a viewer is shown. The wire has this
// count and the viewer's own like, and no ids.
func (s *Site) CommentLikes(v int64, c *Comment) (n int) {
	for user := range c.Likes {
		if !s.Apart(v, user) {
			n++
		}
	}
	return n
}

// Fresh returns the time of a post's newest comment that bumps (checklist FF7), or else of
// its publication. It is the same for all viewers.
func (p *Post) Fresh() int64 {
	fresh := p.Published
	for _, c := range p.Comments {
		if c.Bumps {
			fresh = max(fresh, c.Created/1000)
		}
	}
	return fresh
}

// History returns the texts of a post, or of a comment of the post if one is given, that a reader
// of the post is shown in its history, the oldest first.
//
// docs/access.md: an earlier text is for its author, and for all people who may read the post
// today and could also read it in the places that the post had when the text was replaced.
func (s *Site) History(v int64, p *Post, c *Comment) (texts []string) {
	author, now, earlier := p.Author, p.Text, p.Earlier
	if c != nil {
		author, now, earlier = c.Author, c.Text, c.Earlier
	}
	for _, was := range earlier {
		then := Post{Author: p.Author, Places: was.Places}
		if v != 0 && v == author || s.MayRead(v, &then) {
			texts = append(texts, was.Text)
		}
	}
	return append(texts, now)
}

// Texts returns the texts of all posts and comments that a viewer may see on any page, and
// the names and descriptions of their files, and the previews of links.
func (s *Site) Texts(v int64) (texts []string) {
	for _, p := range s.Posts {
		if !s.MayRead(v, p) {
			continue
		}
		texts = append(texts, p.Text)
		files := append(slices.Clone(p.Files), unready(v, p.Author, p.Unready)...)
		for _, c := range s.Comments(v, p) {
			texts = append(texts, c.Text)
			files = append(append(files, c.Files...), unready(v, c.Author, c.Unready)...)
		}
		for _, one := range p.Previews {
			texts = append(texts, one.Title, one.About)
		}
		for _, f := range files {
			texts = append(texts, f.Name, f.Alt)
		}
	}
	return texts
}
