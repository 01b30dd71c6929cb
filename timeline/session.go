package timeline

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A session or a token ends this long after its last known use. The last use of a session is
// written at most once in sessionSeenEvery, the last use of a token at most once in
// tokenSeenEvery.
const (
	rememberedFor    = 30 * 24 * time.Hour
	sessionFor       = 24 * time.Hour
	sessionSeenEvery = time.Hour
	tokenSeenEvery   = time.Minute
)

// Identity is a person identified by the secret of a session or a token.
type Identity struct {
	User        UserID
	Name        string
	DisplayName string
	Admin       bool
	Language    string    // the language in which the person reads pages; empty: as the browser asks
	Theme       string    // system, light or dark
	Density     string    // comfortable or compact
	TimeZone    string    // the name of the person's time zone; empty: that of the browser
	Newcomer    bool      // the person may have first steps to take, see [Steps]; false for a token
	Hash        []byte    // the hash of the secret
	Token       bool      // by an API token, not by a session
	Expires     time.Time // zero for a token
}

// NewSession starts a session and returns its secret, which is stored only as a hash.
// The session lasts a day, or thirty days if remember is true, from each time it is
// used. The agent is the User-Agent of the browser, of which only the words of
// [SessionInfo] are kept. The error is [ErrUnauthorized] for a
// suspended or deleted account, as of [Store.NewLink] and [Store.NewToken].
func (s *Store) NewSession(ctx context.Context, user UserID, remember bool, agent string) (secret string, err error) {
	defer primary.Wrap(&err, "session of user %d", user)
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, user); err != nil {
			return err
		}
		return s.addSession(ctx, tx, secret, user, remember, agent)
	})
	return secret, err
}

// addSession starts a session. The caller has locked the person's row: a session that
// began after a deletion erased the others would stay for ever.
func (s *Store) addSession(ctx context.Context, tx primary.Querier, secret string, user UserID, remember bool, agent string) error {
	const query = `
		insert into sessions (token_hash, user_id, remember, agent, created_at, seen_at) values ($1, $2, $3, $4, $5, $5)`
	_, err := tx.Exec(ctx, query, digest(secret), user, remember, deviceOf(agent), s.db.Now())
	return err
}

// Session returns the person of a session's secret. It returns [ErrUnauthorized] for an unknown
// or expired session.
func (s *Store) Session(ctx context.Context, secret string) (_ *Identity, err error) {
	defer primary.Wrap(&err, "session")
	const query = `
		select u.id, u.name, u.display_name, u.admin, u.page_language, u.theme, u.density, u.time_zone, u.newcomer, s.remember, s.seen_at
		from sessions s join users u on u.id = s.user_id
		where s.token_hash = $1 and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update sessions set seen_at = $2 where token_hash = $1 and seen_at < $2`
	var (
		who      = Identity{Hash: digest(secret)}
		remember bool
		seen     time.Time
		now      = s.db.Now()
	)
	err = s.db.Pool.QueryRow(ctx, query, who.Hash).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &who.Language, &who.Theme, &who.Density, &who.TimeZone, &who.Newcomer, &remember, &seen)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && now.After(expiry(seen, remember)) {
		return nil, fmt.Errorf("session: %w", ErrUnauthorized)
	}
	if err == nil && now.Sub(seen) >= sessionSeenEvery {
		seen = now
		_, err = s.db.Pool.Exec(ctx, touch, who.Hash, now)
	}
	if err != nil {
		return nil, err
	}
	who.Expires = expiry(seen, remember)
	return &who, nil
}

func expiry(seen time.Time, remember bool) time.Time {
	if remember {
		return seen.Add(rememberedFor).UTC()
	}
	return seen.Add(sessionFor).UTC()
}

// EndSession ends the session of a secret. It is no error if the session has ended
// before.
func (s *Store) EndSession(ctx context.Context, secret string) (err error) {
	defer primary.Wrap(&err, "end session")
	const query = `delete from sessions where token_hash = $1 returning user_id, token_hash`
	return s.write(ctx, func(tx *txn) error { return tx.endSessions(ctx, query, digest(secret)) })
}

// endSessions runs a query that deletes sessions or tokens and returns their people and
// hashes, and notes the end of each.
func (tx *txn) endSessions(ctx context.Context, query string, args ...any) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	type ended struct {
		User UserID
		Hash []byte
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[ended])
	for _, e := range all {
		tx.Note(Change{Kind: ChangeSession, User: e.User, Token: e.Hash})
	}
	return err
}

// linkFor is how long a sign-in link is valid.
const linkFor = 24 * time.Hour

// NewLink returns the secret of a new link with which a person can sign in once.
func (s *Store) NewLink(ctx context.Context, user UserID) (secret string, err error) {
	defer primary.Wrap(&err, "link for user %d", user)
	const query = `insert into sign_in_links (token_hash, user_id, expires_at) values ($1, $2, $3)`
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, user); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query, digest(secret), user, s.db.Now().Add(linkFor))
		return err
	})
	return secret, err
}

// UseLink deletes a link and starts a session for its person, as [Store.NewSession] does; it
// returns the secret of the session. [ErrUnauthorized] if the link was used, is too old, or never
// existed. The link of a suspended account is kept. The link is deleted and the session starts in
// one transaction, so that a change of the password at the same time ends either the link or the
// session.
func (s *Store) UseLink(ctx context.Context, secret string, remember bool, agent string) (session string, err error) {
	defer primary.Wrap(&err, "sign-in link")
	const use = `
		delete from sign_in_links where token_hash = $1 and expires_at > $2 returning user_id`
	session = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		var user UserID
		err := tx.QueryRow(ctx, use, digest(secret), s.db.Now()).Scan(&user)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err == nil {
			err = primary.LockActor(ctx, tx, user)
		}
		if err != nil {
			return err
		}
		return s.addSession(ctx, tx, session, user, remember, agent)
	})
	return session, err
}

// newSecret returns 32 random bytes as text, for a cookie or an address.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// newUUID returns a random secret in the form of a UUID, which clients expect of tokens.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// digest returns the hash by which a secret is stored.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// TokenInfo describes an API token. The token itself is stored only as a hash.
type TokenInfo struct {
	ID        int64
	Name      string // the name of the application
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

// NewToken creates a token for an application of the person, and returns its secret. The
// error is an [InvalidError] for a bad name.
func (s *Store) NewToken(ctx context.Context, user UserID, name string) (secret string, err error) {
	defer primary.Wrap(&err, "token of user %d", user)
	const query = `insert into api_tokens (token_hash, user_id, name, created_at) values ($1, $2, $3, $4)`
	if name, err = text.CleanLine("name", name, text.MaxLabel); err != nil {
		return "", err
	}
	secret = newUUID()
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, user); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query, digest(secret), user, name, s.db.Now())
		return err
	})
	return secret, err
}

// Token returns the person of a token's secret; [ErrUnauthorized] if there is none.
func (s *Store) Token(ctx context.Context, secret string) (_ *Identity, err error) {
	defer primary.Wrap(&err, "token")
	const query = `
		select u.id, u.name, u.display_name, u.admin, u.page_language, u.theme, u.density, u.time_zone, coalesce(t.seen_at, 'epoch')
		from api_tokens t join users u on u.id = t.user_id
		where t.token_hash = $1 and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update api_tokens set seen_at = $2 where token_hash = $1`
	var (
		who  = Identity{Hash: digest(secret), Token: true}
		seen time.Time
		now  = s.db.Now()
	)
	err = s.db.Pool.QueryRow(ctx, query, who.Hash).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &who.Language, &who.Theme, &who.Density, &who.TimeZone, &seen)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("token: %w", ErrUnauthorized)
	}
	if err == nil && now.Sub(seen) >= tokenSeenEvery {
		_, err = s.db.Pool.Exec(ctx, touch, who.Hash, now)
	}
	if err != nil {
		return nil, err
	}
	return &who, nil
}

// Tokens returns a person's tokens, the newest first.
func (s *Store) Tokens(ctx context.Context, user UserID) (_ []TokenInfo, err error) {
	defer primary.Wrap(&err, "tokens of user %d", user)
	const query = `select id, name, created_at, seen_at from api_tokens where user_id = $1 order by id desc`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	tokens, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TokenInfo])
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// RevokeToken ends a token of the person's; [ErrNotFound] if there is none of the id.
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
