package web

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

const (
	// identityFresh is how long an identity is believed without a look at the
	// primary; one that ends is dropped at once, see [Server.Ended].
	identityFresh = 30 * time.Second
	// identityOpen is how long it is believed of who opens a socket, while the node
	// follows the log, by which it hears of what ends: a thousand pages that come
	// back at once ask the primary nothing.
	identityOpen = 24 * time.Hour
	// identityStale is how long it is believed while the primary is away.
	identityStale = 10 * time.Minute
	// lookWithin is how long the primary may take to say whose a secret is: after
	// that it counts as away, as where a network drops what is sent.
	lookWithin = 3 * time.Second
	// identitiesHeld bounds how many are remembered.
	identitiesHeld = 20_000
)

// visitor is who asks; User 0 is somebody who is not signed in.
type visitor struct {
	timeline.Identity
	secret string // of the session, where it is one
}

// signedIn says whether the visitor is somebody.
func (v *visitor) signedIn() bool { return v.User != 0 }

// identities remember whose secret is whose, so that a page of somebody signed
// in costs no query, and is shown while the primary is away.
type identities struct {
	store interface {
		Session(ctx context.Context, secret string) (*timeline.Identity, error)
		Token(ctx context.Context, secret string) (*timeline.Identity, error)
	}
	now  func() time.Time
	held *cache.Cache[[sha256.Size]byte, *timeline.Identity]

	mu    sync.Mutex // of what is kept, or forgotten
	ended uint64     // how many have ended; a look that began before one isn't kept
}

// of finds who holds a session's secret, or a token; what was found a while ago is
// believed for so long.
func (c *identities) of(ctx context.Context, secret string, token bool, fresh time.Duration) (_ *timeline.Identity, looked bool, err error) {
	key := sha256.Sum256([]byte(secret))
	ended := c.endings()
	held, at, was := c.held.Get(key)
	was = was && held.Token == token
	now := c.now()
	expired := was && !held.Expires.IsZero() && now.After(held.Expires)
	if was && !expired && now.Sub(at) < fresh {
		return held, false, nil
	}
	identity, err := c.look(ctx, secret, token)
	switch {
	case err == nil:
		c.keep(key, identity, now, ended)
		return identity, true, nil
	case errors.Is(err, timeline.ErrUnavailable) && was && now.Sub(at) < identityStale && c.endings() == ended:
		return held, false, nil
	}
	return nil, true, err
}

// look asks the primary.
func (c *identities) look(ctx context.Context, secret string, token bool) (*timeline.Identity, error) {
	limited, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	find := c.store.Session
	if token {
		find = c.store.Token
	}
	identity, err := find(limited, secret)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no answer within %v: %w: %w", lookWithin, timeline.ErrUnavailable, err)
	}
	return identity, err
}

// endings counts what has ended.
func (c *identities) endings() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// keep remembers what was found, unless something ended since the look began.
func (c *identities) keep(key [sha256.Size]byte, found *timeline.Identity, at time.Time, ended uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == ended {
		c.held.Put(key, found, at)
	}
}

// drop forgets all that the function picks.
func (c *identities) drop(pick func(*timeline.Identity) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended++
	c.held.DropIf(pick)
}

// forget drops what is known by a secret's hash.
func (c *identities) forget(hash []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended++
	if len(hash) == sha256.Size {
		c.held.Drop([sha256.Size]byte(hash))
	}
}

// forgetAll drops all that is known.
func (c *identities) forgetAll() { c.drop(func(*timeline.Identity) bool { return true }) }

// renew has a person's identities looked up anew, after the name that is shown
// of him changed.
func (c *identities) renew(user timeline.UserID) {
	c.drop(func(of *timeline.Identity) bool { return of.User == user })
}
