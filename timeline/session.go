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
)

// A session ends sessionFor, or if it is remembered rememberedFor, after its last use. The time of
// the last use is written at most once in sessionSeenEvery.
const (
	rememberedFor    = 30 * 24 * time.Hour
	sessionFor       = 24 * time.Hour
	sessionSeenEvery = time.Hour
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
	TimeZone    string    // the name of the person's time zone; empty: the browser's time zone
	Newcomer    bool      // the person may have first steps to take, see [Steps]; false for a token
	Hash        []byte    // the hash of the secret
	Token       bool      // the secret is of an API token, not of a session
	TokenID     int64     // the id of the token; 0 for a session
	Scopes      Scopes    // what the token may do; a session has [AllScopes]
	Expires     time.Time // when the session or token ends; zero: never
	BeganAt     time.Time // when the session began; zero for a token
	LinkedAt    time.Time // when the session began by a link; zero: it began by a password
}

// linkTrusted is how long after its beginning a session that began by a link stands for the password, and any session for the
// password of a person who has none.
const linkTrusted = time.Hour

// SignedInRecently reports whether the person's session began a short time ago.
func (i *Identity) SignedInRecently(now time.Time) bool {
	return !i.BeganAt.IsZero() && now.Before(i.BeganAt.Add(linkTrusted))
}

// Forgot reports whether the person may set a password without the old one: their session began by a link a short time
// ago, so they have probably forgotten it.
func (i *Identity) Forgot(now time.Time) bool {
	return !i.LinkedAt.IsZero() && now.Before(i.LinkedAt.Add(linkTrusted))
}

// NewSession starts a session and returns its secret, which is stored only as a hash. The session
// ends a day after its last use, or thirty days after if remember is true. agent is the User-Agent
// of the browser; only the names of the browser and the system are kept of it. NewSession, like
// [Store.NewLink] and [Store.NewToken], returns [ErrUnauthorized] for a suspended or deleted
// account.
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

// addSession starts a session. The caller has locked the person's row. Without the lock, a session
// could begin after the deletion of the account erased the sessions, and would stay for ever.
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
		select u.id, u.name, u.display_name, u.admin, u.page_language, u.theme, u.density, u.time_zone, u.newcomer, s.remember, s.created_at, s.seen_at, s.by_link_at
		from sessions s join users u on u.id = s.user_id
		where s.token_hash = $1 and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update sessions set seen_at = $2 where token_hash = $1 and seen_at < $2`
	var (
		who      = Identity{Hash: digest(secret), Scopes: AllScopes}
		remember bool
		seen     time.Time
		now      = s.db.Now()
		linked   *time.Time
	)
	err = s.db.Pool.QueryRow(ctx, query, who.Hash).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &who.Language, &who.Theme, &who.Density, &who.TimeZone, &who.Newcomer, &remember, &who.BeganAt, &seen, &linked)
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
	if linked != nil {
		who.LinkedAt = *linked
	}
	return &who, nil
}

func expiry(seen time.Time, remember bool) time.Time {
	if remember {
		return seen.Add(rememberedFor).UTC()
	}
	return seen.Add(sessionFor).UTC()
}

// EndSession ends the session of a secret. It does nothing if there is no such session.
func (s *Store) EndSession(ctx context.Context, secret string) (err error) {
	defer primary.Wrap(&err, "end session")
	const query = `delete from sessions where token_hash = $1 returning user_id, token_hash`
	return s.write(ctx, func(tx *txn) error { return tx.endSessions(ctx, query, digest(secret)) })
}

// endSessions runs a query that returns the people and the hashes of sessions or tokens that end
// with this transaction, and notes the end of each.
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

// NewLink returns the secret of a new link with which a person can sign in once, or come back after they deleted the account.
func (s *Store) NewLink(ctx context.Context, user UserID) (secret string, err error) {
	defer primary.Wrap(&err, "link for user %d", user)
	err = s.write(ctx, func(tx *txn) error {
		secret, err = s.newLink(ctx, tx, user)
		return err
	})
	return secret, err
}

// newLink makes a link of a person who may sign in, or who deleted the account and may come back.
func (s *Store) newLink(ctx context.Context, tx *txn, user UserID) (secret string, err error) {
	const lock = `select from users where id = $1 and (suspended_at is null and status <> 'deleted' or ` + mayComeBack + `) for share`
	const insert = `insert into sign_in_links (token_hash, user_id, expires_at) values ($1, $2, $3)`
	if err := tx.QueryRow(ctx, lock, user).Scan(); errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("user %d: %w", user, ErrUnauthorized)
	} else if err != nil {
		return "", err
	}
	secret = newSecret()
	_, err = tx.Exec(ctx, insert, digest(secret), user, s.db.Now().Add(linkFor))
	return secret, err
}

// UseLink deletes a sign-in link, starts a session for its person, as [Store.NewSession] does, and
// returns the secret of the session. For an hour the person may set a password without the old one
// in this session. The link is deleted and the session starts in one transaction,
// so that a change of the password at the same time ends either the link or the session.
//
// It returns [ErrUnauthorized] if the link was used, is too old, or never existed. It returns
// [ErrUnauthorized], too, if the account is suspended, and a [LeavingError] if the person deleted it; then the link is not used up.
func (s *Store) UseLink(ctx context.Context, secret string, remember bool, agent string) (session string, err error) {
	defer primary.Wrap(&err, "sign-in link")
	session = newSecret()
	var leaving *LeavingError
	err = s.write(ctx, func(tx *txn) error {
		user, err := s.useLink(ctx, tx, secret)
		if err != nil {
			return err
		}
		if leaving, err = readLeaving(ctx, tx, user); err != nil {
			return err
		}
		if leaving != nil {
			leaving.Secret = secret
			return leaving
		}
		if err := primary.LockActor(ctx, tx, user); err != nil {
			return err
		}
		return s.addLinkedSession(ctx, tx, session, user, remember, agent)
	})
	return session, err
}

// useLink deletes a sign-in link, and returns its person.
func (s *Store) useLink(ctx context.Context, tx *txn, secret string) (user UserID, err error) {
	const use = `
		delete from sign_in_links where token_hash = $1 and expires_at > $2 returning user_id`
	err = tx.QueryRow(ctx, use, digest(secret), s.db.Now()).Scan(&user)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrUnauthorized
	}
	return user, err
}

// addLinkedSession starts a session that began by a link. The caller has locked the person's row.
func (s *Store) addLinkedSession(ctx context.Context, tx *txn, session string, user UserID, remember bool, agent string) error {
	const mark = `update sessions set by_link_at = created_at where token_hash = $1`
	if err := s.addSession(ctx, tx, session, user, remember, agent); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, mark, digest(session))
	return err
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
