package timeline

import (
	"slices"
	"testing"
)

func TestFav(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	bert := s.user("bert")
	post := s.post("anna")
	favs := s.timeline(WhatUserFavs, "bert")
	change := []Change{{Kind: ChangePost, Post: post, Timelines: []TimelineID{favs}}}
	count := func(want, version int) {
		t.Helper()
		if n := one[int](s, `select favs_count from posts where id = $1`, post); n != want {
			t.Errorf("%d favourites, want %d", n, want)
		}
		if st := s.state(post); st.Version != version || st.Likes != 0 {
			t.Errorf("the post is %+v, want version %d", st, version)
		}
		s.checkPosts()
	}
	for range 2 {
		s.same(change, s.changesOf(func() {
			for range 2 { // twice is once
				s.must(s.Fav(ctx, bert, post))
			}
		}))
		if !slices.Contains(s.in(post), favs) {
			t.Error("it is not among Bert's favourites")
		}
		s.same(change, s.changesOf(func() {
			for range 2 {
				s.must(s.Unfav(ctx, bert, post))
			}
		}))
		if slices.Contains(s.in(post), favs) {
			t.Error("it is among Bert's favourites still")
		}
	}
	count(0, 5)
	s.must(s.Fav(ctx, bert, post))
	s.must(s.Fav(ctx, s.user("anna"), post)) // one's own
	count(2, 7)
	if !slices.Contains(s.in(post), s.timeline(WhatUserFavs, "anna")) {
		t.Error("Anna's post is not among her favourites")
	}
	// Only Bert may read the list.
	access := one[Access](s, `select access from timelines where id = $1`, favs)
	list := Timeline{favs, WhatUserFavs, int64(bert), access}
	if !s.sets("bert").Readable(list) || s.sets("anna").Readable(list) || (&Sets{}).Readable(list) {
		t.Errorf("who reads Bert's favourites: %+v", list)
	}
	s.must(s.DeletePost(ctx, s.user("anna"), post))
	count(0, 8)
}
