package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// linkFor is how long a sign-in link can be used.
const linkFor = 24 * time.Hour

// NewLink makes the secret of a link that signs a person in, once.
func (s *Store) NewLink(ctx context.Context, user UserID) (secret string, err error) {
	const query = `insert into sign_in_links (token_hash, user_id, expires_at) values ($1, $2, $3)`
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		_, err := tx.Exec(ctx, query, digest(secret), user, s.now().Add(linkFor))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("link for user %d: %w", user, err)
	}
	return secret, nil
}

// UseLink uses a link up and answers who may be signed in; [ErrUnauthorized] if
// it was used, is too old, or never was one.
func (s *Store) UseLink(ctx context.Context, secret string) (UserID, error) {
	const query = `
		delete from sign_in_links l using users u
		where l.token_hash = $1 and l.expires_at > $2
			and u.id = l.user_id and u.suspended_at is null and u.status <> 'deleted'
		returning u.id`
	var user UserID
	err := s.write(ctx, func(tx *txn) error {
		err := tx.QueryRow(ctx, query, digest(secret), s.now()).Scan(&user)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sign-in link: %w", err)
	}
	return user, nil
}
