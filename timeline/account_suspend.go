package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Suspend shuts a person out and hides everything that the person wrote. All the person's sessions and sign-in links
// end, and until [Store.Restore] the person can neither sign in nor use an API token. When Suspend returns, the person's
// timelines are closed to all readers, no viewer reads the person's posts, the card has only the name, and requests and
// invitations of the person have ended, which do not come back.
// [Store.RunAccountJob] withholds comments, likes and favourites afterwards. The error is a [LastAdminError], which is
// [ErrConflict], for the last administrator of the site. Suspend does nothing if the person is suspended already.
func (s *Store) Suspend(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "suspend user %d", user)
	err = s.write(ctx, func(tx *txn) error { return s.suspend(ctx, tx, 0, user, "") })
	if err == nil {
		s.jobBell.ring()
	}
	return err
}

func (s *Store) suspend(ctx context.Context, tx *txn, by, user UserID, reason string) error {
	const suspend = `update users set suspended_at = $2 where id = $1`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	// Tokens work again after Restore. Sockets that were opened with them are closed now.
	const tokens = `select user_id, token_hash from api_tokens where user_id = $1`
	suspended, admin, err := lockSuspension(ctx, tx, user)
	if err != nil || suspended {
		return err
	}
	tx.Revokes()
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
	if err := tx.erasePending(ctx, user); err != nil {
		return err
	}
	if err := tx.setWithheld(ctx, user, true); err != nil {
		return err
	}
	if err := s.record(ctx, tx, by, ActSuspend, user, reason); err != nil {
		return err
	}
	return s.changeSuspension(ctx, tx, user)
}

// changeSuspension notes that a suspension begins or ends, and adds the job that withholds what the person wrote, or shows
// it again.
func (s *Store) changeSuspension(ctx context.Context, tx *txn, user UserID) error {
	const job = `insert into suspension_jobs (user_id, created_at) values ($1, $2)`
	tx.noteViewers(user)
	_, err := tx.Exec(ctx, job, user, s.db.Now())
	return err
}

// setWithheld hides all that a person wrote from the next turn of each node on, or ends that: it closes the person's
// timelines to all readers, or gives them the access that the person's status says.
func (tx *txn) setWithheld(ctx context.Context, user UserID, withheld bool) error {
	const query = `update users set withheld = $2 where id = $1 returning status`
	var status string
	if err := tx.QueryRow(ctx, query, user, withheld).Scan(&status); err != nil {
		return err
	}
	if withheld {
		status = StatusDeleted
		tx.Revokes()
	}
	tx.Note(Change{Kind: ChangeCard, User: user})
	return setUserAccess(ctx, tx, user, status)
}

// setUserAccess gives the timelines of a person the access that a status gives them.
func setUserAccess(ctx context.Context, tx *txn, user UserID, status string) error {
	kinds, access := userTimelines(status)
	changed, err := setAccesses(ctx, tx, int64(user), kinds, access)
	if err == nil && len(changed) > 0 {
		tx.Note(Change{Kind: ChangeAccess, User: user, Timelines: changed})
	}
	return err
}

// Restore ends the suspension of a person, who can sign in again at once. [Store.RunAccountJob] opens the person's
// timelines again as their status says, and shows again what the person wrote. Restore does nothing if the person is not
// suspended.
func (s *Store) Restore(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "restore user %d", user)
	err = s.write(ctx, func(tx *txn) error { return s.restore(ctx, tx, 0, user) })
	if err == nil {
		s.jobBell.ring()
	}
	return err
}

func (s *Store) restore(ctx context.Context, tx *txn, by, user UserID) error {
	const restore = `update users set suspended_at = null where id = $1`
	suspended, _, err := lockSuspension(ctx, tx, user)
	if err != nil || !suspended {
		return err
	}
	if _, err := tx.Exec(ctx, restore, user); err != nil {
		return err
	}
	if err := s.record(ctx, tx, by, ActRestore, user, ""); err != nil {
		return err
	}
	return s.changeSuspension(ctx, tx, user)
}

// lockSuspension locks a person's row, and reports whether the person is suspended, and whether
// the person administers the site. A sign-in that is under way holds the row too, so the lock
// waits for the sign-in, and Suspend ends the new session with the others.
func lockSuspension(ctx context.Context, tx primary.Querier, user UserID) (suspended, admin bool, err error) {
	const lock = `select suspended_at is not null, admin from users where id = $1 and status <> 'deleted' for update`
	err = tx.QueryRow(ctx, lock, user).Scan(&suspended, &admin)
	return suspended, admin, err
}
