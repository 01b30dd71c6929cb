package plainrule

import (
	"maps"
	"slices"
)

// reasons collects the feeds that bring a post into a viewer's home. Feeds that the viewer
// may not read, or has muted, bring nothing.
type reasons struct {
	site  *Site
	v     int64
	post  *Post
	found map[string][]int64
	put   []int64 // when each feed that the author put the post in brought the post
	acted []int64 // when likes or comments of people that the viewer followed by then brought the post
}

func (r *reasons) add(f *Feed, s Subscription) {
	if f == nil || r.site.Muted[[2]int64{r.v, f.ID}] || !r.site.isIn(r.post, f) || r.post.Entered[f.ID] < s.Since {
		return
	}
	if slices.Contains(r.found[f.What], f.Their) {
		return
	}
	r.found[f.What] = append(r.found[f.What], f.Their)
	switch at := r.post.Entered[f.ID]; {
	case f.What != "user_likes" && f.What != "user_comments":
		r.put = append(r.put, max(at, s.Began))
	case at >= s.Began:
		r.acted = append(r.acted, at)
	}
}

// place returns when the post is fresh, or if later, when a like or comment lifted the post.
func (r *reasons) place() int64 {
	if !r.site.Lift || len(r.acted) == 0 || len(r.put) > 0 && slices.Min(r.put) < slices.Min(r.acted) {
		return r.post.Fresh()
	}
	return max(r.post.Fresh(), slices.Min(r.acted))
}

// follow adds a feed, and the likes and comments of its owner.
//
// A subscriber of a person follows the person's feed, the posts that the person comments
// on, and those that the person likes (checklist FF9).
func (r *reasons) follow(f *Feed, by Subscription) {
	if !r.site.Opens(r.v, f) {
		return
	}
	r.add(f, by)
	if f.What == "user" {
		r.add(r.site.Feed("user_likes", f.Their), by)
		r.add(r.site.Feed("user_comments", f.Their), by)
	}
}

// home returns the entries of a page to which several feeds bring posts. why adds those feeds.
//
// With lift on (docs/ranking.md#lift) the first like or comment that brings a post in lifts the
// post there, once: the place is the later of the time when the post is fresh and the time of the
// like or comment. A like or comment from before the viewer followed the person does not lift. A
// post is not lifted if a feed of its author's choice brought the post before:
// the post was in the feed and the viewer subscribed to the feed before the like or comment.
// A lift moves the post in this home only (checklist FF7).
func (s *Site) home(v int64, why func(*reasons)) []Entry {
	places := make(map[*Post]int64)
	entries := s.page(v, func(p *Post) map[string][]int64 {
		r := &reasons{site: s, v: v, post: p, found: make(map[string][]int64)}
		why(r)
		places[p] = r.place()
		return r.found
	})
	for i, e := range entries {
		entries[i].Place = places[e.Post]
	}
	sorted(entries)
	return entries
}

// Home returns the posts of a viewer's home.
//
// A home has the feeds of friends and groups and the viewer's own feeds, the posts that
// friends and the viewer like and comment on, and the viewer's directs (checklist FF9).
// Timelines that the viewer can't read bring nothing (checklist MO6). A forward-only
// subscription brings the posts that entered the timeline from then on (checklist KA6). The
// viewer's own posts can be left out (checklist SO9). An entry has all of its reasons
// (checklist BE3).
func (s *Site) Home(v int64) []Entry {
	return s.home(v, func(r *reasons) {
		if r.post.Author == v && !s.People[v].OwnPosts {
			return
		}
		for _, what := range []string{"user", "user_private", "user_fyeo", "user_directs", "user_likes", "user_comments"} {
			r.add(s.Feed(what, v), Subscription{})
		}
		for _, f := range s.Feeds {
			if subscription, subscribes := f.Subscribers[v]; subscribes {
				r.follow(f, subscription)
			}
		}
	})
}

// ListPage returns the posts of one of a person's lists: a home with other friends, visible to that person
// only (checklist FF2).
func (s *Site) ListPage(list int64) []Entry {
	l := s.Lists[list]
	return s.home(l.Owner, func(r *reasons) {
		for _, id := range slices.Sorted(maps.Keys(l.Members)) {
			r.follow(s.Feeds[id], s.Feeds[id].Subscribers[l.Owner])
		}
	})
}

// ListsOf returns the ids of a person's lists, sorted.
func (s *Site) ListsOf(v int64) (ids []int64) {
	for id, l := range s.Lists {
		if l.Owner == v {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// WithoutReplies leaves out the posts that are on a page only by a person's comment or like
// (exclude_replies in docs/kinds.md).
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

// Created sorts a page in the order of publication (checklist FF6).
func Created(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Place = 0 // an id has the time in it
	}
	sorted(entries)
	return entries
}
