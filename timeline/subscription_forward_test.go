package timeline

import (
	"errors"
	"testing"
	"time"
)

func (s *site) sets(who string) *Sets {
	s.t.Helper()
	sets, _, err := ReadSetsOf(s.t.Context(), s.db.Pool, []UserID{s.user(who)})
	s.must(err)
	return sets[s.user(who)]
}

func TestForwardOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	bert := s.user("bert")
	feed := FeedName{Name: "anna"}
	likes := s.timeline(WhatUserLikes, "anna")
	comments := s.timeline(WhatUserComments, "anna")
	since := func(when string, want int64) {
		t.Helper()
		sets := s.sets("bert")
		for _, id := range []TimelineID{s.feed(feed).ID, likes, comments} {
			if got := sets.Since[id]; got != want {
				t.Errorf("%s: since %d, want %d", when, got, want)
			}
			if !sets.Feeds[id] {
				t.Errorf("%s: timeline %d is not followed", when, id)
			}
		}
	}
	begun := s.clock.UnixMilli()
	if state, err := s.Subscribe(ctx, bert, feed, SubscribeOptions{ForwardOnly: true}); err != nil || state != Subscribed {
		t.Fatalf("%q, %v", state, err)
	}
	since("subscribed", begun)
	s.wait(time.Minute)
	s.must(s.SetForwardOnly(ctx, bert, feed, true))
	since("forward only already", begun)
	s.must(s.SetForwardOnly(ctx, bert, feed, false))
	since("all there is", 0)
	s.must(s.SetForwardOnly(ctx, bert, feed, true))
	since("forward only again", begun+60_000)
	s.ask("bert", feed, Subscribed) // a second request changes nothing
	since("subscribed again", begun+60_000)
	s.must(s.Unsubscribe(ctx, bert, feed))
	if err := s.SetForwardOnly(ctx, bert, feed, true); !errors.Is(err, ErrNotFound) {
		t.Errorf("of no subscription: %v, want %v", err, ErrNotFound)
	}

	// A request keeps its policy, which begins when the request is accepted.
	private := FeedName{Name: "anna", Private: true}
	for _, tt := range []struct {
		name   string
		forAll bool   // whether the request was made without the policy
		change *bool  // a change of the policy while the request waits
		in     func() // lets the person into the feed
		want   bool
	}{
		{"accepted", false, nil, func() { s.answerAll("anna") }, true},
		{"accepted, without", true, nil, func() { s.answerAll("anna") }, false},
		{"changed to it", true, new(true), func() { s.answerAll("anna") }, true},
		{"changed from it", false, new(false), func() { s.answerAll("anna") }, false},
		{"invited meanwhile", false, nil, func() { s.invites("anna", private, "bert", Subscribed) }, true},
	} {
		if state, err := s.Subscribe(ctx, bert, private, SubscribeOptions{ForwardOnly: !tt.forAll}); err != nil || state != Requested {
			t.Fatalf("%s: %q, %v", tt.name, state, err)
		}
		if tt.change != nil {
			s.must(s.SetForwardOnly(ctx, bert, private, *tt.change))
		}
		s.wait(time.Minute)
		tt.in()
		var want int64
		if tt.want {
			want = s.clock.UnixMilli()
		}
		if got := s.sets("bert").Since[s.feed(private).ID]; got != want {
			t.Errorf("%s: since %d, want %d", tt.name, got, want)
		}
		s.must(s.Unsubscribe(ctx, bert, private))
	}
	// A person with an invitation chooses when they subscribe.
	s.invites("anna", private, "carl", Invited)
	if state, err := s.Subscribe(ctx, s.user("carl"), private, SubscribeOptions{ForwardOnly: true}); err != nil || state != Subscribed {
		t.Errorf("%q, %v", state, err)
	}
	if got := s.sets("carl").Since[s.feed(private).ID]; got != s.clock.UnixMilli() {
		t.Errorf("since %d", got)
	}
	s.checkPosts()
}
