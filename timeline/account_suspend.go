package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Suspend shuts a person out: all sessions and sign-in links end, and until
// [Store.Restore] nobody signs in as him, nor uses a token of his. What he wrote
// stays where it is. The last administrator of the site stays: [ErrConflict].
func (s *Store) Suspend(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "suspend user %d", user)
	const suspend = `update users set suspended_at = $2 where id = $1`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	// Tokens are good again when he is; what they have open ends as well.
	const tokens = `select user_id, token_hash from api_tokens where user_id = $1`
	return s.write(ctx, func(tx *txn) error {
		suspended, admin, err := lockSuspension(ctx, tx, user)
		if err != nil || suspended {
			return err
		}
		if admin {
			if err := checkOtherAdmin(ctx, tx, user); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, suspend, user, s.db.Now()); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, links, user); err != nil {
			return err
		}
		for _, query := range []string{sessions, tokens} {
			if err := tx.endSessions(ctx, query, user); err != nil {
				return err
			}
		}
		tx.noteViewers(user)
		return nil
	})
}

// Restore lets somebody in again who was suspended.
func (s *Store) Restore(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "restore user %d", user)
	const restore = `update users set suspended_at = null where id = $1`
	return s.write(ctx, func(tx *txn) error {
		suspended, _, err := lockSuspension(ctx, tx, user)
		if err != nil || !suspended {
			return err
		}
		if _, err := tx.Exec(ctx, restore, user); err != nil {
			return err
		}
		tx.noteViewers(user)
		return nil
	})
}

// lockSuspension says whether somebody is suspended, and an administrator. Whoever
// is just signing in as him is waited for, and what he began ends with the rest.
func lockSuspension(ctx context.Context, tx primary.Querier, user UserID) (suspended, admin bool, err error) {
	const lock = `select suspended_at is not null, admin from users where id = $1 and status <> 'deleted' for update`
	err = tx.QueryRow(ctx, lock, user).Scan(&suspended, &admin)
	return suspended, admin, err
}
