package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Authenticate answers who has the login, a name or an e-mail address, and the
// password. It answers [ErrUnauthorized], in the same time whether the login or
// the password is wrong, and [ErrThrottled] after too many failures on the
// account or from the address.
func (s *Store) Authenticate(ctx context.Context, login, password, address string) (UserID, error) {
	user, _, err := s.authenticate(ctx, strings.ToLower(strings.TrimSpace(login)), password, address)
	if err != nil {
		return 0, fmt.Errorf("sign in: %w", err)
	}
	return user, nil
}

// SignIn starts a session, see [Store.NewSession], of whoever has the login and
// the password; what it answers else is [Store.Authenticate]'s. A password that is
// changed meanwhile is none any more: of the sessions that the change ends none
// comes after it.
func (s *Store) SignIn(ctx context.Context, login, password, address string, remember bool, agent string) (secret string, err error) {
	const same = `select from users where id = $1 and password_hash = $2 and suspended_at is null and status <> 'deleted' for share`
	user, hash, err := s.authenticate(ctx, strings.ToLower(strings.TrimSpace(login)), password, address)
	if err != nil {
		return "", fmt.Errorf("sign in: %w", err)
	}
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		err := tx.QueryRow(ctx, same, user, hash).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		return s.addSession(ctx, tx, secret, user, remember, agent)
	})
	if err != nil {
		return "", fmt.Errorf("sign in: %w", err)
	}
	return secret, nil
}

// authenticate answers who it is, and the hash that the password was compared with.
func (s *Store) authenticate(ctx context.Context, login, password, address string) (user UserID, hash string, err error) {
	const query = `
		select id, coalesce(password_hash, '') from users
		where (name = $1 or lower(email) = lower($1)) and suspended_at is null and status <> 'deleted'`
	if validText(login) {
		err := s.pool.QueryRow(ctx, query, login).Scan(&user, &hash)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return 0, "", err
		}
	}
	a := s.attemptOn(user, login, address)
	if err := s.admit(ctx, a); err != nil {
		return 0, "", err
	}
	right, err := s.vault.matches(ctx, password, hash)
	if err != nil {
		return 0, "", err
	}
	if !right {
		return 0, "", ErrUnauthorized
	}
	return user, hash, s.forgive(ctx, a)
}
