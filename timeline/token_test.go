package timeline

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		names []string
		want  Scopes
		back  []string
	}{
		{nil, ScopeRead | ScopeWrite, []string{"read", "write"}},
		{[]string{"admin", "read", "admin"}, ScopeRead | ScopeAdmin, []string{"read", "admin"}},
		{[]string{"write"}, ScopeWrite, []string{"write"}},
	} {
		got, err := ParseScopes(tt.names)
		if err != nil || got != tt.want || !slices.Equal(got.Names(), tt.back) {
			t.Errorf("%v: %v %v", tt.names, got.Names(), err)
		}
	}
	for _, bad := range []string{"", "Read", "root", "read write"} {
		if _, err := ParseScopes([]string{"read", bad}); !isErr(err, errInvalid) {
			t.Errorf("%q passes for a scope: %v", bad, err)
		}
	}
	if ScopeRead.Has(ScopeRead|ScopeWrite) || !AllScopes.Has(ScopeAdmin) {
		t.Error("Has")
	}
}

// TestTokenExpires: a token is refused from the moment at which it expires. It stays in the list for
// thirty days, and is deleted then.
func TestTokenExpires(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	ends := s.clock.Add(time.Hour)
	secret, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Expires: ends})
	s.must(err)
	forever, err := s.NewToken(ctx, anna, TokenSpec{Name: "another", Scopes: ScopeRead})
	s.must(err)
	who, err := s.Token(ctx, secret)
	s.must(err)
	if !who.Expires.Equal(ends) || who.Scopes != DefaultScopes || who.TokenID == 0 {
		t.Errorf("the identity is %+v", who)
	}
	s.wait(time.Hour - time.Millisecond)
	if _, err := s.Token(ctx, secret); err != nil {
		t.Errorf("a millisecond before the end: %v", err)
	}
	if held, err := s.Bearer(ctx, digest(secret)[:6]); err != nil || !held.Expires.Equal(ends) {
		t.Errorf("a millisecond before the end, the bearer is %+v, %v", held, err)
	}
	s.wait(time.Millisecond)
	if _, err := s.Token(ctx, secret); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("at the end: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.Bearer(ctx, digest(secret)[:6]); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("at the end, the bearer: %v, want %v", err, ErrUnauthorized)
	}
	names := func() (all []string) {
		tokens, err := s.Tokens(ctx, anna)
		s.must(err)
		for _, one := range tokens {
			all = append(all, fmt.Sprint(one.Name, " ", one.Expired(s.clock)))
		}
		return all
	}
	s.wait(tokenKept - time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if got := names(); !slices.Equal(got, []string{"another false", "bot true"}) {
		t.Errorf("the list is %q", got)
	}
	s.wait(time.Hour + time.Second)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if got := names(); !slices.Equal(got, []string{"another false"}) {
		t.Errorf("after a month the list is %q", got)
	}
	if who, err := s.Token(ctx, forever); err != nil || who.Scopes != ScopeRead || !who.Expires.IsZero() {
		t.Errorf("a token without end: %+v, %v", who, err)
	}
	for name, bad := range map[string]time.Time{"the past": s.clock.Add(-time.Second), "this moment": s.clock} {
		if _, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Expires: bad}); !isErr(err, errInvalid) {
			t.Errorf("a token that ends in %s: %v", name, err)
		}
	}
}

// TestTokenOfANodeBefore: a token made by a node of the previous version, which knows no scopes, has the
// default scopes.
func TestTokenOfANodeBefore(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	_, err := s.db.Pool.Exec(t.Context(), `insert into api_tokens (token_hash, user_id, name, created_at) values ($1, $2, 'old', $3)`,
		digest("secret"), s.user("anna"), s.clock)
	s.must(err)
	who, err := s.Token(t.Context(), "secret")
	s.must(err)
	if who.Scopes != DefaultScopes {
		t.Errorf("the scopes are %v", who.Scopes.Names())
	}
}

func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	_, err := s.db.Pool.Exec(t.Context(), `insert into api_tokens (token_hash, user_id, name, created_at)
		select sha256(n::text::bytea), $1, 'bot', $2 from generate_series(1, $3) n`, s.user("anna"), s.clock, maxTokens-1)
	s.must(err)
	_, err = s.NewToken(t.Context(), s.user("anna"), TokenSpec{Name: "the last"})
	s.must(err)
	if _, err := s.NewToken(t.Context(), s.user("anna"), TokenSpec{Name: "one more"}); !isErr(err, errInvalid) {
		t.Errorf("token %d: %v", maxTokens+1, err)
	}
}
