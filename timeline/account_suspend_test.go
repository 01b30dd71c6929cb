package timeline

import (
	"errors"
	"testing"
)

func TestSuspend(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.exec(`update users set admin = true`)
	session, err := s.SignIn(ctx, "anna", "correct horse", Client{}, true, "")
	s.must(err)
	token, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Scopes: AllScopes})
	s.must(err)
	link, err := s.NewLink(ctx, anna)
	s.must(err)
	others, err := s.NewSession(ctx, bert, true, "")
	s.must(err)
	var its []TimelineID
	kinds, _ := userTimelines(StatusDeleted)
	for _, what := range kinds {
		its = append(its, s.timeline(what, "anna"))
	}
	ended := []Change{
		{Kind: ChangeAccess, User: anna, Timelines: its},
		{Kind: ChangeCard, User: anna},
		{Kind: ChangeSession, User: anna, Token: digest(session)},
		{Kind: ChangeSession, User: anna, Token: digest(token)},
		{Kind: ChangeViewer, User: anna},
	}
	s.same(ended, s.changesOf(func() {
		s.must(s.Suspend(ctx, anna))
		s.must(s.Suspend(ctx, anna)) // changes nothing more
	}))
	for name, try := range map[string]func() error{
		"a session":  func() error { _, err := s.Session(ctx, session); return err },
		"a token":    func() error { _, err := s.Token(ctx, token); return err },
		"a link":     func() error { _, err := s.UseLink(ctx, link, true, ""); return err },
		"a password": func() error { _, err := s.SignIn(ctx, "anna", "correct horse", Client{}, true, ""); return err },
	} {
		if err := try(); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s of a suspended person: %v", name, err)
		}
	}
	if _, err := s.Session(ctx, others); err != nil {
		t.Errorf("another's session: %v", err)
	}
	opened := []Change{
		{Kind: ChangeAccess, User: anna, Timelines: its}, {Kind: ChangeCard, User: anna},
	}
	s.runAccountJobs()
	s.same([]Change{{Kind: ChangeViewer, User: anna}}, s.changesOf(func() {
		s.must(s.Restore(ctx, anna))
		s.must(s.Restore(ctx, anna))
	}))
	s.same(opened, s.changesOf(func() { s.runAccountJobs() }))
	if _, err := s.Token(ctx, token); err != nil {
		t.Errorf("a token of a restored person: %v", err)
	}
	if _, err := s.Session(ctx, session); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a session of a restored person: %v", err)
	}
	if _, err := s.SignIn(ctx, "anna", "correct horse", Client{}, true, ""); err != nil {
		t.Errorf("a password of a restored person: %v", err)
	}

	// A sign-in that began before the suspension leaves no session either.
	err = s.meanwhile(func(tx *txn) error { return s.addSession(ctx, tx, newSecret(), anna, true, "") },
		func() error { return s.Suspend(ctx, anna) })
	if n := one[int](s, `select count(*) from sessions where user_id = $1`, anna); n != 0 || err != nil {
		t.Errorf("%d sessions are left, %v", n, err)
	}
}

// A restored person changes the status before the job shows again what the person wrote. The timelines open once, in the change
// upon which nodes show the posts, also a post of the time between.
func TestStatusOfRestoredPersonOpensTimelinesWithTheJob(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	s.must(s.Suspend(ctx, anna))
	s.runAccountJobs()
	s.must(s.Restore(ctx, anna))
	for _, status := range []string{"private", "disallow-robots"} {
		s.must(s.SetProfile(ctx, anna, ProfileEdit{Status: &status}))
	}
	const open = `select count(*) from timelines where their_id = $1 and what like 'user%' and access <> 'closed'`
	if n := one[int](s, open, anna); n != 0 {
		t.Errorf("%d timelines are open before the job", n)
	}
	var its []TimelineID
	kinds, access := userTimelines("disallow-robots")
	for _, what := range kinds {
		its = append(its, s.timeline(what, "anna"))
	}
	s.same([]Change{{Kind: ChangeAccess, User: anna, Timelines: its}, {Kind: ChangeCard, User: anna}}, s.changesOf(func() { s.runAccountJobs() }))
	for i, what := range kinds {
		if got := one[Access](s, `select access from timelines where what = $1 and their_id = $2`, what, anna); got != access[i] {
			t.Errorf("%s is %s after the job, want %s", what, got, access[i])
		}
	}
}

func TestSuspendRefuses(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	s.exec(`update users set admin = name = 'anna'`)
	for name, try := range map[string]struct {
		do   func() error
		want error
	}{
		"suspend an unknown account":     {func() error { return s.Suspend(ctx, 999) }, ErrNotFound},
		"restore an unknown account":     {func() error { return s.Restore(ctx, 999) }, ErrNotFound},
		"suspend the last administrator": {func() error { return s.Suspend(ctx, s.user("anna")) }, ErrConflict},
	} {
		if err := try.do(); !errors.Is(err, try.want) {
			t.Errorf("%s: %v, want %v", name, err, try.want)
		}
	}
	s.exec(`update users set admin = true`)
	s.must(s.Suspend(ctx, s.user("anna")))
	if err := s.Suspend(ctx, s.user("bert")); !errors.Is(err, ErrConflict) {
		t.Errorf("the other one: %v", err)
	}
}

// TestSuspendedWhileSigningIn suspends a person while their password is compared: they are
// not signed in.
func TestSuspendedWhileSigningIn(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	var session string
	err := s.meanwhile(func(tx *txn) error {
		if _, err := tx.Exec(ctx, `update users set suspended_at = now() where id = $1`, anna); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `delete from sessions where user_id = $1`, anna)
		return err
	}, func() (err error) {
		session, err = s.SignIn(ctx, "anna", "correct horse", Client{}, true, "")
		return err
	})
	if n := one[int](s, `select count(*) from sessions`); n != 0 || !errors.Is(err, ErrUnauthorized) {
		t.Errorf("%d sessions, %v", n, err)
	}
	s.must(s.Restore(ctx, anna))
	if _, err := s.Session(ctx, session); err == nil {
		t.Error("a session from before the suspension is good after the person was restored")
	}
}
