package plainrule

import "slices"

// NoticesOf is what somebody is told of, the newest first: of nothing that they may not
// see (docs/notices.md). So not of a post that he may not read, nor of the
// doings of somebody across a ban, or who deleted the account; nor of a request,
// an invitation or a subscription that is no more, or none of his business; nor,
// since an edit, of a name that is not in the text any more: the notice is kept, so
// that he is not told anew where another edit names him again.
func (s *Site) NoticesOf(v int64) (told []Notice) {
	for _, n := range s.Notices {
		switch {
		case n.User != v, s.Apart(v, n.By), s.People[n.By].Status == "deleted":
		case n.Post != 0 && !s.MayRead(v, s.Posts[n.Post]):
		case (n.Feed != 0 || n.Kind == "mention") && !s.happened(n):
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
		return p != nil && (c == nil && p.Author == n.By || c != nil && c.Author == n.By) // who is a party may read it
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

// Untold are the notices of posts that somebody must have been told of and was not,
// if he never wanted any kind not told. Of one deed he is told once: a comment that
// came to name him later may still be told as one on his post.
func (s *Site) Untold(v int64) []Notice {
	return slices.DeleteFunc(s.owed(v), func(o Notice) bool {
		return slices.ContainsFunc(s.Notices, func(n Notice) bool {
			talk := []string{"mention", "direct", "comment"}
			return n.User == v && n.Post == o.Post && n.Comment == o.Comment && n.By == o.By &&
				(n.Kind == o.Kind || slices.Contains(talk, n.Kind) && slices.Contains(talk, o.Kind))
		})
	})
}

// owed are all those. Who came to a direct message later was not told of the
// comments there were.
func (s *Site) owed(v int64) (owed []Notice) {
	for _, p := range s.Posts {
		owe := func(kind string, by, comment int64) {
			if by != v && s.People[by].Status != "deleted" {
				owed = append(owed, Notice{User: v, Kind: kind, By: by, Post: p.ID, Comment: comment})
			}
		}
		for _, m := range s.Mentions(p) {
			switch {
			case m.User != v:
			case m.Comment == nil:
				owe("mention", m.By, 0)
			default:
				owe("mention", m.By, m.Comment.ID)
			}
		}
		party := slices.ContainsFunc(p.Places, func(place int64) bool {
			return s.Feeds[place].What == "user_directs" && s.Feeds[place].Their == v
		})
		for _, like := range p.Likes {
			if p.Author == v {
				owe("like", like.User, 0)
			}
		}
		for _, c := range p.Comments {
			if p.Author == v {
				owe("comment", c.Author, c.ID)
			}
			for by := range c.Likes {
				if c.Author == v {
					owe("comment_like", by, c.ID)
				}
			}
		}
		if party && p.Author != v {
			owe("direct", p.Author, 0)
		}
	}
	return owed
}
