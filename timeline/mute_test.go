package timeline

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMute(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	s.group("bert", NewGroup{Name: "kitchen", DisplayName: "Kitchen", Status: statusPublic})
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.follow("anna", "bert")
	cats := s.list("anna", "cats", FeedName{Name: "bert"})
	likes, comments := s.timeline(WhatUserLikes, "bert"), s.timeline(WhatUserComments, "bert")
	seen := []Change{{Kind: ChangeViewer, User: anna}}
	both := MutedParts{Likes: true, Comments: true}
	mutes := func(want MutedParts) {
		t.Helper()
		muted, err := s.Muted(ctx, anna)
		wanted := map[UserID]MutedParts{}
		if want != (MutedParts{}) {
			wanted[bert] = want
		}
		if diff := cmp.Diff(wanted, muted); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		sets := s.sets("anna")
		home := sets.Home()
		for id, out := range map[TimelineID]bool{likes: want.Likes, comments: want.Comments} {
			if !sets.Feeds[id] || sets.Muted[id] != out || home[id] == out || sets.Lists[cats].Feeds[id] == out {
				t.Errorf("timeline %d is muted %v: %+v", id, out, sets)
			}
		}
	}
	mutes(MutedParts{})
	s.same(seen, s.changesOf(func() { s.must(s.Mute(ctx, anna, "Bert", MutedParts{Likes: true})) }))
	s.same(nil, s.changesOf(func() { s.must(s.Mute(ctx, anna, "bert", MutedParts{Likes: true})) }))
	mutes(MutedParts{Likes: true})
	s.same(seen, s.changesOf(func() { s.must(s.Mute(ctx, anna, "bert", both)) }))
	mutes(both)
	s.same(seen, s.changesOf(func() { s.must(s.Unmute(ctx, anna, "bert", MutedParts{Likes: true})) }))
	mutes(MutedParts{Comments: true})
	s.same(nil, s.changesOf(func() { s.must(s.Unmute(ctx, anna, "bert", MutedParts{Likes: true})) }))
	s.same(nil, s.changesOf(func() { s.must(s.Mute(ctx, anna, "bert", MutedParts{})) }))

	// A person who bans her is left out of her list until the ban ends, and is muted still.
	s.must(s.Ban(ctx, bert, "anna"))
	if muted, err := s.Muted(ctx, anna); len(muted) > 0 || err != nil {
		t.Errorf("across a ban: %v, %v", muted, err)
	}
	s.must(s.Unban(ctx, bert, "anna"))
	if muted, _ := s.Muted(ctx, anna); muted[bert] != (MutedParts{Comments: true}) {
		t.Errorf("after the ban: %v", muted)
	}
	s.must(s.Unmute(ctx, anna, "bert", both))
	s.follow("anna", "bert")
	mutes(MutedParts{})

	before := s.fingerprint(ctx)
	for name, want := range map[string]error{"no-such-name": ErrNotFound, "\xff": ErrNotFound} {
		if err := s.Mute(ctx, anna, name, both); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
	for _, name := range []string{"kitchen", "anna"} {
		if _, is := errors.AsType[*InvalidError](s.Mute(ctx, anna, name, both)); !is {
			t.Errorf("%s can be muted", name)
		}
	}
	if s.fingerprint(ctx) != before {
		t.Error("what was refused changed something")
	}
}

func TestOwnPosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	seen := []Change{{Kind: ChangeViewer, User: anna}}
	for _, tt := range []struct {
		on   bool
		want []Change
	}{{true, nil}, {false, seen}, {false, nil}, {true, seen}, {false, seen}} {
		s.same(tt.want, s.changesOf(func() { s.must(s.SetOwnPosts(ctx, anna, tt.on)) }))
		if s.sets("anna").OwnLeftOut == tt.on {
			t.Errorf("set to %v, and they are not", tt.on)
		}
	}
	// If another field is wrong, the mute does not change.
	if err := s.SetProfile(ctx, anna, ProfileEdit{OwnPosts: new(true), Name: new("Not A Name")}); err == nil {
		t.Error("a name that can't be")
	}
	if !s.sets("anna").OwnLeftOut {
		t.Error("half of an edit was done")
	}
	s.same([]Change{{Kind: ChangeViewer, User: anna}, {Kind: ChangeCard, User: anna}}, s.changesOf(func() {
		s.must(s.SetProfile(ctx, anna, ProfileEdit{OwnPosts: new(true), DisplayName: new("Anna")}))
	}))
	if err := s.SetOwnPosts(ctx, 99, true); !errors.Is(err, ErrNotFound) {
		t.Errorf("for a visitor: %v", err)
	}
}
