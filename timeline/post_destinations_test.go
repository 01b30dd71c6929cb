package timeline

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestAddRecipients(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	direct := s.post("anna", "direct:bert")
	add := func(names ...string) error { return s.AddRecipients(ctx, s.user("anna"), direct, names) }
	s.same([]Change{{Kind: ChangePost, Post: direct, Timelines: s.placesOf("direct:carl", "direct:dora"), PlaceChanged: true}},
		s.changesOf(func() { s.must(add("Carl", "dora", "bert")) })) // though Dora banned Carl
	s.same(nil, s.changesOf(func() { s.must(add("carl")) }))
	for _, who := range []string{"carl", "dora"} {
		if _, err := s.FindPost(ctx, s.user(who), direct); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
	if in := s.in(direct); slices.Contains(in, s.everything()) || len(in) != 5 {
		t.Errorf("the direct is in %v", in)
	}
	// A recipient across a ban, or with a deleted account, keeps the message, and may be
	// left out of the list.
	s.must(s.Ban(ctx, s.user("carl"), "anna"))
	s.must(s.move(direct, "direct:bert", "direct:dora"))
	s.must(s.Unban(ctx, s.user("carl"), "anna"))
	if _, err := s.FindPost(ctx, s.user("carl"), direct); err != nil {
		t.Errorf("Carl lost it: %v", err)
	}
	s.must(s.SetPassword(ctx, s.user("dora"), "correct horse"))
	s.endAccount(s.user("dora"))
	s.must(s.move(direct, "direct:bert", "direct:carl"))
	s.audit()
	s.runAccountJobs()
	if in := s.in(direct); len(in) != 4 {
		t.Errorf("when her account is worked off the direct is in %v", in)
	}
	s.audit()
}

func TestTooManyRecipients(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("person%d", i))
		s.add(names[i])
	}
	direct := s.post("anna", "direct:person0")
	add := func(names []string) error { return s.AddRecipients(t.Context(), s.user("anna"), direct, names) }
	s.must(add(names[:50]))
	if err := add(names[50:51]); !isErr(err, errInvalid) {
		t.Errorf("the fifty-first: %v", err)
	}
}

func TestLeaveDirect(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	direct := s.post("anna", "direct:bert", "direct:carl")
	s.comment("bert", direct)
	s.same([]Change{{Kind: ChangePost, Post: direct, Timelines: s.placesOf("direct:bert"), PlaceChanged: true}},
		s.changesOf(func() { s.must(s.LeaveDirect(ctx, s.user("bert"), direct)) }))
	if _, err := s.FindPost(ctx, s.user("bert"), direct); !errors.Is(err, ErrNotFound) {
		t.Errorf("a recipient who left still reads it: %v", err)
	}
	if err := s.LeaveDirect(ctx, s.user("bert"), direct); !errors.Is(err, ErrNotFound) {
		t.Errorf("a recipient who left leaves again: %v", err)
	}
	if err := s.LeaveDirect(ctx, s.user("anna"), direct); !errors.Is(err, ErrForbidden) {
		t.Errorf("its author leaves: %v", err)
	}
	s.must(s.LeaveDirect(ctx, s.user("carl"), direct))
	head, err := s.FindPost(ctx, s.user("anna"), direct)
	if err != nil || len(head.Recipients) != 0 || len(head.Places) != 1 {
		t.Errorf("left by all it is %+v, %v", head, err)
	}
	s.must(s.AddRecipients(ctx, s.user("anna"), direct, []string{"bert"}))
	s.checkPosts()
	s.audit()
}

func TestRemoveFromGroup(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	remove := func(who string, post PostID, group string) error {
		return s.RemoveFromGroup(ctx, s.user(who), post, group)
	}
	two, one := s.post("anna", "user", "group:kitchen"), s.post("anna", "group:kitchen")
	s.comment("carl", one)
	s.same([]Change{{Kind: ChangePost, Post: two, Timelines: s.placesOf("group:kitchen"), PlaceChanged: true}},
		s.changesOf(func() { s.must(remove("eva", two, "Kitchen")) }))
	s.same(nil, s.changesOf(func() { s.must(remove("eva", two, "kitchen")) }))
	if _, err := s.FindPost(ctx, s.user("carl"), two); err != nil {
		t.Errorf("it does not live on elsewhere: %v", err)
	}
	// A post removed from its last place is for its author's eyes only.
	s.same([]Change{{Kind: ChangePost, Post: one, Timelines: s.placesOf("group:kitchen", "everything", "user_fyeo"), PlaceChanged: true}},
		s.changesOf(func() { s.must(remove("eva", one, "kitchen")) }))
	for _, who := range []string{"eva", "carl", "bert"} {
		if _, err := s.FindPost(ctx, s.user(who), one); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", who, err)
		}
	}
	if head, err := s.FindPost(ctx, s.user("anna"), one); err != nil || !slices.Equal(head.To, []string{"user_fyeo"}) {
		t.Errorf("its author has %+v, %v", head, err)
	}
	// The author may remove the post, and an administrator across a ban may too.
	own, banned := s.post("anna", "user", "group:attic"), s.post("anna", "group:kitchen", "group:attic")
	s.must(remove("anna", own, "attic"))
	s.must(s.Ban(ctx, s.user("anna"), "eva"))
	s.must(remove("eva", banned, "kitchen"))
	for _, tt := range []struct {
		name string
		who  string
		post PostID
		to   string
		want error
	}{
		{"a member who is no administrator", "bert", banned, "attic", ErrForbidden},
		{"a person who can't see the post", "carl", banned, "attic", ErrNotFound},
		{"an administrator, of a post that the group does not hold and that the administrator can't see", "eva", banned, "kitchen", ErrNotFound},
		{"an administrator of another group, across a ban", "eva", own, "square", ErrNotFound},
		{"a group that is none", "anna", banned, "cellar", ErrNotFound},
		{"a person", "anna", banned, "bert", ErrNotFound},
		{"nothing", "eva", 1, "kitchen", ErrNotFound},
	} {
		if err := remove(tt.who, tt.post, tt.to); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if err := s.RemoveFromGroup(ctx, 0, banned, "attic"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a visitor leaves: %v", err)
	}
	s.checkPosts()
	s.audit()
}
