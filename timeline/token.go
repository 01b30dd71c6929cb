package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

const (
	// tokenSeenEvery is the least time between two writes of when a token was last used.
	tokenSeenEvery = time.Minute
	// maxTokens is the largest number of tokens that one person can have; tokens that expired lately
	// count.
	maxTokens = 200
	// tokenKept is how long an expired token stays in the list of its person.
	tokenKept = 30 * 24 * time.Hour
)

// Scopes are the kinds of requests that a token may make, a set of ScopeRead, ScopeWrite and
// ScopeAdmin. No scope includes another.
type Scopes uint8

// The scopes of a token.
const (
	ScopeRead  Scopes = 1 << iota // read what the person may read
	ScopeWrite                    // post, comment, like, subscribe, and change the person's own settings
	ScopeAdmin                    // act as an administrator of groups and of the site

	AllScopes = ScopeRead | ScopeWrite | ScopeAdmin
	// DefaultScopes are the scopes of a token for which none are named.
	DefaultScopes = ScopeRead | ScopeWrite
)

// ScopeNames returns the names of all scopes, in the form of the API and of the primary.
func ScopeNames() []string { return AllScopes.Names() }

// ParseScopes returns the scopes with these names, or [DefaultScopes] if there are no names. It
// returns an [InvalidError] for an unknown name.
func ParseScopes(names []string) (Scopes, error) {
	if len(names) == 0 {
		return DefaultScopes, nil
	}
	var all Scopes
	for _, name := range names {
		one := scopeNamed(name)
		if one == 0 {
			return 0, &InvalidError{Field: "scopes", Reason: "are of read, write and admin", Code: "choice"}
		}
		all |= one
	}
	return all, nil
}

// scopeNamed returns the scope of a name; 0 if there is none.
func scopeNamed(name string) Scopes {
	switch name {
	case "read":
		return ScopeRead
	case "write":
		return ScopeWrite
	case "admin":
		return ScopeAdmin
	}
	return 0
}

// Names returns the names of the scopes, in the order read, write, admin.
func (s Scopes) Names() []string {
	var names []string
	for _, name := range []string{"read", "write", "admin"} {
		if s.Has(scopeNamed(name)) {
			names = append(names, name)
		}
	}
	return names
}

// Has reports whether all of the wanted scopes are among s.
func (s Scopes) Has(wanted Scopes) bool { return s&wanted == wanted }

// scopesOf returns the scopes whose names the primary stores. It leaves out a name that another
// version of the program wrote, because this version can't tell what the scope allows.
func scopesOf(names []string) (all Scopes) {
	for _, name := range names {
		all |= scopeNamed(name)
	}
	return all
}

// A TokenSpec describes a token to make.
type TokenSpec struct {
	Name    string    // the purpose of the token, or the name of the application
	Scopes  Scopes    // 0: [DefaultScopes]
	Expires time.Time // when the token ends; zero: never
}

// TokenInfo describes an API token. The token itself is stored only as a hash.
type TokenInfo struct {
	ID        int64
	Name      string
	Scopes    Scopes
	CreatedAt time.Time
	SeenAt    *time.Time // the last use, to about a minute; nil: never used
	ExpiresAt *time.Time // nil: never
}

// Expired reports whether the token has ended at time now.
func (t TokenInfo) Expired(now time.Time) bool {
	return t.ExpiresAt != nil && !now.Before(*t.ExpiresAt)
}

// NewToken creates a token for an application of the person, and returns its secret. The error is an
// [InvalidError] if the name is not valid, if the token would end at once, or if the person has too
// many tokens.
func (s *Store) NewToken(ctx context.Context, user UserID, spec TokenSpec) (secret string, err error) {
	defer primary.Wrap(&err, "token of user %d", user)
	const count = `select count(*) from api_tokens where user_id = $1`
	const query = `
		insert into api_tokens (token_hash, user_id, name, scopes, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`
	name, err := text.CleanLine("name", spec.Name, text.MaxLabel)
	if err != nil {
		return "", err
	}
	if spec.Scopes == 0 {
		spec.Scopes = DefaultScopes
	}
	now := s.db.Now()
	if !spec.Expires.IsZero() && !spec.Expires.After(now) {
		return "", &InvalidError{Field: "expires_at", Reason: "must be in the future", Code: "past"}
	}
	secret = newUUID()
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, user); err != nil {
			return err
		}
		var has int
		if err := tx.QueryRow(ctx, count, user).Scan(&has); err != nil {
			return err
		}
		if has >= maxTokens {
			return &InvalidError{Field: "name", Reason: fmt.Sprintf("would be of token %d: revoke one that is not used any more", maxTokens+1), Code: "full"}
		}
		_, err := tx.Exec(ctx, query, digest(secret), user, name, spec.Scopes.Names(), now, zeronull.Timestamptz(spec.Expires))
		return err
	})
	return secret, err
}

// Token returns the person of a token's secret. It returns [ErrUnauthorized] if there is no such
// token, or if it has expired.
func (s *Store) Token(ctx context.Context, secret string) (_ *Identity, err error) {
	defer primary.Wrap(&err, "token")
	const query = `
		select u.id, u.name, u.display_name, u.admin, u.page_language, u.theme, u.density, u.time_zone,
			t.id, t.scopes, t.expires_at, coalesce(t.seen_at, 'epoch')
		from api_tokens t join users u on u.id = t.user_id
		where t.token_hash = $1 and (t.expires_at is null or t.expires_at > $2)
			and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update api_tokens set seen_at = $2 where token_hash = $1`
	var (
		who    = Identity{Hash: digest(secret), Token: true}
		scopes []string
		seen   time.Time
		now    = s.db.Now()
	)
	err = s.db.Pool.QueryRow(ctx, query, who.Hash, now).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &who.Language, &who.Theme, &who.Density, &who.TimeZone,
		&who.TokenID, &scopes, (*zeronull.Timestamptz)(&who.Expires), &seen)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("token: %w", ErrUnauthorized)
	}
	if err == nil && now.Sub(seen) >= tokenSeenEvery {
		_, err = s.db.Pool.Exec(ctx, touch, who.Hash, now)
	}
	if err != nil {
		return nil, err
	}
	who.Scopes = scopesOf(scopes)
	return &who, nil
}

// Tokens returns a person's tokens, the newest first. A token stays in the list for thirty days
// after it has expired.
func (s *Store) Tokens(ctx context.Context, user UserID) (_ []TokenInfo, err error) {
	defer primary.Wrap(&err, "tokens of user %d", user)
	const query = `
		select id, name, scopes, created_at, seen_at, expires_at from api_tokens where user_id = $1 order by id desc`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t TokenInfo, err error) {
		var scopes []string
		err = row.Scan(&t.ID, &t.Name, &scopes, &t.CreatedAt, &t.SeenAt, &t.ExpiresAt)
		t.Scopes = scopesOf(scopes)
		return t, err
	})
}

// RevokeToken ends a token of the person's. It returns [ErrNotFound] if the person has no token with
// the id.
func (s *Store) RevokeToken(ctx context.Context, user UserID, id int64) (err error) {
	defer primary.Wrap(&err, "token %d of user %d", id, user)
	const query = `delete from api_tokens where user_id = $1 and id = $2 returning user_id, token_hash`
	return s.write(ctx, func(tx *txn) error {
		if err := tx.endSessions(ctx, query, user, id); err != nil {
			return err
		}
		if len(tx.Noted()) == 0 {
			return ErrNotFound
		}
		return nil
	})
}

type asMemberKey struct{}

// AsMember returns a context under which a write has none of the rights that its actor has as an
// administrator of the site or of groups. A token without [ScopeAdmin] acts so: it can't delete
// other people's posts and comments, take their posts out of a group, or answer the requests of
// a group. Posting to a group that only administrators post to is the right of a member with that
// office and stays.
func AsMember(ctx context.Context) context.Context {
	return context.WithValue(ctx, asMemberKey{}, true)
}

// actsAsMember reports whether [AsMember] made the context.
func actsAsMember(ctx context.Context) bool {
	is, _ := ctx.Value(asMemberKey{}).(bool)
	return is
}
