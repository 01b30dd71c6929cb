package timeline

import (
	"context"
	"fmt"
)

// SetPassword sets a person's password and ends all sessions and sign-in
// links; whoever asked for it signs in anew. Tokens stay, each can be revoked.
func (s *Store) SetPassword(ctx context.Context, user UserID, password string) error {
	const set = `update users set password_hash = $2 where id = $1 and status <> 'deleted'`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	if err := checkPassword(password); err != nil {
		return err
	}
	seat, err := s.vault.stand(lineOfMember(user))
	if err != nil {
		return fmt.Errorf("password of user %d: %w", user, err)
	}
	defer seat.leave()
	hash, err := seat.hash(ctx, password)
	if err != nil {
		return err
	}
	seat.leave()
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

// HasPassword says whether a person has set a password; who was imported, or
// made without one, signs in by a link first.
func (s *Store) HasPassword(ctx context.Context, user UserID) (bool, error) {
	const query = `select password_hash is not null from users where id = $1`
	var has bool
	if err := s.pool.QueryRow(ctx, query, user).Scan(&has); err != nil {
		return false, fmt.Errorf("user %d: %w", user, err)
	}
	return has, nil
}
