package web

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

// A ledger is a store that counts its queries.
type ledger struct {
	asked  int
	err    error
	during func() // called during a query
	silent bool   // the store does not answer

	expires time.Time
}

func (l *ledger) Session(ctx context.Context, secret string) (*timeline.Identity, error) {
	l.asked++
	if l.during != nil {
		l.during()
	}
	if l.silent {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if l.err != nil {
		return nil, l.err
	}
	hash := sha256.Sum256([]byte(secret))
	return &timeline.Identity{User: 7, Name: "alice", Hash: hash[:], Expires: l.expires}, nil
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
	c := &identities{store: l, now: func() time.Time { return now }, held: cache.New[[sha256.Size]byte, *timeline.Identity](2)}
	want := func(when string, asked int, broken error) {
		t.Helper()
		who, _, err := c.identify(t.Context(), "secret", false, identityFresh)
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
	c.forgetUser(7)
	want("after the name changed", 4, nil)
	c.forgetUser(8)
	want("after another person's changed", 4, nil)

	// The secret of a session is not accepted as a token.
	if _, _, err := c.identify(t.Context(), "secret", true, identityFresh); err != nil || l.asked != 5 {
		t.Errorf("as a token: %v after %d looks", err, l.asked)
	}
	want("a session again", 6, nil)

	// While the primary is away, cached identities are valid, but not for ever.
	l.err = fmt.Errorf("session: %w", timeline.ErrUnavailable)
	now = now.Add(identityFresh)
	want("while the primary is away", 7, nil)
	now = now.Add(identityStale)
	want("long after", 8, timeline.ErrUnavailable)
	l.err = timeline.ErrUnauthorized
	want("when it ended meanwhile", 9, timeline.ErrUnauthorized)

	// If a session ends while it is looked up, its identity is not cached.
	l.err, l.during = nil, func() { c.forget(hash[:]) }
	want("while it ends", 10, nil)
	l.during = nil
	want("and after", 11, nil)
}

// TestPrimaryThatDoesNotAnswerIsAway: the primary accepts queries and never answers. Clients
// with a cached identity go on, and no request waits for the primary for long.
func TestPrimaryThatDoesNotAnswerIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{}
		c := &identities{store: l, now: time.Now, held: cache.New[[sha256.Size]byte, *timeline.Identity](2)}
		if _, _, err := c.identify(t.Context(), "secret", false, identityFresh); err != nil {
			t.Fatal(err)
		}
		l.silent = true
		time.Sleep(identityFresh)
		began := time.Now()
		if who, looked, err := c.identify(t.Context(), "secret", false, identityFresh); err != nil || looked || who.User != 7 {
			t.Errorf("a known session: %v, looked up %v, %v", who, looked, err)
		}
		if _, _, err := c.identify(t.Context(), "another", false, identityFresh); !errors.Is(err, timeline.ErrUnavailable) {
			t.Errorf("an unknown session: %v", err)
		}
		if took := time.Since(began); took != 2*lookWithin {
			t.Errorf("two looks took %v", took)
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, _, err := c.identify(left, "another", false, identityFresh); !errors.Is(err, context.Canceled) || errors.Is(err, timeline.ErrUnavailable) {
			t.Errorf("an ended session: %v", err)
		}
	})
}

// TestSessionThatEndsDuringItsLookUpIsNotCached lets sessions end while they are looked up: in each order of the
// two, the cache does not keep the ended session.
func TestSessionThatEndsDuringItsLookUpIsNotCached(t *testing.T) {
	t.Parallel()
	for i := range 2000 {
		var over atomic.Bool
		l := &mortal{over: &over, asked: make(chan struct{}, 2)}
		c := &identities{store: l, now: time.Now, held: cache.New[[sha256.Size]byte, *timeline.Identity](2)}
		hash := sha256.Sum256([]byte("secret"))
		var wg sync.WaitGroup
		wg.Go(func() { _, _, _ = c.identify(t.Context(), "secret", false, identityFresh) })
		wg.Go(func() {
			<-l.asked
			over.Store(true)
			c.forget(hash[:])
		})
		wg.Wait()
		if _, _, err := c.identify(t.Context(), "secret", false, identityFresh); !errors.Is(err, timeline.ErrUnauthorized) {
			t.Fatalf("try %d: after its end the session is still believed: %v", i, err)
		}
	}
}

// A mortal is a store of one session, which ends.
type mortal struct {
	over  *atomic.Bool
	asked chan struct{}
}

func (m *mortal) Session(context.Context, string) (*timeline.Identity, error) {
	over := m.over.Load()
	m.asked <- struct{}{}
	if over {
		return nil, timeline.ErrUnauthorized
	}
	return &timeline.Identity{User: 7}, nil
}

func (m *mortal) Token(ctx context.Context, secret string) (*timeline.Identity, error) {
	return m.Session(ctx, secret)
}

// TestIdentityOfAnOpenPage: a page that opens a socket again after hours is identified from
// the cache, without a query, unless its session has expired or ended.
func TestIdentityOfAnOpenPage(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	l := &ledger{expires: now.Add(12 * time.Hour)}
	c := &identities{store: l, now: func() time.Time { return now }, held: cache.New[[sha256.Size]byte, *timeline.Identity](2)}
	want := func(when string, asked int) {
		t.Helper()
		if who, _, err := c.identify(t.Context(), "secret", false, identityOpen); err != nil || who.User != 7 || l.asked != asked {
			t.Errorf("%s: %v, %v after %d looks, want %d", when, who, err, l.asked, asked)
		}
	}
	want("at first", 1)
	now = now.Add(11 * time.Hour)
	want("after hours", 1)
	now = now.Add(2 * time.Hour)
	want("after it expired", 2)
	l.expires = time.Time{}
	c.forgetAll()
	want("after it ended", 3)
	now = now.Add(identityOpen)
	want("after a day", 4)
}
