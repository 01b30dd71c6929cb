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
	err = s.write(ctx, func(tx *txn) error {
		_, err := s.suspend(ctx, tx, JournalEntry{User: user})
		return err
	})
	if err == nil {
		s.jobBell.ring()
	}
	return err
}

// suspend suspends the person of an entry of the journal, and returns the id that the entry gets; 0 if the person is
// suspended already. A person who deleted the account can't come back until the suspension ends.
func (s *Store) suspend(ctx context.Context, tx *txn, e JournalEntry) (id int64, err error) {
	const suspend = `update users set suspended_at = $2, suspended_until = $3, erase_at = null, barred = false where id = $1`
	const bar = `update users set barred = true, suspended_until = $2 where id = $1`
	// Tokens work again after Restore. Sockets that were opened with them are closed now.
	const tokens = `select user_id, token_hash from api_tokens where user_id = $1`
	user := e.User
	l, err := lockSuspension(ctx, tx, user)
	if err != nil || l.suspended {
		return 0, err
	}
	e.Act = ActSuspend
	if l.leaving {
		if _, err := tx.Exec(ctx, endLinks, user); err != nil {
			return 0, err
		}
		if _, err := tx.Exec(ctx, bar, user, orNull(e.Until)); err != nil {
			return 0, err
		}
		return s.record(ctx, tx, e)
	}
	if l.admin {
		if err := checkOtherAdmin(ctx, tx, user); err != nil {
			return 0, err
		}
	}
	if _, err := tx.Exec(ctx, suspend, user, s.db.Now(), orNull(e.Until)); err != nil {
		return 0, err
	}
	if err := s.shutOut(ctx, tx, user, tokens); err != nil {
		return 0, err
	}
	return s.record(ctx, tx, e)
}

// endLinks deletes the sign-in links of a person.
const endLinks = `delete from sign_in_links where user_id = $1`

// shutOut ends the sessions and sign-in links of a person whose row says already that the person is suspended, and hides
// what the person wrote. The query tokens returns the tokens, so that their sockets are closed.
func (s *Store) shutOut(ctx context.Context, tx *txn, user UserID, tokens string) error {
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	tx.Revokes()
	if _, err := tx.Exec(ctx, endLinks, user); err != nil {
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
	const restore = `update users set suspended_at = null, suspended_until = null where id = $1`
	const unbar = `update users set barred = false, suspended_until = null where id = $1`
	l, err := lockSuspension(ctx, tx, user)
	if err != nil || !l.suspended {
		return err
	}
	if _, err := s.record(ctx, tx, JournalEntry{By: by, Act: ActRestore, User: user}); err != nil {
		return err
	}
	if l.leaving { // the person can come back again, and is hidden until then
		_, err := tx.Exec(ctx, unbar, user)
		return err
	}
	if _, err := tx.Exec(ctx, restore, user); err != nil {
		return err
	}
	return s.changeSuspension(ctx, tx, user)
}

// standing is what a person's row says about the right to sign in and to administer.
type standing struct {
	suspended bool // by an administrator
	leaving   bool // the person deleted the account, which is not erased yet
	admin     bool // of the site
}

// lockSuspension locks a person's row, and returns the person's standing. A sign-in that is under way holds the row too, so the
// lock waits for the sign-in, and Suspend ends the new session with the others.
func lockSuspension(ctx context.Context, tx primary.Querier, user UserID) (is standing, err error) {
	const lock = `
		select ` + suspended + `, suspended_at is not null and erase_at is not null, admin
		from users where id = $1 and status <> 'deleted' for update`
	err = tx.QueryRow(ctx, lock, user).Scan(&is.suspended, &is.leaving, &is.admin)
	return is, err
}

// suspended is the condition on a row of users for a person whom an administrator suspended. suspended_at alone is set, too, of
// a person who deleted the account.
const suspended = `(suspended_at is not null and (erase_at is null or barred))`
