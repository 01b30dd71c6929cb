package timeline

import (
	"errors"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestComment(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	post, secret := s.post("anna"), s.post("anna", "direct:bert")
	id, err := s.AddComment(ctx, s.user("bert"), post, NewComment{Text: "hm\r\n", Platform: "a test"})
	s.must(err)
	published := s.clock
	s.wait(time.Minute)
	s.must(s.EditComment(ctx, s.user("bert"), post, id, CommentEdit{Text: new("hmm")}))
	s.must(s.LikeComment(ctx, s.user("carl"), post, id))
	got, err := s.Comment(ctx, 0, post, id)
	s.must(err)
	want := &Comment{
		ID: id, Post: post, User: s.user("bert"), Text: "hmm", Platform: "a test", Likes: 1,
		CreatedAt: published, UpdatedAt: new(s.clock),
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("comment (-want +got):\n%s", diff)
	}
	whispered := s.comment("bert", secret)
	s.must(s.Ban(ctx, s.user("dora"), "bert"))
	for _, tt := range []struct {
		name   string
		viewer UserID
		post   PostID
		id     CommentID
		want   error
	}{
		{"a party", s.user("anna"), secret, whispered, nil},
		{"a stranger", s.user("carl"), secret, whispered, ErrNotFound},
		{"anonymous", 0, secret, whispered, ErrNotFound},
		{"under another post", s.user("anna"), post, whispered, ErrNotFound},
		{"across a ban", s.user("dora"), post, id, ErrNotFound},
		{"none", s.user("anna"), post, 1, ErrNotFound},
	} {
		if _, err := s.Comment(ctx, tt.viewer, tt.post, tt.id); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestRightToDeleteComments(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name = 'dora'`)
	s.must(err)
	for _, tt := range []struct {
		name, who string
		to        []string
		want      error
	}{
		{"who wrote it", "bert", []string{"user"}, nil},
		{"the author of the post", "anna", []string{"user"}, nil},
		{"an administrator of a group it is in", "eva", []string{"user", "group:kitchen"}, nil},
		{"one of a group it is not in", "eva", []string{"user"}, ErrForbidden},
		{"an administrator of the site", "dora", []string{"user"}, nil},
		{"another", "carl", []string{"user", "group:kitchen"}, ErrForbidden},
	} {
		post := s.post("anna", tt.to...)
		comment := s.comment("bert", post)
		if err := s.DeleteComment(ctx, s.user(tt.who), post, comment); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	s.checkPosts()
}

func TestFreshness(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	post := s.post("anna")
	published := s.clock.UnixMilli()
	var at []int64
	var ids []CommentID
	for range 3 {
		s.wait(time.Minute)
		ids = append(ids, s.comment("bert", post))
		at = append(at, s.clock.UnixMilli())
	}
	for _, step := range []struct {
		name   string
		delete int
		want   int64
	}{
		{"an older comment's deletion moves nothing", 1, at[2]},
		{"the newest one's brings the post back", 2, at[0]},
		{"the last one's brings it back to where it began", 0, published},
	} {
		s.must(s.DeleteComment(ctx, s.user("bert"), post, ids[step.delete]))
		if got := s.state(post).FreshAt; got != step.want {
			t.Errorf("%s: fresh at %d, want %d", step.name, got, step.want)
		}
		s.checkPosts()
	}
	// On a server with a slow clock, an answer still comes after its question.
	first := s.comment("anna", post)
	s.wait(-time.Hour)
	second := s.comment("bert", post)
	const query = `select created_at <= (select created_at from comments where id = $2) from comments where id = $1`
	if !one[bool](s, query, first, second) {
		t.Error("the answer is older than the question")
	}
	s.checkPosts()
}

// TestEnteredAt: a post that leaves a timeline and returns keeps the time of its first entry.
func TestEnteredAt(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	bert := s.user("bert")
	post := s.post("anna")
	const query = `select entered_at from timeline_entries where timeline_id = $1 and post_id = $2`
	const left = `select count(*) from timeline_left`
	s.wait(time.Minute)
	first := s.clock.UnixMilli()
	for range 3 {
		s.must(s.Like(ctx, bert, post))
		s.must(s.Fav(ctx, bert, post))
		id, err := s.AddComment(ctx, bert, post, NewComment{Text: "hm, @anna and @eva"})
		s.must(err)
		named, err := s.AddComment(ctx, s.user("anna"), post, NewComment{Text: "yes, @bert"})
		s.must(err)
		for what, name := range map[What]string{
			WhatUserLikes: "bert", WhatUserFavs: "bert", WhatUserComments: "bert", WhatDiscussions: "bert", WhatMentions: "bert",
		} {
			if got := one[int64](s, query, s.timeline(what, name), post); got != first {
				t.Errorf("%s: entered at %d, want %d", what, got, first)
			}
		}
		if n := one[int](s, left); n != 0 {
			t.Errorf("%d timelines are left though it is in all", n)
		}
		s.wait(time.Minute)
		s.must(s.DeleteComment(ctx, bert, post, id))
		s.must(s.DeleteComment(ctx, s.user("anna"), post, named))
		s.must(s.Unlike(ctx, bert, post))
		s.must(s.Unfav(ctx, bert, post))
		if n := one[int](s, left); n != 7 { // Anna's comments and mentions as well
			t.Errorf("%d timelines are left, want 7", n)
		}
		s.checkPosts()
	}
	s.must(s.DeletePost(ctx, s.user("anna"), post))
	if n := one[int](s, left); n != 0 {
		t.Errorf("%d times of a deleted post are remembered", n)
	}
}
