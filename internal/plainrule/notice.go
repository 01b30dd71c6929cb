package plainrule

import "slices"

// NoticesOf returns the notices that a person is shown, the newest first. A person is shown no
// notice of anything that the person may not see (docs/notices.md). Left out are:
//
//   - notices of posts that the person may not read;
//   - notices by people across a ban, or by deleted or suspended accounts;
//   - notices of requests, invitations and subscriptions that are gone, or of feeds that the
//     person no longer owns or administers;
//   - notices of reports that are closed, or about which the person does not decide any more;
//   - notices that applicants or held posts wait, if none do, or if the person does not administer the site any more;
//   - notices of imported feeds that do not fail any more, or that go into a group to which the
//     person may not post now;
//   - notices of mentions that an edit removed. The primary keeps such a notice, so that
//     another edit with the same name makes no second one.
func (s *Site) NoticesOf(v int64) (told []Notice) {
	for _, n := range s.Notices {
		switch {
		case n.User != v, n.By != 0 && (s.Apart(v, n.By) || s.People[n.By].Gone()):
		case n.Post != 0 && !s.MayRead(v, s.Posts[n.Post]):
		case (n.Feed != 0 || slices.Contains([]string{"mention", "report", "applicant", "held"}, n.Kind)) && !s.happened(n):
		default:
			told = append(told, n)
		}
	}
	slices.Reverse(told)
	return told
}

// Unread returns how many of a person's notices are unread.
func (s *Site) Unread(v int64) (n int) {
	for _, notice := range s.NoticesOf(v) {
		if !notice.Read {
			n++
		}
	}
	return n
}

// UnreadDirects returns how many directs a person has unread notices of.
func (s *Site) UnreadDirects(v int64) int {
	posts := make(map[int64]bool)
	for _, notice := range s.NoticesOf(v) {
		if p := s.Posts[notice.Post]; p != nil && !notice.Read && s.IsDirect(p) {
			posts[p.ID] = true
		}
	}
	return len(posts)
}

// happened reports whether the action of a notice still stands: each notice is "written with the
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
		return p != nil && (c == nil && p.Author == n.By || c != nil && c.Author == n.By) // the caller has checked that the person may read it
	case "comment":
		return p != nil && c != nil && p.Author == n.User && c.Author == n.By
	case "like":
		return p != nil && p.Author == n.User && slices.ContainsFunc(p.Likes, func(l Like) bool { return l.User == n.By })
	case "comment_like": // the page shows a count, and not the people
		return c != nil && c.Author == n.User && c.Likes[n.By]
	case "intake":
		i, fails := s.Intakes[n.Intake]
		return fails && i.User == n.User && i.Feed == n.Feed && s.MayPost(n.User, f)
	case "subscriber":
		if f == nil {
			return false
		}
		_, subscribes := f.Subscribers[n.By]
		return subscribes && s.keeps(n.User, f)
	case "accepted":
		if f == nil {
			return false
		}
		_, subscribes := f.Subscribers[n.User]
		return subscribes
	case "left": // the notice stays if the person is added again
		return p != nil && p.Author == n.User
	case "report":
		r := s.Reports[n.Report]
		return r != nil && r.Act == "" && s.Decides(n.User, r)
	case "answer":
		r := s.Reports[n.Report]
		return r != nil && r.Act != "" && r.By == n.User
	case "moderation":
		return true
	case "applicant", "held":
		return s.Waiting[n.Kind] && s.People[n.User].Admin
	case "heir":
		return f != nil && s.keeps(n.User, f)
	case "request":
		return f != nil && s.Requests[[2]int64{n.By, f.ID}] && s.keeps(n.User, f)
	case "invitation":
		return f != nil && s.Invitations[[2]int64{n.User, f.ID}] == n.By
	}
	return false
}

// keeps reports whether a person owns a feed, or administers the group that has it.
func (s *Site) keeps(v int64, f *Feed) bool {
	if f.What == "group" {
		return s.Groups[f.Their].Admins[v]
	}
	return f.Their == v
}

// MissingNotices returns the notices of posts that a person should have and does not have, if the
// person never switched a kind off. One action gives one notice: a comment on the person's post
// that mentions the person after an edit may keep its notice as a comment.
func (s *Site) MissingNotices(v int64) []Notice {
	return slices.DeleteFunc(s.owed(v), func(o Notice) bool {
		return slices.ContainsFunc(s.Notices, func(n Notice) bool {
			talk := []string{"mention", "direct", "comment"}
			return n.User == v && n.Post == o.Post && n.Comment == o.Comment && n.By == o.By &&
				(n.Kind == o.Kind || slices.Contains(talk, n.Kind) && slices.Contains(talk, o.Kind))
		})
	})
}

// owed returns all notices of posts that a person should have. A person who was added to a
// direct later has no notices of the earlier comments.
func (s *Site) owed(v int64) (owed []Notice) {
	for _, p := range s.Posts {
		owe := func(kind string, by, comment int64) {
			if by != v && !s.People[by].Gone() {
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
