package timeline

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// TestBearer: the beginning of a hash finds its session or token while the session or token is
// valid; other bytes find nothing.
func TestBearer(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	session, err := s.NewSession(ctx, anna, false, "")
	s.must(err)
	token, err := s.NewToken(ctx, s.user("bert"), TokenSpec{Name: "bot", Scopes: AllScopes})
	s.must(err)
	check := func(when, secret string, want UserID) {
		t.Helper()
		held, err := s.Bearer(ctx, digest(secret)[:6])
		switch {
		case want == 0 && !errors.Is(err, ErrUnauthorized):
			t.Errorf("%s: %v, want %v", when, err, ErrUnauthorized)
		case want != 0 && (err != nil || held.User != want || !bytes.Equal(held.Hash, digest(secret))):
			t.Errorf("%s: user %d with %x, %v; want user %d", when, held.User, held.Hash, err, want)
		}
	}
	check("a session", session, anna)
	check("a token", token, s.user("bert"))
	check("no secret", "another", 0)
	for _, begins := range [][]byte{nil, {}, bytes.Repeat([]byte{1}, 33)} {
		if _, err := s.Bearer(ctx, begins); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%d bytes: %v", len(begins), err)
		}
	}
	_, err = s.db.Pool.Exec(ctx, `insert into sessions (token_hash, user_id, remember, agent, created_at, seen_at)
		select set_byte(token_hash, 31, 255 - get_byte(token_hash, 31)), user_id, remember, agent, created_at, seen_at from sessions`)
	s.must(err)
	check("two sessions that begin alike", session, 0)
	s.must(s.EndSession(ctx, session))
	_, err = s.db.Pool.Exec(ctx, `delete from sessions`)
	s.must(err)
	check("a session that was ended", session, 0)

	session, err = s.NewSession(ctx, anna, false, "")
	s.must(err)
	s.wait(sessionFor + time.Second)
	check("an expired session", session, 0)
	s.must(s.Suspend(ctx, s.user("bert")))
	check("a token of a suspended person", token, 0)
	token, err = s.NewToken(ctx, anna, TokenSpec{Name: "bot", Scopes: AllScopes})
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `update users set suspended_at = now()`)
	s.must(err)
	check("a token of a person who is suspended in this moment", token, 0)
}
