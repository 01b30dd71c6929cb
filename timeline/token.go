package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// TokenInfo is what is known of an API token. The token itself is not kept.
type TokenInfo struct {
	ID        int64
	Name      string // of the application
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

// NewToken makes a token for an application of the person.
func (s *Store) NewToken(ctx context.Context, user UserID, name string) (secret string, err error) {
	const query = `insert into api_tokens (token_hash, user_id, name, created_at) values ($1, $2, $3, $4)`
	if name, err = cleanLine("name", name, maxLabel); err != nil {
		return "", err
	}
	secret = newUUID()
	err = s.write(ctx, func(tx *txn) error {
		_, err := tx.Exec(ctx, query, digest(secret), user, name, s.now())
		return err
	})
	if err != nil {
		return "", fmt.Errorf("token of user %d: %w", user, err)
	}
	return secret, nil
}

// Token answers whose token the secret is; [ErrUnauthorized] if nobody's.
func (s *Store) Token(ctx context.Context, secret string) (*Identity, error) {
	const query = `
		select u.id, u.name, u.display_name, u.admin, coalesce(t.seen_at, 'epoch')
		from api_tokens t join users u on u.id = t.user_id
		where t.token_hash = $1 and u.suspended_at is null and u.status <> 'deleted'`
	const touch = `update api_tokens set seen_at = $2 where token_hash = $1`
	var (
		who  = Identity{Hash: digest(secret), Token: true}
		seen time.Time
		now  = s.now()
	)
	err := s.pool.QueryRow(ctx, query, who.Hash).Scan(&who.User, &who.Name, &who.DisplayName, &who.Admin, &seen)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("token: %w", ErrUnauthorized)
	}
	if err == nil && now.Sub(seen) >= seenEvery {
		_, err = s.pool.Exec(ctx, touch, who.Hash, now)
	}
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return &who, nil
}

// Tokens lists a person's tokens, the newest first.
func (s *Store) Tokens(ctx context.Context, user UserID) ([]TokenInfo, error) {
	const query = `select id, name, created_at, seen_at from api_tokens where user_id = $1 order by id desc`
	rows, err := s.pool.Query(ctx, query, user)
	if err != nil {
		return nil, fmt.Errorf("tokens of user %d: %w", user, err)
	}
	tokens, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TokenInfo])
	if err != nil {
		return nil, fmt.Errorf("tokens of user %d: %w", user, err)
	}
	return tokens, nil
}

// RevokeToken ends a token of the person's.
func (s *Store) RevokeToken(ctx context.Context, user UserID, id int64) error {
	const query = `delete from api_tokens where user_id = $1 and id = $2 returning user_id, token_hash`
	err := s.write(ctx, func(tx *txn) error {
		if err := tx.endSessions(ctx, query, user, id); err != nil {
			return err
		}
		if len(tx.changes) == 0 {
			return ErrNotFound
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("token %d of user %d: %w", id, user, err)
	}
	return nil
}
