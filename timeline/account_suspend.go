package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Suspend shuts a person out. All the person's sessions and sign-in links end, and until
// [Store.Restore] the person can neither sign in nor use an API token. The person's posts and
// comments stay. The error is a [LastAdminError], which is [ErrConflict], for the last
// administrator of the site.
func (s *Store) Suspend(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "suspend user %d", user)
	const suspend = `update users set suspended_at = $2 where id = $1`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	// Tokens work again after Restore. Sockets that were opened with them are closed now.
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

// Restore ends the suspension of a person. It does nothing if the person is not suspended.
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

// lockSuspension locks a person's row, and reports whether the person is suspended, and whether
// the person administers the site. A sign-in that is under way holds the row too, so the lock
// waits for the sign-in, and Suspend ends the new session with the others.
func lockSuspension(ctx context.Context, tx primary.Querier, user UserID) (suspended, admin bool, err error) {
	const lock = `select suspended_at is not null, admin from users where id = $1 and status <> 'deleted' for update`
	err = tx.QueryRow(ctx, lock, user).Scan(&suspended, &admin)
	return suspended, admin, err
}
