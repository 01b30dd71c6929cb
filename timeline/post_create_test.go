package timeline

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestCreatePost(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	kitchen := one[TimelineID](s, `select id from timelines where what = 'group'`)
	anna := s.user("anna")
	for _, tt := range []struct {
		name   string
		to     []string
		places []TimelineID
		all    bool // whether the post is in everything
	}{
		{"to one's own feed", []string{"user"}, []TimelineID{s.timeline(WhatUser, "anna")}, true},
		{"to a group", []string{"group:kitchen"}, []TimelineID{kitchen}, true},
		{"to a group in another case, twice", []string{"group:Kitchen", "group:kitchen"}, []TimelineID{kitchen}, true},
		{"to both", []string{"group:kitchen", "user"}, []TimelineID{s.timeline(WhatUser, "anna"), kitchen}, true},
		{"to the private sub-feed", []string{"user_private"}, []TimelineID{s.timeline(WhatUserPrivate, "anna")}, true},
		{"to one's own eyes", []string{"user_fyeo"}, []TimelineID{s.timeline(WhatUserFYEO, "anna")}, false},
		{"to two people", []string{"direct:bert", "direct:carl"}, []TimelineID{
			s.timeline(WhatUserDirects, "anna"), s.timeline(WhatUserDirects, "bert"), s.timeline(WhatUserDirects, "carl"),
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id, err := s.CreatePost(ctx, anna, NewPost{To: tt.to, Text: " hoi\r\nallemaal \n", Platform: "a test", NSFW: true})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(tt.places)
			want := append(slices.Clone(tt.places), s.timeline(WhatDiscussions, "anna"))
			if tt.all {
				want = append(want, s.everything())
			}
			slices.Sort(want)
			if diff := gocmp.Diff(want, s.in(id)); diff != "" {
				t.Errorf("timelines (-want +got):\n%s", diff)
			}
			if got := one[[]TimelineID](s, `select places from posts where id = $1`, id); !slices.Equal(got, tt.places) {
				t.Errorf("places are %v, want %v", got, tt.places)
			}
			head, err := s.FindPost(ctx, anna, id)
			if err != nil {
				t.Fatal(err)
			}
			if head.Text != " hoi\nallemaal" || head.Platform != "a test" || !head.NSFW || !head.Linebreaks || head.CommentsDisabled ||
				head.Version != 1 || head.FreshAt != s.clock.UnixMilli() || !head.PublishedAt.Equal(s.clock) || head.Author != anna {
				t.Errorf("the post is %+v", head)
			}
			if id >= 1<<53 || int64(id)>>22 != s.clock.Unix()-946684800 {
				t.Errorf("id %d is not of its time, or no JSON number", id)
			}
		})
	}
	s.checkPosts()
}

func TestRightToPost(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	s.group("eva", NewGroup{Name: "square", Posting: "anybody"})
	s.group("eva", NewGroup{Name: "board", Posting: "admins"})
	s.group("eva", NewGroup{Name: "attic", Status: "private", Posting: "anybody"})
	s.follow("anna", "board")
	s.follow("anna", "attic")
	_, err := s.db.Pool.Exec(t.Context(), `update users set directs_from = 'subscriptions' where name = 'bert'`)
	s.must(err)
	for _, tt := range []struct {
		who, to string
		want    error
	}{
		{"anna", "group:kitchen", nil}, // a member
		{"carl", "group:kitchen", ErrForbidden},
		{"carl", "group:square", nil},
		{"anna", "group:board", ErrForbidden},
		{"eva", "group:board", nil},
		{"eva", "group:kitchen", nil},
		{"anna", "group:attic", nil},
		{"carl", "group:attic", ErrForbidden},
		{"anna", "direct:bert", nil}, // Bert follows Anna
		{"carl", "direct:bert", ErrForbidden},
		{"bert", "direct:carl", nil},
		{"carl", "direct:dora", nil}, // protected, not private to directs
	} {
		_, err := s.CreatePost(t.Context(), s.user(tt.who), NewPost{To: []string{tt.to}, Text: "x"})
		if !errors.Is(err, tt.want) {
			t.Errorf("%s to %s: %v, want %v", tt.who, tt.to, err, tt.want)
		}
	}
}

func TestTextLimits(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	for _, tt := range []struct {
		name, text string
		ok         bool
	}{
		{"as long as may be", strings.Repeat("ж", 3000), true},
		{"space at the end does not count", strings.Repeat("ж", 3000) + " \n\t ", true},
		{"one too many", strings.Repeat("ж", 3001), false},
		{"an emoji of several", "👩‍👩‍👧", true},
		{"a replacement character is a character", "\ufffd", true},
		{"half a character", "\xd0", false},
	} {
		_, err := s.CreatePost(ctx, s.user("anna"), NewPost{To: []string{"user"}, Text: tt.text})
		if _, isInvalid := errors.AsType[*InvalidError](err); isInvalid == tt.ok || tt.ok && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestFindPost(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	s.group("eva", NewGroup{Name: "attic", Status: "private"})
	s.follow("anna", "attic")
	s.status("anna", "private")
	both := s.post("anna", "user", "group:attic")
	direct := s.post("anna", "direct:bert")
	kitchen := s.post("anna", "group:kitchen")
	s.must(s.Ban(ctx, s.user("dora"), "anna"))
	for _, tt := range []struct {
		who    string
		post   PostID
		places int
		groups []string
		want   error
	}{
		{"anna", both, 2, []string{"attic"}, nil},
		{"bert", both, 1, nil, nil}, // follows Anna, and may not know of the attic
		{"eva", both, 1, []string{"attic"}, nil},
		{"carl", both, 0, nil, ErrNotFound},
		{"", both, 0, nil, ErrNotFound},
		{"anna", direct, 2, nil, nil},
		{"bert", direct, 1, nil, nil},
		{"carl", direct, 0, nil, ErrNotFound},
		{"carl", kitchen, 1, []string{"kitchen"}, nil},
		{"", kitchen, 1, []string{"kitchen"}, nil},
		{"dora", kitchen, 0, nil, ErrNotFound}, // a ban, though the group is public
		{"anna", 1, 0, nil, ErrNotFound},
	} {
		var viewer UserID
		if tt.who != "" {
			viewer = s.user(tt.who)
		}
		head, err := s.FindPost(ctx, viewer, tt.post)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s, post %d: %v, want %v", tt.who, tt.post, err, tt.want)
			continue
		}
		if err == nil && (len(head.Places) != tt.places || !slices.Equal(head.GroupNames, tt.groups) || head.AuthorName != "anna") {
			t.Errorf("%s, post %d: %+v, want %d places and groups %v", tt.who, tt.post, head, tt.places, tt.groups)
		}
	}
}

func TestEditPost(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	post := s.post("anna")
	s.wait(time.Hour)
	s.must(s.EditPost(ctx, s.user("anna"), post, PostEdit{CommentsDisabled: new(true)}))
	head, err := s.FindPost(ctx, 0, post)
	s.must(err)
	if head.Text != "a post by anna" || !head.CommentsDisabled || !head.UpdatedAt.Equal(s.clock) || head.FreshAt == s.clock.UnixMilli() {
		t.Errorf("the post is %+v", head)
	}
	s.comment("anna", post) // the author still may
	s.must(s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new("other\r\n"), CommentsDisabled: new(false)}))
	if head, err = s.FindPost(ctx, 0, post); err != nil || head.Text != "other" {
		t.Errorf("the post is %+v, %v", head, err)
	}
	s.comment("bert", post)
}

func TestDeletePostByAdministrator(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name = 'carl'`)
	s.must(err)
	public, private := s.post("anna"), s.post("anna", "direct:bert")
	s.must(s.DeletePost(ctx, s.user("carl"), public))
	if err := s.DeletePost(ctx, s.user("carl"), private); !errors.Is(err, ErrNotFound) {
		t.Errorf("a post that Bert may not read: %v, want %v", err, ErrNotFound)
	}
	if err := s.DeletePost(ctx, s.user("eva"), s.post("anna", "group:kitchen")); !errors.Is(err, ErrForbidden) {
		t.Errorf("a group's administrator: %v, want %v", err, ErrForbidden)
	}
}

func TestLatestAt(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	latest := func(what What, name string) int64 {
		return one[int64](s, `select latest_at from timelines where id = $1`, s.timeline(what, name))
	}
	post := s.post("anna")
	next := s.clock.Add(time.Minute).UnixMilli() // twelve o'clock sharp
	if got := latest(WhatUser, "anna"); got != next {
		t.Errorf("latest_at is %d, want the next whole minute %d", got, next)
	}
	written := func() string {
		return one[string](s, `select xmin::text from timelines where id = $1`, s.timeline(WhatUser, "anna"))
	}
	before := written()
	s.wait(30 * time.Second)
	s.comment("bert", post)
	if written() != before || latest(WhatUserComments, "bert") != next {
		t.Error("latest_at was written without need, or not where it must")
	}
	s.wait(30 * time.Second)
	s.comment("bert", post) // at the full minute, exactly on the bound
	if written() != before {
		t.Error("latest_at was written at its bound")
	}
	s.wait(time.Millisecond)
	s.must(s.Like(t.Context(), s.user("bert"), post))
	if latest(WhatUserLikes, "bert") != next+60000 {
		t.Errorf("a like's timeline has %d, want %d", latest(WhatUserLikes, "bert"), next+60000)
	}
	s.comment("bert", post)
	if latest(WhatUser, "anna") != next+60000 || latest(WhatUserLikes, "bert") != next+60000 {
		t.Error("latest_at did not rise with the post")
	}
	if got := one[int64](s, `select latest_at from timelines where what = 'everything'`); got != 0 {
		t.Errorf("everything has %d", got)
	}
	s.checkPosts()
}
