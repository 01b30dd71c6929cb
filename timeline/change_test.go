package timeline

import (
	"testing"
	"time"
)

// newVillage makes a site: Anna writes, Bert follows her, Carl is a stranger, and Dora has a protected
// feed. Eva administers the group kitchen, which people must ask to join, and Anna is a member of it.
func newVillage(t *testing.T) *site {
	t.Helper()
	s := newSite(t, "anna", "bert", "carl", "dora", "eva")
	s.status("dora", "protected")
	s.group("eva", NewGroup{Name: "kitchen", Joining: "request"})
	s.follow("anna", "kitchen")
	s.follow("bert", "anna")
	return s
}

// TestEachWriteAppendsItsChanges runs each write on a fresh site, and compares the changes
// appended to the log with the wanted changes.
func TestEachWriteAppendsItsChanges(t *testing.T) {
	t.Parallel()
	type world struct {
		*site
		post    PostID // Anna's, in her feed and the kitchen
		comment CommentID
		liked   PostID // Anna's, liked and commented on by Bert
	}
	viewers := func(w world, names ...string) (cs []Change) {
		for _, name := range names {
			cs = append(cs, Change{Kind: ChangeViewer, User: w.user(name)})
		}
		return cs
	}
	for _, tt := range []struct {
		name string
		do   func(w world)
		want func(w world) []Change
	}{
		{
			"a post lists every timeline that it entered",
			func(w world) {
				w.CreatePost(t.Context(), w.user("anna"), NewPost{To: []string{"user", "group:kitchen"}, Text: "x"})
			},
			func(w world) []Change {
				kitchen := one[TimelineID](w.site, `select id from timelines where what = 'group'`)
				return []Change{{Kind: ChangePost, PlaceChanged: true, Timelines: []TimelineID{w.timeline(WhatUser, "anna"), kitchen, w.everything(), w.timeline(WhatDiscussions, "anna")}}}
			},
		},
		{
			"a direct message enters its parties' directs, and not everything",
			func(w world) {
				w.CreatePost(t.Context(), w.user("anna"), NewPost{To: []string{"direct:bert", "direct:dora"}, Text: "x"})
			},
			func(w world) []Change {
				return []Change{{Kind: ChangePost, PlaceChanged: true, Timelines: []TimelineID{
					w.timeline(WhatUserDirects, "anna"), w.timeline(WhatUserDirects, "bert"), w.timeline(WhatUserDirects, "dora"),
					w.timeline(WhatDiscussions, "anna"),
				}}}
			},
		},
		{
			"a post for one's own eyes is in one's discussions beside, and nowhere else",
			func(w world) {
				w.CreatePost(t.Context(), w.user("anna"), NewPost{To: []string{"user_fyeo"}, Text: "x"})
			},
			func(w world) []Change {
				return []Change{{Kind: ChangePost, PlaceChanged: true, Timelines: []TimelineID{w.timeline(WhatUserFYEO, "anna"), w.timeline(WhatDiscussions, "anna")}}}
			},
		},
		{
			"an edit moves nothing",
			func(w world) { w.must(w.EditPost(t.Context(), w.user("anna"), w.post, PostEdit{Text: new("other")})) },
			func(w world) []Change { return []Change{{Kind: ChangePost, Post: w.post}} },
		},
		{
			"an edit that changes nothing is none",
			func(w world) {
				w.must(w.EditPost(t.Context(), w.user("anna"), w.post, PostEdit{Text: new("a post by anna \n")}))
			},
			nil,
		},
		{
			"a deletion lists every timeline that it left",
			func(w world) { w.must(w.DeletePost(t.Context(), w.user("anna"), w.liked)) },
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.liked, PlaceChanged: true, Timelines: []TimelineID{
					w.timeline(WhatUser, "anna"), w.everything(), w.timeline(WhatUserLikes, "bert"), w.timeline(WhatUserComments, "bert"),
					w.timeline(WhatDiscussions, "anna"), w.timeline(WhatDiscussions, "bert"),
				}}}
			},
		},
		{
			"a first comment brings the post into the commenter's comments and discussions",
			func(w world) { w.AddComment(t.Context(), w.user("carl"), w.post, NewComment{Text: "x"}) },
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.post, PlaceChanged: true, Timelines: []TimelineID{
					w.timeline(WhatUserComments, "carl"), w.timeline(WhatDiscussions, "carl"),
				}}}
			},
		},
		{
			"a second comment only moves it",
			func(w world) { w.AddComment(t.Context(), w.user("bert"), w.liked, NewComment{Text: "x"}) },
			func(w world) []Change { return []Change{{Kind: ChangePost, Post: w.liked, PlaceChanged: true}} },
		},
		{
			"an edited comment moves nothing",
			func(w world) {
				w.must(w.EditComment(t.Context(), w.user("bert"), w.liked, w.comment, CommentEdit{Text: new("x")}))
			},
			func(w world) []Change { return []Change{{Kind: ChangePost, Post: w.liked}} },
		},
		{
			"a comment edited to what it was is no edit",
			func(w world) {
				w.must(w.EditComment(t.Context(), w.user("bert"), w.liked, w.comment, CommentEdit{Text: new("a comment by bert")}))
			},
			nil,
		},
		{
			"the last comment's deletion takes the post out of the commenter's comments and discussions, and back in time",
			func(w world) { w.must(w.DeleteComment(t.Context(), w.user("bert"), w.liked, w.comment)) },
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.liked, PlaceChanged: true, Timelines: []TimelineID{
					w.timeline(WhatUserComments, "bert"), w.timeline(WhatDiscussions, "bert"),
				}}}
			},
		},
		{
			"a like brings the post into the liker's likes",
			func(w world) { w.must(w.Like(t.Context(), w.user("carl"), w.post)) },
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.post, Timelines: []TimelineID{w.timeline(WhatUserLikes, "carl")}}}
			},
		},
		{"a like given twice is one", func(w world) { w.must(w.Like(t.Context(), w.user("bert"), w.liked)) }, nil},
		{
			"an unlike takes it out",
			func(w world) { w.must(w.Unlike(t.Context(), w.user("bert"), w.liked)) },
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.liked, Timelines: []TimelineID{w.timeline(WhatUserLikes, "bert")}}}
			},
		},
		{"no like can't be taken back", func(w world) { w.must(w.Unlike(t.Context(), w.user("carl"), w.post)) }, nil},
		{
			"a comment's like is a change of the post",
			func(w world) { w.must(w.LikeComment(t.Context(), w.user("carl"), w.liked, w.comment)) },
			func(w world) []Change { return []Change{{Kind: ChangePost, Post: w.liked}} },
		},
		{
			"a comment's like given and taken back twice is two changes",
			func(w world) {
				for range 2 {
					w.must(w.LikeComment(t.Context(), w.user("carl"), w.liked, w.comment))
				}
				for range 2 {
					w.must(w.UnlikeComment(t.Context(), w.user("carl"), w.liked, w.comment))
				}
			},
			func(w world) []Change {
				return []Change{{Kind: ChangePost, Post: w.liked}, {Kind: ChangePost, Post: w.liked}}
			},
		},
		{
			"who subscribes sees otherwise",
			func(w world) {
				w.Subscribe(t.Context(), w.user("carl"), FeedName{Name: "anna"}, SubscribeOptions{})
			},
			func(w world) []Change { return viewers(w, "carl") },
		},
		{"who subscribes again does not", func(w world) {
			w.Subscribe(t.Context(), w.user("bert"), FeedName{Name: "anna"}, SubscribeOptions{})
		}, nil},
		{
			"a request concerns both",
			func(w world) {
				w.Subscribe(t.Context(), w.user("carl"), FeedName{Name: "dora"}, SubscribeOptions{})
			},
			func(w world) []Change { return viewers(w, "carl", "dora") },
		},
		{
			"a request to a group concerns its administrators",
			func(w world) {
				w.Subscribe(t.Context(), w.user("carl"), FeedName{Name: "kitchen"}, SubscribeOptions{})
			},
			func(w world) []Change { return viewers(w, "carl", "eva") },
		},
		{
			"so does taking it back, and once",
			func(w world) {
				w.Subscribe(t.Context(), w.user("carl"), FeedName{Name: "dora"}, SubscribeOptions{})
				w.must(w.Withdraw(t.Context(), w.user("carl"), FeedName{Name: "dora"}))
				w.must(w.Withdraw(t.Context(), w.user("carl"), FeedName{Name: "dora"}))
			},
			func(w world) []Change { return viewers(w, "carl", "carl", "dora", "dora") },
		},
		{
			"so does an answer",
			func(w world) { w.follow("carl", "dora") },
			func(w world) []Change { return viewers(w, "carl", "carl", "dora", "dora") },
		},
		{
			"who unsubscribes sees otherwise, once",
			func(w world) {
				w.must(w.Unsubscribe(t.Context(), w.user("bert"), FeedName{Name: "anna"}))
				w.must(w.Unsubscribe(t.Context(), w.user("bert"), FeedName{Name: "anna"}))
			},
			func(w world) []Change { return viewers(w, "bert") },
		},
		{
			"a ban concerns both, once",
			func(w world) {
				w.must(w.Ban(t.Context(), w.user("anna"), "bert"))
				w.must(w.Ban(t.Context(), w.user("anna"), "bert"))
			},
			func(w world) []Change { return viewers(w, "anna", "bert") },
		},
		{
			"so does its end",
			func(w world) {
				w.must(w.Ban(t.Context(), w.user("anna"), "bert"))
				w.must(w.Unban(t.Context(), w.user("anna"), "bert"))
				w.must(w.Unban(t.Context(), w.user("anna"), "bert"))
			},
			func(w world) []Change { return viewers(w, "anna", "anna", "bert", "bert") },
		},
		{
			"a group is new, and its creator's",
			func(w world) { w.group("anna", NewGroup{Name: "garden"}) },
			func(w world) []Change {
				garden := one[GroupID](w.site, `select id from groups where name = 'garden'`)
				return append(viewers(w, "anna"), Change{Kind: ChangeCard, Group: garden})
			},
		},
		{
			"a description is on the card",
			func(w world) { w.must(w.SetProfile(t.Context(), w.user("anna"), ProfileEdit{Description: new("hoi")})) },
			func(w world) []Change { return []Change{{Kind: ChangeCard, User: w.user("anna")}} },
		},
		{"a profile as it was is none", func(w world) {
			w.must(w.SetProfile(t.Context(), w.user("anna"), ProfileEdit{DisplayName: new("anna")}))
		}, nil},
		{
			"a status changes who reads the feed, the likes and the comments",
			func(w world) { w.status("anna", "private") },
			func(w world) []Change {
				return []Change{{Kind: ChangeCard, User: w.user("anna")}, {Kind: ChangeAccess, User: w.user("anna"), Timelines: []TimelineID{
					w.timeline(WhatUser, "anna"), w.timeline(WhatUserLikes, "anna"), w.timeline(WhatUserComments, "anna"),
				}}}
			},
		},
		{
			"a status of the same access changes the card alone",
			func(w world) { w.status("anna", "disallow-robots") },
			func(w world) []Change { return []Change{{Kind: ChangeCard, User: w.user("anna")}} },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newVillage(t)
			w := world{site: s, post: s.post("anna", "user", "group:kitchen"), liked: s.post("anna")}
			s.wait(time.Minute)
			w.comment = s.comment("bert", w.liked)
			s.must(s.Like(t.Context(), s.user("bert"), w.liked))
			var want []Change
			got := s.changesOf(func() { tt.do(w) })
			if tt.want != nil {
				want = tt.want(w)
			}
			// The id of a new post is only known afterwards.
			for i := range want {
				if want[i].Kind == ChangePost && want[i].Post == 0 {
					want[i].Post = one[PostID](s, `select max(id) from posts`)
				}
			}
			s.same(want, got)
			s.checkPosts()
		})
	}
}

func TestVersionsRiseWithEachChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	post := s.post("anna")
	anna, bert, carl := s.user("anna"), s.user("bert"), s.user("carl")
	published := s.clock.UnixMilli()
	s.wait(time.Minute)
	commented := s.clock.UnixMilli()
	var comment CommentID
	for _, step := range []struct {
		name string
		do   func() error
		want state
	}{
		{"published", func() error { return nil }, state{1, 0, published, 0, 0}},
		{"liked", func() error { return s.Like(ctx, bert, post) }, state{2, 0, published, 0, 1}},
		{"liked again", func() error { return s.Like(ctx, bert, post) }, state{2, 0, published, 0, 1}},
		{"commented on", func() (err error) {
			comment, err = s.AddComment(ctx, bert, post, NewComment{Text: "hm"})
			return err
		}, state{3, 1, commented, 1, 1}},
		{"its comment liked", func() error { return s.LikeComment(ctx, carl, post, comment) }, state{4, 2, commented, 1, 1}},
		{"its comment edited", func() error { return s.EditComment(ctx, bert, post, comment, CommentEdit{Text: new("hmm")}) }, state{5, 3, commented, 1, 1}},
		{"edited", func() error { return s.EditPost(ctx, anna, post, PostEdit{CommentsDisabled: new(true)}) }, state{6, 3, commented, 1, 1}},
		{"its comment deleted", func() error { return s.DeleteComment(ctx, anna, post, comment) }, state{7, 4, published, 0, 1}},
		{"unliked", func() error { return s.Unlike(ctx, bert, post) }, state{8, 4, published, 0, 0}},
		{"deleted", func() error { return s.DeletePost(ctx, anna, post) }, state{9, 5, published, 0, 0}},
	} {
		s.must(step.do())
		if got := s.state(post); got != step.want {
			t.Errorf("%s: %+v, want %+v", step.name, got, step.want)
		}
		s.checkPosts()
	}
	if in := s.in(post); len(in) != 0 {
		t.Errorf("a deleted post is in timelines %v", in)
	}
	if text := one[string](s, `select text from posts where id = $1`, post); text != "" {
		t.Errorf("a deleted post says %q", text)
	}
}

func TestRingAfterEachWrite(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	bell, stop := s.Listen()
	deaf, leave := s.Listen() // is never received from, and must not block a write
	defer leave()
	defer stop()
	rung := func() bool {
		select {
		case <-bell:
			return true
		default:
			return false
		}
	}
	if rung() {
		t.Error("rings before anything was written")
	}
	s.post("anna")
	post := s.post("anna")
	if !rung() || rung() {
		t.Error("two posts do not ring as one")
	}
	for _, do := range []func() error{
		func() error { return s.Unlike(t.Context(), s.user("bert"), post) },
		func() error { return s.Like(t.Context(), s.user("anna"), post) },
		func() error { _, err := s.NewSession(t.Context(), s.user("anna"), false, ""); return err },
	} {
		_ = do()
		if rung() {
			t.Error("rings although nothing changed")
		}
	}
	stop()
	s.post("anna")
	if rung() {
		t.Error("rings after it was taken down")
	}
	if len(deaf) != 1 {
		t.Error("did not ring for who does not listen")
	}
}
