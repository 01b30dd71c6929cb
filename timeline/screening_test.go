package timeline

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// setSite changes settings of the site.
func (s *site) setSite(edit SiteEdit) {
	s.t.Helper()
	_, err := s.ArrangeSite(s.t.Context(), edit)
	s.must(err)
}

// TestRefusedWords: no post or comment gets a word that the site refuses, also by an edit, and the
// error names the word.
func TestRefusedWords(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	post, comment := s.post("anna"), CommentID(0)
	comment = s.comment("bert", post)
	s.setSite(SiteEdit{"refused": "Cheap watches\nspam.example"})
	const bad = "Buy CHEAP watches!"
	for name, write := range map[string]func() error{
		"a post": func() error {
			_, err := s.CreatePost(ctx, s.user("anna"), NewPost{To: []string{"user"}, Text: bad})
			return err
		},
		"an edited post": func() error { return s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new(bad)}) },
		"a comment": func() error {
			_, err := s.AddComment(ctx, s.user("bert"), post, NewComment{Text: bad})
			return err
		},
		"an edited comment": func() error { return s.EditComment(ctx, s.user("bert"), post, comment, CommentEdit{Text: new(bad)}) },
	} {
		before := s.fingerprint(ctx)
		err := write()
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "refused" || wrong.Name != "cheap watches" {
			t.Errorf("%s with a refused word: %v", name, err)
		}
		if s.fingerprint(ctx) != before {
			t.Errorf("%s that was refused changed something", name)
		}
	}
	s.setSite(SiteEdit{"refused": ""})
	s.must(s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new(bad)}))
}

// TestNewcomersWriteLess: people with a new account write up to the limit within 24 hours, and other
// people and administrators as much as they like.
func TestNewcomersWriteLess(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	s.setSite(SiteEdit{"newcomers.days": "2", "newcomers.posts": "3"})
	post := s.post("anna")
	s.comment("anna", post)
	s.comment("anna", post)
	refused := func(what string, err error) {
		t.Helper()
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "newcomer_posts" || wrong.N != 3 {
			t.Errorf("%s above the limit: %v", what, err)
		}
	}
	_, err := s.AddComment(ctx, s.user("anna"), post, NewComment{Text: "x"})
	refused("a comment", err)
	_, err = s.CreatePost(ctx, s.user("anna"), NewPost{To: []string{"user"}, Text: "x"})
	refused("a post", err)
	s.must(s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new("an edit is no new post")}))
	s.wait(24 * time.Hour)
	s.comment("anna", post)

	_, err = s.db.Pool.Exec(ctx, `update users set admin = true where name = 'bert'`)
	s.must(err)
	for range 5 {
		s.comment("bert", post)
	}
	s.wait(24*time.Hour + time.Millisecond) // the account is two days old
	for range 5 {
		s.comment("anna", post)
	}
}

// TestHeldPosts: a post with a link by a new person is read by its author alone until an administrator
// of the site publishes or deletes it.
func TestHeldPosts(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name in ('dora', 'eva')`)
	s.must(err)
	s.follow("bert", "kitchen")
	s.setSite(SiteEdit{"newcomers.days": "1"})
	const linked = "see https://example.org/ now"
	write := func(who string, to ...string) (PostID, error) {
		return s.CreatePost(ctx, s.user(who), NewPost{To: to, Text: linked})
	}
	readers := func(id PostID) (all []string) {
		for _, who := range []string{"anna", "bert", "carl", "dora"} {
			if _, err := readablePlaces(ctx, s.db.Pool, s.sets(who), id); err == nil {
				all = append(all, who)
			}
		}
		return all
	}
	first, err := write("bert", "user", "group:kitchen")
	s.must(err)
	second, err := write("bert", "user")
	s.must(err)
	free, err := write("eva", "user") // an administrator is not new
	s.must(err)
	own, err := write("bert", "user_fyeo")
	s.must(err)
	for id, want := range map[PostID][]string{first: {"bert"}, second: {"bert"}, own: {"bert"}, free: {"anna", "bert", "carl", "dora"}} {
		if got := readers(id); !slices.Equal(got, want) {
			t.Errorf("post %d is read by %v, want %v", id, got, want)
		}
	}
	for name, err := range map[string]error{
		"a direct":          func() error { _, err := write("bert", "direct:anna"); return err }(),
		"a comment":         func() error { _, err := s.AddComment(ctx, s.user("bert"), free, NewComment{Text: linked}); return err }(),
		"an edit of a post": s.EditPost(ctx, s.user("anna"), s.post("anna"), PostEdit{Text: new(linked)}),
	} {
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "newcomer_link" || wrong.N != 1 {
			t.Errorf("%s with a link: %v", name, err)
		}
	}
	if err := s.EditPost(ctx, s.user("bert"), first, PostEdit{To: []string{"user"}}); func() bool {
		wrong, is := errors.AsType[*InvalidError](err)
		return !is || wrong.Code != "held"
	}() {
		t.Errorf("the author moves a post that waits: %v", err)
	}

	held, users, err := s.HeldPosts(ctx, s.user("dora"), 10)
	s.must(err)
	if len(held) != 2 || held[0].ID != first || held[1].ID != second || held[0].Text != linked || !slices.Equal(held[0].To, []string{"user", "group:kitchen"}) || users[s.user("bert")] == nil {
		t.Errorf("the posts that wait are %+v, want %d and %d", held, first, second)
	}
	for who, want := range map[string]error{"anna": ErrForbidden, "bert": ErrForbidden} {
		if _, _, err := s.HeldPosts(ctx, s.user(who), 10); !errors.Is(err, want) {
			t.Errorf("%s reads the posts that wait: %v", who, err)
		}
		if err := s.ReleasePost(ctx, s.user(who), first); !errors.Is(err, want) {
			t.Errorf("%s publishes: %v", who, err)
		}
		if err := s.RefusePost(ctx, s.user(who), first, ""); !errors.Is(err, want) {
			t.Errorf("%s refuses: %v", who, err)
		}
	}
	if err := s.ReleasePost(AsMember(ctx), s.user("dora"), first); !errors.Is(err, ErrForbidden) {
		t.Errorf("an administrator without an administrator's rights publishes: %v", err)
	}
	s.must(s.ReleasePost(ctx, s.user("dora"), first))
	if got, want := readers(first), []string{"anna", "bert", "carl", "dora"}; !slices.Equal(got, want) {
		t.Errorf("the published post is read by %v, want %v", got, want)
	}
	s.must(s.RefusePost(ctx, s.user("dora"), second, "no advertising"))
	if got := readers(second); got != nil {
		t.Errorf("the deleted post is read by %v", got)
	}
	for _, decide := range []func(context.Context, UserID, PostID) error{s.ReleasePost, func(ctx context.Context, who UserID, id PostID) error { return s.RefusePost(ctx, who, id, "") }} {
		for _, id := range []PostID{first, second, free, 1} {
			if err := decide(ctx, s.user("dora"), id); !errors.Is(err, ErrConflict) {
				t.Errorf("post %d, which does not wait: %v, want ErrConflict", id, err)
			}
		}
	}
	journal, err := s.Journal(ctx, s.user("dora"), 2)
	if err != nil || len(journal) != 2 || journal[0].Act != ActDeletePost || journal[0].Reason != "no advertising" || journal[1].Act != ActRelease {
		t.Errorf("the journal has %+v, %v", journal, err)
	}
	s.checkPosts()
}

// TestReleaseOfAPostWithoutAPlace: a post whose author may not post there any more goes on waiting.
func TestReleaseOfAPostWithoutAPlace(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name = 'dora'`)
	s.must(err)
	s.follow("bert", "kitchen")
	s.setSite(SiteEdit{"newcomers.days": "1"})
	id, err := s.CreatePost(ctx, s.user("bert"), NewPost{To: []string{"group:kitchen"}, Text: "http://example.org"})
	s.must(err)
	s.must(s.Exclude(ctx, s.user("eva"), FeedName{Name: "kitchen"}, "bert"))
	if err := s.ReleasePost(ctx, s.user("dora"), id); !errors.Is(err, ErrConflict) {
		t.Errorf("released: %v, want ErrConflict", err)
	}
	if held, _, err := s.HeldPosts(ctx, s.user("dora"), 1); err != nil || len(held) != 1 {
		t.Errorf("the post waits no longer: %v, %v", held, err)
	}
	s.must(s.RefusePost(ctx, s.user("dora"), id, ""))
}
