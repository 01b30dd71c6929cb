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
	user, err := s.authenticate(ctx, strings.ToLower(strings.TrimSpace(login)), password, address)
	if err != nil {
		return 0, translate(fmt.Errorf("sign in: %w", err))
	}
	return user, nil
}

func (s *Store) authenticate(ctx context.Context, login, password, address string) (UserID, error) {
	const query = `
		select id, coalesce(password_hash, '') from users
		where (name = $1 or lower(email) = lower($1)) and suspended_at is null and status <> 'deleted'`
	var (
		user UserID
		hash string
	)
	if validText(login) {
		err := s.pool.QueryRow(ctx, query, login).Scan(&user, &hash)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return 0, err
		}
	}
	a := s.attemptOn(user, login, address)
	if err := s.admit(ctx, a); err != nil {
		return 0, err
	}
	right, err := s.vault.matches(ctx, password, hash)
	if err != nil {
		return 0, err
	}
	if !right {
		return 0, ErrUnauthorized
	}
	return user, s.forgive(ctx, a)
}
