package timeline

import (
	"errors"
	"testing"
	"time"
)

// setSite changes settings of the site.
func (s *site) setSite(edit SiteEdit) {
	s.t.Helper()
	_, err := s.ArrangeSite(s.t.Context(), edit)
	s.must(err)
}

// TestRefusedWords: no post, comment, name or description gets a word that the site refuses, also by an edit, and the
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
		"a display name":    func() error { return s.SetProfile(ctx, s.user("anna"), ProfileEdit{DisplayName: new(bad)}) },
		"a description":     func() error { return s.SetProfile(ctx, s.user("anna"), ProfileEdit{Description: new(bad)}) },
		"a group": func() error {
			_, err := s.CreateGroup(ctx, s.user("anna"), NewGroup{Name: "watches", Description: bad})
			return err
		},
		"an edited group": func() error { return s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{DisplayName: new(bad)}) },
		"a new person": func() error {
			from := clientFrom(9)
			_, err := s.SignUp(ctx, NewUser{Name: "watcher", Email: "w@example.org", Password: "correct horse", DisplayName: "Cheap watches", Stranger: &from})
			return err
		},
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
