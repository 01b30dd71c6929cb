package timeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// reads reports whether a person may read a post.
func (s *site) reads(who string, post PostID) bool {
	s.t.Helper()
	_, err := readablePlaces(s.t.Context(), s.db.Pool, s.sets(who), post)
	if err != nil && !errors.Is(err, ErrNotFound) {
		s.t.Fatal(err)
	}
	return err == nil
}

// TestExcluded has Anna exclude Bert. The access of her feed decides whether Bert reads it,
// and Bert takes no part in posts that Bert reads through the feed alone.
func TestExcluded(t *testing.T) {
	long(t)
	t.Parallel()
	ctx := t.Context()
	for _, tt := range []struct {
		name   string
		status string
		to     []string
		reads  bool
		part   bool // whether Bert may like and comment
	}{
		{"a public feed", "public", []string{"user"}, true, false},
		{"a protected feed", "protected", []string{"user"}, false, false},
		{"a private feed", "private", []string{"user"}, false, false},
		{"a private sub-feed, which is another feed", "protected", []string{"user_private"}, true, true},
		{"a protected feed and a private one that Bert reads", "protected", []string{"user", "group:attic"}, true, true}, // checklist FF4
		{"a public feed and a private group that Bert is in", "public", []string{"user", "group:attic"}, true, true},
		{"a group that blocks Bert as well", "public", []string{"group:kitchen"}, true, false},
		{"a direct message", "protected", []string{"direct:bert"}, true, true},
	} {
		s := newSite(t, "anna", "bert", "carl")
		bert := s.user("bert")
		s.group("anna", NewGroup{Name: "kitchen", Posting: "anybody"})
		s.group("anna", NewGroup{Name: "attic", Status: "private"})
		s.status("anna", tt.status)
		for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}, {Name: "attic"}} {
			_, err := s.Subscribe(ctx, bert, feed, SubscribeOptions{})
			s.must(err)
		}
		s.answerAll("anna")
		post := s.post("anna", tt.to...)
		comment := s.comment("anna", post)
		s.must(s.Exclude(ctx, s.user("anna"), FeedName{Name: "anna"}, "bert"))
		s.must(s.Exclude(ctx, s.user("anna"), FeedName{Name: "kitchen"}, "bert"))
		if got := s.reads("bert", post); got != tt.reads {
			t.Errorf("%s: Bert reads it: %v", tt.name, got)
		}
		want := ErrNotFound
		if tt.reads {
			want = ErrForbidden
		}
		if tt.part {
			want = nil
		}
		for what, do := range map[string]func() error{
			"likes":           func() error { return s.Like(ctx, bert, post) },
			"makes favourite": func() error { return s.Fav(ctx, bert, post) },
			"comments on":     func() error { _, err := s.AddComment(ctx, bert, post, NewComment{Text: "x"}); return err },
			"likes a comment": func() error { return s.LikeComment(ctx, bert, post, comment) },
		} {
			if err := do(); !errors.Is(err, want) {
				t.Errorf("%s: Bert %s: %v, want %v", tt.name, what, err, want)
			}
		}
		if _, err := s.CreatePost(ctx, bert, NewPost{To: []string{"group:kitchen"}, Text: "x"}); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: Bert posts to the kitchen: %v", tt.name, err)
		}
		// Bert can take back earlier likes and comments of a post that is still readable for Bert.
		s.must(s.Readmit(ctx, s.user("anna"), FeedName{Name: "anna"}, "bert"))
		s.must(s.Readmit(ctx, s.user("anna"), FeedName{Name: "kitchen"}, "bert"))
		if tt.status != "private" {
			s.must(s.Like(ctx, bert, post))
			s.must(s.Fav(ctx, bert, post))
		}
		s.checkPosts()
	}
}

func TestExclusionEndsSubscriptionRequestAndInvitation(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
		s := newSite(t, "anna", "bert", "carl", "dora", "eva")
		anna := s.user("anna")
		s.group("anna", NewGroup{Name: "kitchen", Joining: "request"})
		s.status("anna", "private")
		s.ask("bert", feed, Requested)
		s.answerAll("anna")
		s.ask("carl", feed, Requested)
		s.invites("anna", feed, "dora", Invited)
		for _, who := range []string{"dora", "carl", "bert"} {
			s.must(s.Exclude(ctx, anna, feed, who))
			if is := s.relation(who, s.feed(feed).ID); is != [3]int{} {
				t.Errorf("%v: %s is %v to it", feed, who, is)
			}
			excluded := s.sets(who).Excluded
			if !excluded[s.feed(feed).ID] || len(excluded) != len(excludedFrom(s.feed(feed).What)) {
				t.Errorf("%v: %s is excluded from %v", feed, who, excluded)
			}
		}
		s.must(s.Ban(ctx, s.user("carl"), "anna"))
		want := []UserID{s.user("bert"), s.user("carl"), s.user("dora")}
		if feed.Name == "anna" {
			want = []UserID{s.user("bert"), s.user("dora")} // Carl is not to be seen any more
		}
		if got, err := s.Excluded(ctx, anna, feed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: excluded are %v, %v; want %v", feed, got, err, want)
		}
		if _, err := s.Excluded(ctx, s.user("eva"), feed); !errors.Is(err, ErrForbidden) {
			t.Errorf("%v: another looks at who is excluded: %v", feed, err)
		}
		// Readmission does not restore the subscription; a new one can begin.
		s.must(s.Readmit(ctx, anna, feed, "bert"))
		if is := s.relation("bert", s.feed(feed).ID); is != [3]int{} || len(s.sets("bert").Excluded) != 0 {
			t.Errorf("%v: Bert, readmitted, is %v to it", feed, is)
		}
		s.ask("bert", feed, Requested)
		s.checkPosts()
	}
}

// TestPutOutOfAGroup: an expelled or blocked administrator is no longer an administrator; the
// last administrator can't be expelled or blocked.
func TestPutOutOfAGroup(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	kitchen := FeedName{Name: "kitchen"}
	for name, put := range map[string]func(s *site, actor, who string) error{
		"expelled": func(s *site, actor, who string) error { return s.RemoveSubscriber(ctx, s.user(actor), kitchen, who) },
		"blocked":  func(s *site, actor, who string) error { return s.Exclude(ctx, s.user(actor), kitchen, who) },
	} {
		s := newSite(t, "anna", "bert", "carl", "dora")
		s.group("anna", NewGroup{Name: "kitchen"})
		for _, who := range []string{"bert", "carl"} {
			s.follow(who, "kitchen")
			s.must(s.AddAdmin(ctx, s.user("anna"), "kitchen", who))
		}
		if err := put(s, "dora", "bert"); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s by a stranger: %v", name, err)
		}
		s.must(s.Ban(ctx, s.user("bert"), "anna")) // takes no moderation right away
		s.must(put(s, "anna", "bert"))
		if sets := s.sets("bert"); len(sets.Administers) != 0 || len(sets.Subscribed) != 0 {
			t.Errorf("%s: Bert's sets are %+v", name, sets)
		}
		if err := put(s, "bert", "anna"); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s by who was %s: %v", name, name, err)
		}
		s.must(put(s, "carl", "anna"))
		if err := s.Unsubscribe(ctx, s.user("carl"), kitchen); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: the last administrator leaves: %v", name, err)
		}
		// An expelled person may join again; a blocked person may not.
		want := error(nil)
		if name == "blocked" {
			want = ErrForbidden
		}
		if _, err := s.Subscribe(ctx, s.user("anna"), kitchen, SubscribeOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: Anna joins again: %v, want %v", name, err, want)
		}
		s.checkPosts()
	}
}

func TestRemoveSubscriber(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
		s := newSite(t, "anna", "bert", "carl", "dora")
		anna := s.user("anna")
		s.group("anna", NewGroup{Name: "kitchen"})
		for _, who := range []string{"bert", "carl"} {
			s.wait(time.Second)
			_, err := s.Subscribe(ctx, s.user(who), feed, SubscribeOptions{})
			s.must(err)
			s.answerAll("anna")
		}
		listed := func(want ...string) {
			t.Helper()
			var ids []UserID
			for _, who := range want {
				ids = append(ids, s.user(who))
			}
			if feed.Name == "kitchen" {
				ids = append(ids, anna)
			}
			if got, err := s.FeedSubscribers(ctx, anna, feed); err != nil || !slices.Equal(got, ids) {
				t.Errorf("%v: subscribers are %v, %v; want %v", feed, got, err, ids)
			}
		}
		listed("carl", "bert")
		for _, who := range []UserID{s.user("bert"), s.user("dora")} {
			if _, err := s.FeedSubscribers(ctx, who, feed); !errors.Is(err, ErrForbidden) {
				t.Errorf("%v: another looks at its subscribers: %v", feed, err)
			}
			if err := s.RemoveSubscriber(ctx, who, feed, "carl"); !errors.Is(err, ErrForbidden) {
				t.Errorf("%v: another removes: %v", feed, err)
			}
		}
		s.must(s.RemoveSubscriber(ctx, anna, feed, "bert"))
		listed("carl")
		if feed.Private {
			s.ask("bert", feed, Requested)
		} else {
			s.ask("bert", feed, Subscribed)
		}
		s.checkPosts()
	}
}
