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

// UseLink uses a link up and starts the session that it is good for, see
// [Store.NewSession]; [ErrUnauthorized] if it was used, is too old, or never was
// one. Both are one step: what ends links and sessions meanwhile ends it.
func (s *Store) UseLink(ctx context.Context, secret string, remember bool, agent string) (session string, err error) {
	const use = `
		delete from sign_in_links l using users u
		where l.token_hash = $1 and l.expires_at > $2
			and u.id = l.user_id and u.suspended_at is null and u.status <> 'deleted'
		returning u.id`
	session = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		var user UserID
		err := tx.QueryRow(ctx, use, digest(secret), s.now()).Scan(&user)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		return s.addSession(ctx, tx, session, user, remember, agent)
	})
	if err != nil {
		return "", fmt.Errorf("sign-in link: %w", err)
	}
	return session, nil
}
