package timeline

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	secret, err := s.NewSession(ctx, s.user("anna"), false, "a browser\xff\x00")
	s.must(err)
	who, err := s.Session(ctx, secret)
	s.must(err)
	if who.User != s.user("anna") || who.Name != "anna" || who.Token || who.Admin || !who.Expires.Equal(s.clock.Add(24*time.Hour)) {
		t.Errorf("identity is %+v", who)
	}
	if n := one[int](s, `select count(*) from sessions where token_hash = $1`, []byte(secret)); n != 0 || strings.Contains(string(who.Hash), secret) {
		t.Error("the secret itself is kept")
	}
	if _, err := s.Session(ctx, secret+"x"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("another secret: %v, want %v", err, ErrUnauthorized)
	}
	s.same([]Change{{Kind: ChangeSession, User: s.user("anna"), Token: who.Hash}}, s.changesOf(func() {
		s.must(s.EndSession(ctx, secret))
		s.must(s.EndSession(ctx, secret))
	}))
	if _, err := s.Session(ctx, secret); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an ended session: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.NewSession(ctx, 999, false, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a session of an unknown person: %v, want %v", err, ErrUnauthorized)
	}
}

func TestSessionSlides(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		remember bool
		lasts    time.Duration
	}{
		{"a session lasts a day from its last use", false, 24 * time.Hour},
		{"one that is remembered lasts thirty days", true, 30 * 24 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna")
			secret, err := s.NewSession(t.Context(), s.user("anna"), tt.remember, "")
			s.must(err)
			for range 3 {
				s.wait(tt.lasts - time.Second)
				if _, err := s.Session(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			}
			s.wait(tt.lasts + time.Second)
			if _, err := s.Session(t.Context(), secret); !errors.Is(err, ErrUnauthorized) {
				t.Errorf("%v, want %v", err, ErrUnauthorized)
			}
		})
	}
}

func TestSessionIsSeenOnceAnHour(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	secret, err := s.NewSession(ctx, s.user("anna"), true, "")
	s.must(err)
	writes := 0
	last := one[time.Time](s, `select seen_at from sessions`)
	for range 12 {
		s.wait(20 * time.Minute)
		if _, err := s.Session(ctx, secret); err != nil {
			t.Fatal(err)
		}
		if seen := one[time.Time](s, `select seen_at from sessions`); !seen.Equal(last) {
			writes, last = writes+1, seen
		}
	}
	if writes != 4 {
		t.Errorf("seen_at was written %d times in four hours, want 4", writes)
	}
}

func TestSignInToSuspendedOrDeletedAccountIsRefused(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		`update users set suspended_at = now()`,
		`update users set status = 'deleted'`,
	} {
		s := newSite(t, "anna")
		ctx, anna := t.Context(), s.user("anna")
		s.must(s.SetPassword(ctx, anna, "correct horse"))
		session, err := s.NewSession(ctx, anna, true, "")
		s.must(err)
		token, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Scopes: AllScopes})
		s.must(err)
		link, err := s.NewLink(ctx, anna)
		s.must(err)
		_, err = s.db.Pool.Exec(ctx, query)
		s.must(err)
		if _, err := s.Session(ctx, session); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: session: %v", query, err)
		}
		if _, err := s.Token(ctx, token); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: token: %v", query, err)
		}
		if _, err := s.UseLink(ctx, link, true, ""); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: link: %v", query, err)
		}
		if _, err := s.Authenticate(ctx, "anna", "correct horse", Client{}); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: password: %v", query, err)
		}
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	secret, err := s.NewToken(ctx, s.user("anna"), TokenSpec{Name: " feed bot ", Scopes: AllScopes})
	s.must(err)
	if !regexp.MustCompile(`^[a-f0-9-]+$`).MatchString(secret) {
		t.Errorf("clients want another form than %q", secret)
	}
	who, err := s.Token(ctx, secret)
	s.must(err)
	if who.User != s.user("anna") || !who.Token {
		t.Errorf("identity is %+v", who)
	}
	tokens, err := s.Tokens(ctx, s.user("anna"))
	s.must(err)
	if len(tokens) != 1 || tokens[0].Name != "feed bot" || tokens[0].SeenAt == nil {
		t.Fatalf("tokens are %+v", tokens)
	}
	if err := s.RevokeToken(ctx, s.user("bert"), tokens[0].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another person revokes the session: %v, want %v", err, ErrNotFound)
	}
	s.same([]Change{{Kind: ChangeSession, User: s.user("anna"), Token: who.Hash}}, s.changesOf(func() {
		s.must(s.RevokeToken(ctx, s.user("anna"), tokens[0].ID))
	}))
	if _, err := s.Token(ctx, secret); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a revoked token: %v, want %v", err, ErrUnauthorized)
	}
}

func TestLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	secret, err := s.NewLink(ctx, s.user("anna"))
	s.must(err)
	late, err := s.NewLink(ctx, s.user("anna"))
	s.must(err)
	session, err := s.UseLink(ctx, secret, true, "a browser")
	s.must(err)
	if who, err := s.Session(ctx, session); err != nil || who.User != s.user("anna") || !who.Expires.Equal(s.clock.Add(30*24*time.Hour)) {
		t.Errorf("the link's session is %+v, %v", who, err)
	}
	if _, err := s.UseLink(ctx, secret, true, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a second time: %v, want %v", err, ErrUnauthorized)
	}
	s.wait(25 * time.Hour)
	if _, err := s.UseLink(ctx, late, true, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("after a day: %v, want %v", err, ErrUnauthorized)
	}
}
