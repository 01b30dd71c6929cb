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

// SetPassword sets a person's password and ends all sessions and sign-in
// links; whoever asked for it signs in anew. Tokens stay, each can be revoked.
func (s *Store) SetPassword(ctx context.Context, user UserID, password string) error {
	const set = `update users set password_hash = $2 where id = $1 and status <> 'deleted'`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	if err := checkPassword(password); err != nil {
		return err
	}
	hash, err := s.vault.hash(ctx, password)
	if err != nil {
		return err
	}
	err = s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, set, user, hash)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		if _, err := tx.Exec(ctx, links, user); err != nil {
			return err
		}
		return tx.endSessions(ctx, sessions, user)
	})
	if err != nil {
		return fmt.Errorf("password of user %d: %w", user, err)
	}
	return nil
}
