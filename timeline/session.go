package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// How long a session lasts after it was last seen, and how often that is
// written down.
const (
	rememberedFor = 30 * 24 * time.Hour
	sessionFor    = 24 * time.Hour
	seenEvery     = time.Minute
)

// Identity is somebody who proved who he is, by a session or a token.
type Identity struct {
	User        UserID
	Name        string
	DisplayName string
	Admin       bool
	Hash        []byte    // of the secret
	Token       bool      // an API token, no session
	Expires     time.Time // zero for a token
}

// NewSession starts a session, which lasts a day, or thirty if remembered, and
// that again from each time it is used. The secret is not kept.
func (s *Store) NewSession(ctx context.Context, user UserID, remember bool, agent string) (secret string, err error) {
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error { return s.addSession(ctx, tx, secret, user, remember, agent) })
	if err != nil {
		return "", fmt.Errorf("session of user %d: %w", user, err)
	}
	return secret, nil
}

func (s *Store) addSession(ctx context.Context, tx querier, secret string, user UserID, remember bool, agent string) error {
	const query = `
		insert into sessions (token_hash, user_id, remember, agent, created_at, seen_at) values ($1, $2, $3, $4, $5, $5)`
	agent = strings.ReplaceAll(strings.ToValidUTF8(agent, ""), "\x00", "")
	_, err := tx.Exec(ctx, query, digest(secret), user, remember, agent[:min(len(agent), 200)], s.now())
	return err
}

// Session answers whose session the secret is of; [ErrUnauthorized] if of
// nobody's, any more.
func (s *Store) Session(ctx context.Context, secret string) (*Identity, error) {
	const query = `
		select u.id, u.name, u.display_name, u.admin, s.remember, s.seen_at
		from sessions s join users u on u.id = s.user_id
		where s.token_hash = $1 and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update sessions set seen_at = $2 where token_hash = $1 and seen_at < $2`
	var (
		who      = Identity{Hash: digest(secret)}
		remember bool
		seen     time.Time
		now      = s.now()
	)
	err := s.pool.QueryRow(ctx, query, who.Hash).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &remember, &seen)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && now.After(expiry(seen, remember)) {
		return nil, fmt.Errorf("session: %w", ErrUnauthorized)
	}
	if err == nil && now.Sub(seen) >= seenEvery {
		seen = now
		_, err = s.pool.Exec(ctx, touch, who.Hash, now)
	}
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
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

// EndSession ends a session; one that is not there has ended before.
func (s *Store) EndSession(ctx context.Context, secret string) error {
	const query = `delete from sessions where token_hash = $1 returning user_id, token_hash`
	err := s.write(ctx, func(tx *txn) error { return tx.endSessions(ctx, query, digest(secret)) })
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// endSessions runs a query that deletes sessions or tokens and returns whose
// they were and their hashes, and notes their end.
func (tx *txn) endSessions(ctx context.Context, query string, args ...any) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	var user UserID
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&user, &hash}, func() error {
		tx.note(Change{Kind: ChangeSession, User: user, Token: hash})
		hash = nil
		return nil
	})
	return err
}
