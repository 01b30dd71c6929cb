package plainrule

import (
	"fmt"
	"maps"
	"slices"
)

// Check returns the contradictions in the primary: derived values that do not follow from
// the facts, and states that must never be.
func (s *Site) Check() (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, p := range s.Posts {
		s.checkPost(p, fault)
	}
	for _, g := range s.Groups {
		// A group has several administrators, never none; each is a subscriber.
		if len(g.Admins) == 0 && g.Status != "deleted" {
			fault("group %s has no administrator", g.Name)
		}
		for user := range g.Admins {
			if _, subscribes := s.Feed("group", g.ID).Subscribers[user]; !subscribes {
				fault("%s administers group %s without subscribing to it", s.People[user].Name, g.Name)
			}
		}
	}
	for _, f := range s.Feeds {
		for user := range f.Subscribers {
			switch {
			case f.Excluded[user]:
				fault("user %d subscribes to %s %d, which excludes that user", user, f.What, f.Their)
			case f.What != "group" && s.Apart(user, f.Their):
				fault("user %d subscribes to %s %d across a ban", user, f.What, f.Their)
			case f.What != "group" && f.What != "user" && f.What != "user_private":
				fault("user %d subscribes to %s %d", user, f.What, f.Their)
			case f.What != "group" && user == f.Their:
				fault("user %d subscribes to their own feed", user)
			}
		}
	}
	for _, n := range s.Notices {
		gone := s.People[n.User].Gone() || n.By != 0 && s.People[n.By].Gone()
		if !gone && n.Feed == 0 && n.Kind != "mention" && n.Kind != "report" && !s.happened(n) {
			fault("%s has a notice of something that is not so: %+v", s.People[n.User].Name, n)
		}
	}
	slices.Sort(faults)
	return faults
}

func (s *Site) checkPost(p *Post, fault func(string, ...any)) {
	switch {
	case p.storedFresh != p.Fresh():
		fault("post %d is kept as fresh at %d, not %d", p.ID, p.storedFresh, p.Fresh())
	case p.storedComments != len(p.Comments):
		fault("post %d is kept with %d comments, not %d", p.ID, p.storedComments, len(p.Comments))
	case p.storedLikes != len(p.Likes):
		fault("post %d is kept with %d likes, not %d", p.ID, p.storedLikes, len(p.Likes))
	case p.storedFavorites != len(p.Favs):
		fault("post %d is kept with %d favourites, not %d", p.ID, p.storedFavorites, len(p.Favs))
	case len(p.Places) == 0:
		fault("post %d is in no feed", p.ID)
	}
	for _, c := range p.Comments {
		if c.storedLikes != len(c.Likes) {
			fault("comment %d is kept with %d likes, not %d", c.ID, c.storedLikes, len(c.Likes))
		}
	}
	direct, other := false, false
	for _, place := range p.Places {
		what := s.Feeds[place].What
		direct = direct || what == "user_directs"
		other = other || what != "user_directs"
	}
	if direct && other {
		fault("post %d is a direct message and elsewhere", p.ID)
	}
	s.checkWithheld(p, fault)
	whole := p.whole()
	for _, f := range s.Feeds {
		_, entered := p.Entered[f.ID]
		switch f.What {
		case "everything":
			continue // whether a post is shown there is decided at each visit
		case "best_of", "most_faved":
			if _, ranked := p.Ranks[f.ID]; ranked != entered {
				fault("post %d in %s %d: %v, though it has a rank: %v", p.ID, f.What, f.Their, entered, ranked)
			}
			continue // the order of a ranking is the server's decision
		}
		if owner := s.People[f.Their]; f.What == "mentions" && owner != nil && owner.Status == "deleted" {
			continue // a deleted account has no such page
		}
		if is := s.isIn(whole, f); entered != is {
			fault("post %d in %s %d: %v, by its entries %v", p.ID, f.What, f.Their, is, entered)
		}
	}
}

// checkWithheld compares what is withheld of a post, its comments, likes and favourites with the accounts that are suspended.
// While a job is at work, a part is withheld.
func (s *Site) checkWithheld(p *Post, fault func(string, ...any)) {
	check := func(what string, by int64, withheld bool) {
		if who := s.People[by]; who.Withheld != withheld && !who.atWork {
			fault("%s of %s on post %d: withheld is %v", what, who.Name, p.ID, withheld)
		}
	}
	check("the post", p.Author, p.withheld)
	for _, c := range p.Comments {
		check("a comment", c.Author, false)
		for user := range c.Likes {
			check("a like of a comment", user, false)
		}
	}
	for _, l := range p.Likes {
		check("a like", l.User, false)
	}
	for user := range p.Favs {
		check("a favourite", user, false)
	}
	for _, c := range p.withheldComments {
		check("a comment", c.Author, true)
	}
	for _, l := range p.withheldLikes {
		check("a like", l.User, true)
	}
	for user := range p.withheldFavs {
		check("a favourite", user, true)
	}
	for _, user := range p.withheldOnLikes {
		check("a like of a comment", user, true)
	}
}

// whole returns the post with what is withheld of it. The entries of timelines are those of the whole post.
func (p *Post) whole() *Post {
	all := *p
	all.Comments = slices.Concat(p.Comments, p.withheldComments)
	all.Likes = slices.Concat(p.Likes, p.withheldLikes)
	all.Favs = maps.Clone(p.Favs)
	maps.Copy(all.Favs, p.withheldFavs)
	return &all
}
