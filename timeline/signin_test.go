package timeline

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// withPassword is a site with Anna, who has an address and a password.
func withPassword(t *testing.T) *site {
	t.Helper()
	s := newSite(t, "bert")
	id, err := s.SignUp(t.Context(), NewUser{Name: "anna", Email: "Anna@example.org", Password: "correct horse"})
	s.must(err)
	s.people["anna"] = id
	return s
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	for _, tt := range []struct {
		login, password string
		err             error
	}{
		{"anna", "correct horse", nil},
		{" ANNA ", "correct horse", nil},
		{"anna@EXAMPLE.org", "correct horse", nil},
		{"anna", "wrong horse", ErrUnauthorized},
		{"anna", "", ErrUnauthorized},
		{"bert", "", ErrUnauthorized}, // has no password
		{"bert", "nobody's password", ErrUnauthorized},
		{"nobody", "nobody's password", ErrUnauthorized},
		{"\xff\x00", "correct horse", ErrUnauthorized},
		{"", "", ErrUnauthorized},
	} {
		who, err := s.Authenticate(t.Context(), tt.login, tt.password, "::1")
		if !errors.Is(err, tt.err) || err == nil && who != s.user("anna") {
			t.Errorf("%q with %q: user %d, %v; want %v", tt.login, tt.password, who, err, tt.err)
		}
		secret, err := s.SignIn(t.Context(), tt.login, tt.password, "::1", false, "")
		if !errors.Is(err, tt.err) {
			t.Errorf("%q signs in with %q: %v; want %v", tt.login, tt.password, err, tt.err)
		}
		if who, err := s.Session(t.Context(), secret); tt.err == nil && (err != nil || who.User != s.user("anna")) {
			t.Errorf("%q is signed in as %+v, %v", tt.login, who, err)
		}
	}
}

func TestThrottleAccount(t *testing.T) {
	t.Parallel()
	for _, login := range []string{"anna", "nobody"} {
		s := withPassword(t)
		ctx := t.Context()
		// Many at once are no more than many in a row.
		var throttled, refused atomic.Int64
		var wg sync.WaitGroup
		for i := range 3 * failuresAccount {
			wg.Go(func() {
				_, err := s.Authenticate(ctx, login, "wrong", fmt.Sprint("10.0.0.", i))
				switch {
				case errors.Is(err, ErrThrottled):
					throttled.Add(1)
				case errors.Is(err, ErrUnauthorized):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if refused.Load() != failuresAccount || throttled.Load() != 2*failuresAccount {
			t.Errorf("%s: %d tries were looked at and %d not", login, refused.Load(), throttled.Load())
		}
		if _, err := s.Authenticate(ctx, login, "correct horse", "::1"); !errors.Is(err, ErrThrottled) {
			t.Errorf("%s with the right password: %v, want %v", login, err, ErrThrottled)
		}
		if _, err := s.Authenticate(ctx, "bert", "wrong", "::1"); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("another account: %v, want %v", err, ErrUnauthorized)
		}
	}
	s := withPassword(t)
	for range failuresAccount {
		_, err := s.Authenticate(t.Context(), "anna", "wrong", "::1")
		if !errors.Is(err, ErrUnauthorized) {
			t.Fatal(err)
		}
	}
	s.wait(SignInWindow + time.Second)
	if _, err := s.Authenticate(t.Context(), "anna", "correct horse", "::1"); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func TestThrottleAddress(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx := t.Context()
	for i := range failuresAddress {
		// Whoever signs in between has not failed.
		if _, err := s.Authenticate(ctx, "anna", "correct horse", "10.0.0.1"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Authenticate(ctx, fmt.Sprint("guess", i), "wrong", "10.0.0.1"); !errors.Is(err, ErrUnauthorized) {
			t.Fatal(err)
		}
	}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", "10.0.0.1"); !errors.Is(err, ErrThrottled) {
		t.Errorf("%v, want %v", err, ErrThrottled)
	}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", "10.0.0.2"); err != nil {
		t.Errorf("from another address: %v", err)
	}
}

// TestAPasswordThatChangesMeanwhileSignsNobodyIn changes the password while somebody
// signs in by the old one, or by a link: no session is left that the change did
// not end.
func TestAPasswordThatChangesMeanwhileSignsNobodyIn(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	link, err := s.NewLink(ctx, anna)
	s.must(err)
	for name, signIn := range map[string]func() error{
		"password": func() error { _, err := s.SignIn(ctx, "anna", "correct horse", "::1", true, ""); return err },
		"link":     func() error { _, err := s.UseLink(ctx, link, true, ""); return err },
	} {
		err := s.meanwhile(func(tx *txn) error {
			if _, err := tx.Exec(ctx, `update users set password_hash = 'another' where id = $1`, anna); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `delete from sign_in_links where user_id = $1`, anna)
			return err
		}, signIn)
		if n := one[int](s, `select count(*) from sessions`); n != 0 || !errors.Is(err, ErrUnauthorized) {
			t.Errorf("by %s: %d sessions, %v", name, n, err)
		}
		// And who was first is ended by the change.
		s.must(s.SetPassword(ctx, anna, "correct horse"))
		link, err = s.NewLink(ctx, anna)
		s.must(err)
		err = s.meanwhile(func(tx *txn) error {
			if err := tx.QueryRow(ctx, `select from users where id = $1 for share`, anna).Scan(); err != nil {
				return err
			}
			return s.addSession(ctx, tx, newSecret(), anna, true, "")
		}, func() error { return s.SetPassword(ctx, anna, "correct horse") })
		if n := one[int](s, `select count(*) from sessions`); n != 0 || err != nil {
			t.Errorf("before the change, by %s: %d sessions, %v", name, n, err)
		}
		link, err = s.NewLink(ctx, anna)
		s.must(err)
	}
}

func TestSetPassword(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	session, err := s.NewSession(ctx, anna, true, "")
	s.must(err)
	other, err := s.NewSession(ctx, anna, false, "")
	s.must(err)
	token, err := s.NewToken(ctx, anna, "bot")
	s.must(err)
	link, err := s.NewLink(ctx, anna)
	s.must(err)
	s.same([]Change{
		{Kind: ChangeSession, User: anna, Token: digest(session)},
		{Kind: ChangeSession, User: anna, Token: digest(other)},
	}, s.changesOf(func() { s.must(s.SetPassword(ctx, anna, "battery staple")) }))
	if _, err := s.Session(ctx, session); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an old session: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.UseLink(ctx, link, true, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an old link: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.Token(ctx, token); err != nil {
		t.Errorf("a token: %v", err)
	}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", "::1"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("the old password: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.Authenticate(ctx, "anna", "battery staple", "::1"); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if err := s.SetPassword(ctx, 999, "battery staple"); !errors.Is(err, ErrNotFound) {
		t.Errorf("nobody's password: %v, want %v", err, ErrNotFound)
	}
}
