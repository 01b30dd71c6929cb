package plainrule

import (
	"maps"
	"slices"
)

// reasons collects the feeds that bring a post into somebody's home: whatever he
// may not read, or muted, does not.
type reasons struct {
	site  *Site
	v     int64
	post  *Post
	found map[string][]int64
	base  bool  // one of them is what its author put it in
	first int64 // when it came into the first of them
}

func (r *reasons) add(f *Feed, since int64) {
	if f == nil || r.site.Muted[[2]int64{r.v, f.ID}] || !r.site.in(r.post, f) || r.post.Entered[f.ID] < since {
		return
	}
	if slices.Contains(r.found[f.What], f.Their) {
		return
	}
	r.found[f.What] = append(r.found[f.What], f.Their)
	if f.What != "user_likes" && f.What != "user_comments" {
		r.base = true
	}
	if at := r.post.Entered[f.ID]; r.first == 0 || at < r.first {
		r.first = at
	}
}

// follow adds a feed, and what its owner likes and comments on.
//
// Seed 003: "Если юзер А подписан на юзера Б, то фид-агрегатор «френдлента юзера
// А» подписана на фиды: «лента юзера Б», «посты, прокомментированные юзером Б»,
// «посты, лайкнутые юзером Б»."
func (r *reasons) follow(f *Feed, since int64) {
	if !r.site.Opens(r.v, f) {
		return
	}
	r.add(f, since)
	if f.What == "user" {
		r.add(r.site.Feed("user_likes", f.Their), since)
		r.add(r.site.Feed("user_comments", f.Their), since)
	}
}

// home is a page that several feeds bring posts to.
//
// DECISIONS, lift: "the first event that brings a post into a home that no base
// timeline of its viewer feeds lifts it there, once: … the first time the post
// entered that filter timeline … joins the key, the later of the two, in choosing,
// floors and order." FF7: "entering an aggregator or filter by an event bumps
// there only".
func (s *Site) home(v int64, why func(*reasons)) []Entry {
	places := make(map[*Post]int64)
	entries := s.page(v, func(p *Post) map[string][]int64 {
		r := &reasons{site: s, v: v, post: p, found: make(map[string][]int64)}
		why(r)
		places[p] = p.Fresh()
		if s.Lift && !r.base {
			places[p] = max(p.Fresh(), r.first)
		}
		return r.found
	})
	for i, e := range entries {
		entries[i].Place = places[e.Post]
	}
	sorted(entries)
	return entries
}

// Home is somebody's home.
//
// FF9: "Default home = friends', groups' and own feeds + filter feeds of friends
// and self + own directs." Seed 004, fourth: "Mokum checks each timeline to see if
// you have access to it, and ignores those which you don't have access to." KA6:
// forward only, what came into a timeline from then on. SO9: "own posts are not in
// own feed … so a per-river switch". BE3: "all reasons, each with its undo
// (unsubscribe, leave, hide)".
func (s *Site) Home(v int64) []Entry {
	return s.home(v, func(r *reasons) {
		if r.post.Author == v && !s.People[v].OwnPosts {
			return
		}
		for _, what := range []string{"user", "user_private", "user_fyeo", "user_directs", "user_likes", "user_comments"} {
			r.add(s.Feed(what, v), 0)
		}
		for _, f := range s.Feeds {
			if subscription, subscribes := f.Subscribers[v]; subscribes {
				r.follow(f, subscription.Since)
			}
		}
	})
}

// ListPage is one of somebody's lists: FF2, "home, possibly several with
// different friends"; "Aggregators act for one user and are visible to that user
// only."
func (s *Site) ListPage(list int64) []Entry {
	l := s.Lists[list]
	return s.home(l.Owner, func(r *reasons) {
		for _, id := range slices.Sorted(maps.Keys(l.Members)) {
			r.follow(s.Feeds[id], s.Feeds[id].Subscribers[l.Owner].Since)
		}
	})
}

// ListsOf are the ids of somebody's lists, sorted.
func (s *Site) ListsOf(v int64) (ids []int64) {
	for id, l := range s.Lists {
		if l.Owner == v {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// WithoutReplies leaves out what is on a page only by somebody's comment or like:
// API §6.
func WithoutReplies(entries []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		for what := range e.Reasons {
			if what != "user_likes" && what != "user_comments" {
				return false
			}
		}
		return len(e.Reasons) > 0
	})
}

// Created puts a page into the order of publication: FF6, "both sort orders
// available per feed".
func Created(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Place = 0 // an id has the time in it
	}
	sorted(entries)
	return entries
}
