package plainrule

import "slices"

// An Entry is a post on a page. Reasons are the timelines that brought it there,
// by what they are: whose, sorted.
type Entry struct {
	Post    *Post
	Reasons map[string][]int64
}

// page puts what is readable into the order of rivers: seed 004, "fresh_at field
// is the field which river is sorted on"; what is equally fresh by its id.
func (s *Site) page(v int64, why func(*Post) map[string][]int64) (entries []Entry) {
	for _, p := range s.Posts {
		if !s.MayRead(v, p) {
			continue
		}
		if reasons := why(p); len(reasons) > 0 {
			for _, ids := range reasons {
				slices.Sort(ids)
			}
			entries = append(entries, Entry{p, reasons})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if a.Post.Fresh() != b.Post.Fresh() {
			return int(b.Post.Fresh() - a.Post.Fresh())
		}
		return int(b.Post.ID - a.Post.ID)
	})
	return entries
}

// in says whether a post is in a timeline: the base ones by its author's doing,
// the filters by what was done to it. Seed 003: "в них посты помещаются
// автоматически по наличию в посте какого-либо признака".
func in(p *Post, f *Feed) bool {
	switch f.What {
	case "user_likes":
		return slices.ContainsFunc(p.Likes, func(l Like) bool { return l.User == f.Their })
	case "user_comments":
		return slices.ContainsFunc(p.Comments, func(c *Comment) bool { return c.Author == f.Their })
	case "user_favs":
		return p.Favs[f.Their]
	}
	return slices.Contains(p.Places, f.ID)
}

// Home is somebody's home.
//
// FF9: "Default home = friends', groups' and own feeds + filter feeds of friends
// and self + own directs." Seed 003: "Если юзер А подписан на юзера Б, то
// фид-агрегатор «френдлента юзера А» подписана на фиды: «лента юзера Б», «посты,
// прокомментированные юзером Б», «посты, лайкнутые юзером Б»." Seed 004, fourth:
// "Mokum checks each timeline to see if you have access to it, and ignores those
// which you don't have access to." KA6: forward only, what came into a timeline
// from then on.
func (s *Site) Home(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		reasons := make(map[string][]int64)
		add := func(f *Feed, since int64) {
			if f != nil && in(p, f) && p.Entered[f.ID] >= since {
				reasons[f.What] = append(reasons[f.What], f.Their)
			}
		}
		for _, what := range []string{"user", "user_private", "user_fyeo", "user_directs", "user_likes", "user_comments"} {
			add(s.Feed(what, v), 0)
		}
		for _, f := range s.Feeds {
			subscription, subscribes := f.Subscribers[v]
			if !subscribes || !s.Opens(v, f) {
				continue
			}
			add(f, subscription.Since)
			if f.What == "user" {
				add(s.Feed("user_likes", f.Their), subscription.Since)
				add(s.Feed("user_comments", f.Their), subscription.Since)
			}
		}
		return reasons
	})
}

// of is a page of what is in some timelines, which bring it there.
func (s *Site) of(v int64, feeds ...*Feed) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		reasons := make(map[string][]int64)
		for _, f := range feeds {
			if f != nil && in(p, f) {
				reasons[f.What] = append(reasons[f.What], f.Their)
			}
		}
		return reasons
	})
}

// PersonPage is somebody's page, and whether it may be opened at all.
//
// Seed 004: "the user page (/alice) is constructed from timelines for Alice'
// primary feed and private sub-feed (if she has one)"; "you won't be able to
// access some rivers at all, for example if you try to look at the feed of
// private user who you are not subscribed to."
func (s *Site) PersonPage(v, whose int64) (entries []Entry, open bool) {
	var feeds []*Feed
	for _, what := range []string{"user", "user_private"} {
		if f := s.Feed(what, whose); s.Opens(v, f) {
			feeds = append(feeds, f)
		}
	}
	if len(feeds) == 0 {
		return nil, false
	}
	return s.of(v, feeds...), true
}

// LikesPage is the page of what somebody likes. It is his feed's: who may not
// read that, may not open it.
//
// Seed 003: "Если зритель не авторизован, то выборка проста: … and is_public …";
// signed in: "is_public or is_protected and [not in ProtectedFromUser] or
// is_private and [in PrivateForUser]": what may be read, of what is in it.
func (s *Site) LikesPage(v, whose int64) (entries []Entry, open bool) {
	if !s.Opens(v, s.Feed("user", whose)) {
		return nil, false
	}
	return s.of(v, s.Feed("user_likes", whose)), true
}

// CommentsPage is the page of what somebody commented on.
//
// Seed 004: "if some user comments on private posts, you will not see those posts
// on comments page of that user" (MO14).
func (s *Site) CommentsPage(v, whose int64) (entries []Entry, open bool) {
	if !s.Opens(v, s.Feed("user", whose)) {
		return nil, false
	}
	return s.of(v, s.Feed("user_comments", whose)), true
}

// GroupPage is a group's.
func (s *Site) GroupPage(v, group int64) (entries []Entry, open bool) {
	f := s.Feed("group", group)
	if !s.Opens(v, f) {
		return nil, false
	}
	return s.of(v, f), true
}

// Directs is the page of somebody's direct messages.
//
// FF16: "Direct posts are in the sender's and the receiver's direct feeds only;
// /filter/direct shows the current user's."
func (s *Site) Directs(v int64) []Entry { return s.of(v, s.Feed("user_directs", v)) }

// FavsPage is the list of somebody's favourites, his own only: API part I,
// "faves (private list + count)".
func (s *Site) FavsPage(v int64) []Entry { return s.of(v, s.Feed("user_favs", v)) }

// Everything has what has a public or protected place, for who may read it:
// DECISIONS, "everything holds posts with a public or protected decisive
// timeline; each viewer's rule filters as usual."
func (s *Site) Everything(v int64) []Entry {
	return s.page(v, func(p *Post) map[string][]int64 {
		for _, place := range p.Places {
			f := s.Feeds[place]
			status := ""
			switch f.What {
			case "user":
				status = s.People[f.Their].Status
			case "group":
				status = s.Groups[f.Their].Status
			}
			if status == "public" || status == "disallow-robots" || status == "protected" {
				return map[string][]int64{"everything": {0}}
			}
		}
		return nil
	})
}

// Alone is a post's own page: seed 004, a "river, which will always contain only
// this post".
func (s *Site) Alone(v int64, post int64) (e Entry, open bool) {
	p := s.Posts[post]
	return Entry{Post: p}, s.MayRead(v, p)
}
