package plainrule

import "slices"

// TakesPart says whether somebody who may read a post may add to it.
//
// An excluded set is of one feed (checklist FF3). People in it read a public feed as
// everybody does, and add nothing to posts that they read through that feed alone
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

// MayComment: "Comments can be disabled" (API part I, 4); then the author alone
// still may.
func (s *Site) MayComment(v int64, p *Post) bool {
	return s.TakesPart(v, p) && (!p.CommentsDisabled || v == p.Author)
}

// MayLike: "likes are not offered on own posts" (API part I, 4); the same of
// favourites.
func (s *Site) MayLike(v int64, p *Post) bool { return s.TakesPart(v, p) && v != p.Author }

// MayLikeComment is the same of a comment: not of one's own.
func (s *Site) MayLikeComment(v int64, p *Post, c *Comment) bool {
	return s.TakesPart(v, p) && v != c.Author
}

// MayEdit: who wrote it.
func (s *Site) MayEdit(v, author int64) bool { return v != 0 && v == author }

// MayDelete: who wrote a post, and the administrators of the site.
func (s *Site) MayDelete(v int64, p *Post) bool {
	return v != 0 && (v == p.Author || s.People[v].Admin)
}

// MayModerate says whether somebody may delete what others say under a post: "the
// author's moderation under his own posts, an administrator's in his group" (the
// issue), and the administrators of the site.
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

// RemoveFrom has the names of the groups that somebody may take a post out of:
// "an owner/admin can remove it from a group" (API part I, 4).
func (s *Site) RemoveFrom(v int64, p *Post) (names []string) {
	for _, place := range p.Places {
		if f := s.Feeds[place]; f.What == "group" && v != 0 && (v == p.Author || s.Groups[f.Their].Admins[v]) {
			names = append(names, s.Groups[f.Their].Name)
		}
	}
	slices.Sort(names)
	return names
}

// IsDirect says whether a post is a direct message.
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

// HidesComment says whether somebody folds a comment, as its author's.
func (s *Site) HidesComment(v int64, c *Comment) bool {
	return v != 0 && s.HiddenComments[[2]int64{v, c.Author}]
}

// Subscribers are who subscribes to a person's feed or a group, as somebody is
// told, sorted; and whether he may look. Who is across a ban is not there for
// him, nor is who deleted the account.
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

// Subscriptions are whom, and which groups, a person follows, as somebody is told:
// he himself of all that are there; anybody else of the feeds that he may read,
// for who reads a feed is for its readers to know, on either one's list.
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
		case f.What == "user" && told && s.People[f.Their].Status != "deleted":
			people = append(people, f.Their)
		case f.What == "group" && told && s.Groups[f.Their].Status != "deleted":
			groups = append(groups, f.Their)
		}
	}
	slices.Sort(people)
	slices.Sort(groups)
	return people, groups, true
}
