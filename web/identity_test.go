package web

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// ledger is a store that counts how often it is asked.
type ledger struct {
	asked  int
	err    error
	during func() // called while it looks
}

func (l *ledger) Session(_ context.Context, secret string) (*timeline.Identity, error) {
	l.asked++
	if l.during != nil {
		l.during()
	}
	if l.err != nil {
		return nil, l.err
	}
	hash := sha256.Sum256([]byte(secret))
	return &timeline.Identity{User: 7, Name: "alice", Hash: hash[:]}, nil
}

func (l *ledger) Token(ctx context.Context, secret string) (*timeline.Identity, error) {
	who, err := l.Session(ctx, secret)
	if err == nil {
		who.Token = true
	}
	return who, err
}

func TestIdentitiesAreRemembered(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	l := &ledger{}
	c := &identities{store: l, now: func() time.Time { return now }, held: newBounded[[sha256.Size]byte, known](2)}
	want := func(when string, asked int, broken error) {
		t.Helper()
		who, _, err := c.of(t.Context(), "secret", false)
		if l.asked != asked || !errors.Is(err, broken) || err == nil && who.User != 7 {
			t.Errorf("%s: %v, %v after %d looks, want %d", when, who, err, l.asked, asked)
		}
	}
	want("at first", 1, nil)
	want("at once again", 1, nil)
	now = now.Add(identityFresh)
	want("after a while", 2, nil)
	hash := sha256.Sum256([]byte("secret"))
	c.forget(hash[:])
	want("after it ended", 3, nil)
	c.renew(7)
	want("after the name changed", 4, nil)
	c.renew(8)
	want("after somebody else's changed", 4, nil)

	// A token is not a session, whoever finds out its secret.
	if _, _, err := c.of(t.Context(), "secret", true); err != nil || l.asked != 5 {
		t.Errorf("as a token: %v after %d looks", err, l.asked)
	}
	want("a session again", 6, nil)

	// While the primary is away what is known is believed, but not for ever.
	l.err = fmt.Errorf("session: %w", timeline.ErrUnavailable)
	now = now.Add(identityFresh)
	want("while the primary is away", 7, nil)
	now = now.Add(identityStale)
	want("long after", 8, timeline.ErrUnavailable)
	l.err = timeline.ErrUnauthorized
	want("when it ended meanwhile", 9, timeline.ErrUnauthorized)

	// What ends while it is looked up is not remembered.
	l.err, l.during = nil, func() { c.forget(hash[:]) }
	want("while it ends", 10, nil)
	l.during = nil
	want("and after", 11, nil)
}

func TestBounded(t *testing.T) {
	t.Parallel()
	b := newBounded[int, string](10)
	for i := range 100 {
		b.put(i, "x")
	}
	if len(b.held) != 10 {
		t.Errorf("%d are held", len(b.held))
	}
	if _, held := b.get(99); !held {
		t.Error("the last one is not held")
	}
	b.put(99, "y")
	if v, _ := b.get(99); v != "y" || len(b.held) != 10 {
		t.Errorf("%q, and %d are held", v, len(b.held))
	}
	b.drop(99)
	b.dropIf(func(v string) bool { return v == "x" })
	if len(b.held) != 0 {
		t.Errorf("%d are held", len(b.held))
	}
}
