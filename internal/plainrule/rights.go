package plainrule

import (
	"cmp"
	"slices"
)

// TakesPart reports whether a reader of a post may comment on it and like it.
//
// An excluded set is of one feed (checklist FF3). People in it read a public feed like
// visitors, and add nothing to posts that they read through that feed alone
// (docs/access.md).
func (s *Site) TakesPart(v int64, p *Post) bool {
	if v == 0 {
		return false
	}
	if v == p.Author {
		return true
	}
	for _, place := range p.Places {
		if f := s.Feeds[place]; s.Opens(v, f) && !f.Excluded[v] {
			return true
		}
	}
	return false
}

// MayPost reports whether a person may post to a feed of their own or to a group: "posting: anybody,
// members or admins", and never people whom the group excludes, unless they administer the group
// (docs/access.md).
func (s *Site) MayPost(v int64, f *Feed) bool {
	if f == nil || v == 0 {
		return false
	}
	if f.What != "group" {
		return f.Their == v
	}
	g := s.Groups[f.Their]
	_, subscribes := f.Subscribers[v]
	switch {
	case !s.Opens(v, f):
		return false
	case g.Admins[v]:
		return true
	}
	return !f.Excluded[v] && (g.Posting == "anybody" || g.Posting == "members" && subscribes)
}

// MayComment reports whether a viewer may comment: "Comments can be disabled", and then
// the author alone may comment.
func (s *Site) MayComment(v int64, p *Post) bool {
	return s.TakesPart(v, p) && (!p.CommentsDisabled || v == p.Author)
}

// MayFav reports whether a viewer may make a post a favourite, which may be their own.
func (s *Site) MayFav(v int64, p *Post) bool { return s.TakesPart(v, p) }

// MayLike reports whether a viewer may like a post: "likes are not offered on own posts".
func (s *Site) MayLike(v int64, p *Post) bool { return s.TakesPart(v, p) && v != p.Author }

// MayLikeComment reports whether a viewer may like a comment, which must not be their own.
func (s *Site) MayLikeComment(v int64, p *Post, c *Comment) bool {
	return s.TakesPart(v, p) && v != c.Author
}

// MayEdit reports whether a viewer may edit a text: its author may.
func (s *Site) MayEdit(v, author int64) bool { return v != 0 && v == author }

// MayDelete reports whether a viewer may delete a post: its author may, and administrators
// of the site.
func (s *Site) MayDelete(v int64, p *Post) bool {
	return v != 0 && (v == p.Author || s.People[v].Admin)
}

// MayModerate reports whether a viewer may delete the comments of other people on a post:
// the author of the post may, administrators of a group that has it, and administrators of
// the site.
func (s *Site) MayModerate(v int64, p *Post) bool {
	if s.MayDelete(v, p) {
		return true
	}
	for _, place := range p.Places {
		if f := s.Feeds[place]; f.What == "group" && s.Groups[f.Their].Admins[v] {
			return true
		}
	}
	return false
}

// Moderates reports whether a person moderates a post, also across a ban: its author does, and the
// administrators of a group that has the post (docs/bans.md). A post without readers is moderated by
// nobody.
func (s *Site) Moderates(v int64, p *Post) bool {
	if v == 0 || p == nil || p.withheld || s.People[p.Author].Gone() || s.People[v].Gone() {
		return false
	}
	return v == p.Author || slices.ContainsFunc(p.Places, func(place int64) bool {
		f := s.Feeds[place]
		return f.What == "group" && s.Groups[f.Their].Admins[v]
	})
}

// CommentsAcross returns the comments of a post that bans hide from a person who moderates the post,
// the oldest first: those of people across a ban, or all if the author of the post is across a ban.
func (s *Site) CommentsAcross(v int64, p *Post) (hidden []*Comment) {
	if !s.Moderates(v, p) {
		return nil
	}
	for _, c := range s.Comments(0, p) {
		if s.Apart(v, c.Author) || s.Apart(v, p.Author) {
			hidden = append(hidden, c)
		}
	}
	return hidden
}

// CommentersAcross returns how many people across a ban have commented on a post that a person
// moderates.
func (s *Site) CommentersAcross(v int64, p *Post) int {
	people := make(map[int64]bool)
	for _, c := range s.CommentsAcross(v, p) {
		if s.Apart(v, c.Author) {
			people[c.Author] = true
		}
	}
	return len(people)
}

// PostsAcross returns the posts of a group that bans hide from its administrator, the newest first.
func (s *Site) PostsAcross(v int64, g *Group) (hidden []*Post) {
	for _, p := range s.Posts {
		if s.Moderates(v, p) && s.Apart(v, p.Author) && slices.ContainsFunc(p.Places, func(place int64) bool {
			f := s.Feeds[place]
			return f.What == "group" && s.Groups[f.Their] == g && g.Admins[v]
		}) {
			hidden = append(hidden, p)
		}
	}
	slices.SortFunc(hidden, func(a, b *Post) int { return cmp.Compare(b.ID, a.ID) })
	return hidden
}

// RemoveFrom returns the names of the groups from which a viewer may remove a post: "an
// owner/admin can remove it from a group".
func (s *Site) RemoveFrom(v int64, p *Post) (names []string) {
	for _, place := range p.Places {
		if f := s.Feeds[place]; f.What == "group" && v != 0 && (v == p.Author || s.Groups[f.Their].Admins[v]) {
			names = append(names, s.Groups[f.Their].Name)
		}
	}
	slices.Sort(names)
	return names
}

// IsDirect reports whether a post is a direct message.
func (s *Site) IsDirect(p *Post) bool {
	return slices.ContainsFunc(p.Places, func(place int64) bool { return s.Feeds[place].What == "user_directs" })
}

// MayLeave reports whether a viewer may leave a direct: one that they received.
func (s *Site) MayLeave(v int64, p *Post) bool {
	return v != 0 && v != p.Author && slices.ContainsFunc(p.Places, func(place int64) bool {
		f := s.Feeds[place]
		return f.What == "user_directs" && f.Their == v
	})
}

// MayAddRecipients reports whether a viewer may add recipients to a direct: its author
// may.
func (s *Site) MayAddRecipients(v int64, p *Post) bool {
	return v != 0 && v == p.Author && s.IsDirect(p)
}

// Hides reports whether a viewer hid a post, or its author's posts (checklist KA7). A
// hidden post stays on the page, marked.
func (s *Site) Hides(v int64, p *Post) bool {
	return v != 0 && (s.HiddenPosts[[2]int64{v, p.ID}] || s.HiddenPeople[[2]int64{v, p.Author}])
}

// HidesComment reports whether a viewer hid the comments of a comment's author.
func (s *Site) HidesComment(v int64, c *Comment) bool {
	return v != 0 && s.HiddenComments[[2]int64{v, c.Author}]
}

// Subscribers returns the subscribers of a feed that a viewer is shown, sorted, and whether
// the viewer may open the list. People across a ban and deleted accounts are left out.
func (s *Site) Subscribers(v int64, f *Feed) (people []int64, open bool) {
	if !s.Opens(v, f) {
		return nil, false
	}
	for user := range f.Subscribers {
		if s.People[user].Status != "deleted" && !s.Apart(v, user) {
			people = append(people, user)
		}
	}
	slices.Sort(people)
	return people, true
}

// Subscriptions returns the people and groups that a person follows, as a viewer is shown them,
// and whether the viewer may open the list. The person is shown all. Other viewers are shown the
// feeds that they may read, because the subscribers of a feed are for its readers to know, on this
// list as on the feed's own.
func (s *Site) Subscriptions(v, whose int64) (people, groups []int64, open bool) {
	if !s.Opens(v, s.Feed("user", whose)) {
		return nil, nil, false
	}
	for _, f := range s.Feeds {
		if _, follows := f.Subscribers[whose]; !follows {
			continue
		}
		told := s.Opens(v, f) || v != 0 && v == whose
		switch {
		case f.What == "user" && told && !s.People[f.Their].Gone():
			people = append(people, f.Their)
		case f.What == "group" && told && s.Groups[f.Their].Status != "deleted":
			groups = append(groups, f.Their)
		}
	}
	slices.Sort(people)
	slices.Sort(groups)
	return people, groups, true
}
