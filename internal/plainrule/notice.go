package plainrule

import "slices"

// NoticesOf is what somebody is told of, the newest first: "nothing that may not be
// seen is notified" (the issue). So not of a post that he may not read, nor of the
// doings of somebody across a ban, or who deleted the account.
func (s *Site) NoticesOf(v int64) (told []Notice) {
	for _, n := range s.Notices {
		switch {
		case n.User != v, s.Apart(v, n.By), s.People[n.By].Status == "deleted":
		case n.Post != 0 && !s.MayRead(v, s.Posts[n.Post]):
		default:
			told = append(told, n)
		}
	}
	slices.Reverse(told)
	return told
}

// Unread counts those that he has not read.
func (s *Site) Unread(v int64) (n int) {
	for _, notice := range s.NoticesOf(v) {
		if !notice.Read {
			n++
		}
	}
	return n
}

// happened says whether what a notice tells of is so: each is "written with the
// deed, deleted with its undoing", and "never of oneself".
func (s *Site) happened(n Notice) bool {
	p := s.Posts[n.Post]
	var c *Comment
	if p != nil {
		for _, one := range p.Comments {
			if one.ID == n.Comment {
				c = one
			}
		}
	}
	switch {
	case n.By == n.User, n.Post != 0 && p == nil, n.Comment != 0 && c == nil:
		return false
	}
	f := s.Feeds[n.Feed]
	switch n.Kind {
	case "mention":
		return p != nil && slices.Contains(s.Mentions(p), Mention{n.User, n.By, c})
	case "direct":
		return p != nil && p.Author == n.By && c == nil && slices.ContainsFunc(p.Places, func(place int64) bool {
			return s.Feeds[place].What == "user_directs" && s.Feeds[place].Their == n.User
		})
	case "comment":
		return p != nil && c != nil && p.Author == n.User && c.Author == n.By
	case "like":
		return p != nil && p.Author == n.User && slices.ContainsFunc(p.Likes, func(l Like) bool { return l.User == n.By })
	case "comment_like": // who likes it is not told
		return c != nil && c.Author == n.User && c.Likes[n.By]
	case "subscriber":
		if f == nil {
			return false
		}
		_, subscribes := f.Subscribers[n.By]
		return subscribes && s.keeps(n.User, f)
	case "request":
		return f != nil && s.Requests[[2]int64{n.By, f.ID}] && s.keeps(n.User, f)
	case "invitation":
		return f != nil && s.Invitations[[2]int64{n.User, f.ID}] == n.By
	}
	return false
}

// keeps says whether somebody answers for a feed: it is his own, or a group's that
// he administers.
func (s *Site) keeps(v int64, f *Feed) bool {
	if f.What == "group" {
		return s.Groups[f.Their].Admins[v]
	}
	return f.Their == v
}
