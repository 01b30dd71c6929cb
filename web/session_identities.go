package web

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

const (
	// identityFresh is how long an identity is used before it is read from the primary again.
	// The identity of a session that ends is dropped at once, see [Server.Ended].
	identityFresh = 30 * time.Second
	// identityOpen is how long a cached identity may open a socket, as long as the node follows
	// the change log, which names the ended sessions. So a thousand pages that reconnect at once
	// cost the primary no query.
	identityOpen = 24 * time.Hour
	// identityStale is how long an identity is used while the primary is unavailable.
	identityStale = 10 * time.Minute
	// lookWithin is how long a query for an identity may take. After that the primary
	// counts as unavailable, as when a network silently drops packets.
	lookWithin = 3 * time.Second
	// identitiesHeld bounds how many identities are kept.
	identitiesHeld = 20_000
)

// A visitor is the account that makes a request. User is 0 if the visitor is not signed
// in.
type visitor struct {
	timeline.Identity
	secret string // of the session; empty with a token
}

// signedIn reports whether the visitor has an account.
func (v *visitor) signedIn() bool { return v.User != 0 }

// identities keeps the identity of each secret, so that a page for a signed-in viewer costs no
// query, and can be shown while the primary is unavailable. The key is the SHA-256 of the secret.
// An identity that is dropped while the primary is being asked is not kept; see
// [cache.Cache.Load].
type identities struct {
	store interface {
		Session(ctx context.Context, secret string) (*timeline.Identity, error)
		Token(ctx context.Context, secret string) (*timeline.Identity, error)
	}
	now  func() time.Time
	held *cache.Cache[[sha256.Size]byte, *timeline.Identity]
}

// identify returns the identity that belongs to a session's secret or, if token is set, to an
// API token. An identity that is younger than fresh is returned without a query; looked
// reports whether the primary was asked and answered.
func (c *identities) identify(ctx context.Context, secret string, token bool, fresh time.Duration) (_ *timeline.Identity, looked bool, err error) {
	key := sha256.Sum256([]byte(secret))
	now := c.now()
	heldFor := func(limit time.Duration) *timeline.Identity {
		held, at, ok := c.held.Get(key)
		if !ok || held.Token != token || now.Sub(at) >= limit {
			return nil
		}
		if token && !held.Expires.IsZero() && !now.Before(held.Expires) {
			return nil // the end of a token is fixed; that of a session may have moved on another node
		}
		return held
	}
	if held := heldFor(fresh); held != nil && (held.Expires.IsZero() || !now.After(held.Expires)) {
		return held, false, nil
	}
	identity, err := c.held.Load(key, now, func() (*timeline.Identity, error) { return c.read(ctx, secret, token) })
	if err == nil {
		return identity, true, nil
	}
	if errors.Is(err, timeline.ErrUnavailable) {
		// Read again: the session may have ended while the primary was asked.
		if held := heldFor(identityStale); held != nil {
			return held, false, nil
		}
	}
	return nil, true, err
}

// read reads an identity from the primary.
func (c *identities) read(ctx context.Context, secret string, token bool) (*timeline.Identity, error) {
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

// forget drops the identity of the secret with this SHA-256.
func (c *identities) forget(hash []byte) {
	if len(hash) == sha256.Size {
		c.held.Drop([sha256.Size]byte(hash))
	}
}

// forgetAll drops every identity.
func (c *identities) forgetAll() { c.held.DropIf(func(*timeline.Identity) bool { return true }) }

// forgetUser drops the identities of a person, because their shown name changed.
func (c *identities) forgetUser(user timeline.UserID) {
	c.held.DropIf(func(of *timeline.Identity) bool { return of.User == user })
}
