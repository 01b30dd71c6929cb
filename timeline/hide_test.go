package timeline

import (
	"context"
	"errors"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestHidePost(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	bert := s.user("bert")
	post, secret := s.post("anna"), s.post("anna", "direct:carl")
	before := s.state(post)
	s.must(s.HidePost(ctx, bert, post))
	if sets := s.sets("bert"); len(sets.HiddenPosts) != 1 || !sets.HiddenPosts[post] {
		t.Errorf("Bert hides %v", sets.HiddenPosts)
	}
	if sets := s.sets("carl"); len(sets.HiddenPosts) != 0 {
		t.Errorf("Carl hides %v", sets.HiddenPosts)
	}
	if after := s.state(post); after != before {
		t.Errorf("the post is %+v, was %+v", after, before)
	}
	if err := s.HidePost(ctx, bert, secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("a post that Bert can't read: %v, want %v", err, ErrNotFound)
	}
	// A viewer can show a hidden post again, even if they may no longer read it.
	s.status("anna", "private")
	s.must(s.ShowPost(ctx, bert, post))
	if sets := s.sets("bert"); len(sets.HiddenPosts) != 0 {
		t.Errorf("Bert hides %v", sets.HiddenPosts)
	}
	s.must(s.ShowPost(ctx, bert, 1)) // a missing post is not hidden
}

func TestHideUser(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	bert := s.user("bert")
	want := make(map[UserID]HiddenParts)
	posts, comments, both := HiddenParts{Posts: true}, HiddenParts{Comments: true}, HiddenParts{Posts: true, Comments: true}
	for _, step := range []struct {
		do    func(ctx context.Context, actor UserID, name string, parts HiddenParts) error
		name  string
		parts HiddenParts
		left  HiddenParts // of the person
	}{
		{s.HideUser, "anna", posts, posts},
		{s.HideUser, "carl", comments, comments},
		{s.HideUser, "anna", comments, both},
		{s.HideUser, "anna", posts, both},
		{s.HideUser, "dora", HiddenParts{}, HiddenParts{}},
		{s.ShowUser, "dora", both, HiddenParts{}},
		{s.ShowUser, "carl", posts, comments},
		{s.ShowUser, "anna", posts, comments},
		{s.ShowUser, "carl", both, HiddenParts{}},
	} {
		s.must(step.do(ctx, bert, step.name, step.parts))
		want[s.user(step.name)] = step.left
		if step.left == (HiddenParts{}) {
			delete(want, s.user(step.name))
		}
		got, err := s.Hidden(ctx, bert)
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Bert hides %v (-want +got):\n%s", err, diff)
		}
		sets := s.sets("bert")
		for id, parts := range want {
			if sets.HiddenUsers[id] != parts.Posts || sets.HiddenComments[id] != parts.Comments {
				t.Errorf("after %s %+v Bert's sets are %+v", step.name, step.parts, sets)
			}
		}
	}
	if got, err := s.Hidden(ctx, s.user("anna")); err != nil || len(got) != 0 {
		t.Errorf("Anna hides %v, %v", got, err)
	}
	// This list leaves out Anna too, but keeps her row.
	s.must(s.Ban(ctx, s.user("anna"), "bert"))
	if got, err := s.Hidden(ctx, bert); err != nil || len(got) != 0 {
		t.Errorf("across a ban Bert hides %v, %v", got, err)
	}
	s.must(s.HideUser(ctx, bert, "anna", posts))
	s.must(s.Unban(ctx, s.user("anna"), "bert"))
	if got, err := s.Hidden(ctx, bert); err != nil || len(got) != 1 || got[s.user("anna")] != both {
		t.Errorf("after the ban Bert hides %v, %v", got, err)
	}
}

// TestHidingPartsAtOnce hides one part of a person and shows another at the same time: both take effect.
func TestHidingPartsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	bert := s.user("bert")
	posts, comments := HiddenParts{Posts: true}, HiddenParts{Comments: true}
	for range 20 {
		s.must(s.HideUser(ctx, bert, "anna", posts))
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.ShowUser(ctx, bert, "anna", posts); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := s.HideUser(ctx, bert, "anna", comments); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if got, err := s.Hidden(ctx, bert); err != nil || got[s.user("anna")] != comments {
			t.Errorf("Bert hides %v, %v", got, err)
		}
		s.must(s.ShowUser(ctx, bert, "anna", comments))
	}
	s.audit()
}
