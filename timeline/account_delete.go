package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ComeBackDays is for how many days a person who deleted the account can come back. Then the account is erased.
const ComeBackDays = 14

// A LeavingError is [ErrUnauthorized] for a person who deleted the account, and signs in with the right password or a link
// before the account is erased.
type LeavingError struct {
	EraseAt time.Time
	Secret  string // of a link with which the person can come back, see [Store.ComeBack]
}

func (e *LeavingError) Error() string {
	return fmt.Sprintf("the account was deleted, and is erased at %s", e.EraseAt.Format(time.RFC3339))
}

func (e *LeavingError) Unwrap() error { return ErrUnauthorized }

// mayComeBack is the condition on a row of users for a person who deleted the account, and is not suspended by an administrator
// as well.
const mayComeBack = `(suspended_at is not null and erase_at is not null and not barred and status <> 'deleted')`

// DeleteAccount deletes the actor's account, in two steps. When it returns, everything of the account is hidden and the
// person is shut out, as by [Store.Suspend]; sessions and tokens have ended for good; and a group without another administrator
// has its longest-standing member as one, see [Store.GroupsLeft]. [Store.EraseAccounts] erases the account after [ComeBackDays];
// until then the person can come back, see [Store.ComeBack].
//
// The error is an [InvalidError] if the password is wrong, or if the actor has no password;
// [ErrThrottled] after too many wrong passwords; and a [LastAdminError], which is [ErrConflict],
// for the last administrator of the site.
func (s *Store) DeleteAccount(ctx context.Context, actor UserID, password string) (err error) {
	defer primary.Wrap(&err, "delete account of user %d", actor)
	hash, err := s.checkOwner(ctx, actor, password)
	if err == nil {
		err = s.write(ctx, func(tx *txn) error { return s.deleteAccount(ctx, tx, actor, hash) })
	}
	if err != nil {
		return err
	}
	s.jobBell.ring()
	s.mailBell.ring()
	return nil
}

func (s *Store) deleteAccount(ctx context.Context, tx *txn, user UserID, hash string) error {
	// A write that the person has begun holds a lock on the person's row by its foreign keys.
	// This statement waits until the write ends.
	const lock = `
		select admin from users
		where id = $1 and password_hash = $2 and suspended_at is null and status <> 'deleted' for update`
	const leave = `update users set suspended_at = $2, suspended_until = null, erase_at = $3, barred = false where id = $1`
	const tokens = `delete from api_tokens where user_id = $1 returning user_id, token_hash`
	const confirmed = `select email_confirmed_at is not null from users where id = $1`
	var admin, mailed bool
	err := tx.QueryRow(ctx, lock, user, hash).Scan(&admin)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrUnauthorized // after the check, the password was changed or the account was deleted
	}
	if err == nil && admin {
		err = checkOtherAdmin(ctx, tx, user)
	}
	if err == nil {
		err = handOverGroups(ctx, tx, user, s.db.Now())
	}
	if err != nil {
		return err
	}
	now := s.db.Now()
	if _, err := tx.Exec(ctx, leave, user, now, now.AddDate(0, 0, ComeBackDays)); err != nil {
		return err
	}
	if err := s.shutOut(ctx, tx, user, tokens); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, confirmed, user).Scan(&mailed); err != nil || !mailed {
		return err
	}
	return s.queueMail(ctx, tx, user, MailLeaving, "")
}

// Leaving returns when the account of a person is erased who deleted it; the zero time if the person did not.
func (s *Store) Leaving(ctx context.Context, user UserID) (eraseAt time.Time, err error) {
	defer primary.Wrap(&err, "leaving of user %d", user)
	leaving, err := readLeaving(ctx, s.db.Pool, user)
	if err != nil || leaving == nil {
		return time.Time{}, err
	}
	return leaving.EraseAt, nil
}

// readLeaving returns the error for a person who deleted the account and may come back; nil for any other person.
func readLeaving(ctx context.Context, q primary.Querier, user UserID) (*LeavingError, error) {
	const query = `select erase_at from users where id = $1 and ` + mayComeBack
	var e LeavingError
	err := q.QueryRow(ctx, query, user).Scan(&e.EraseAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	e.EraseAt = e.EraseAt.UTC()
	return &e, err
}

// ComeBack ends the deletion of an account before it is erased: the person is signed in at once, and [Store.RunAccountJob]
// shows again what the person wrote. It uses up a link of the person, made by [Store.SignIn] or [Store.NewLink], and returns
// the secret of a new session. The error is [ErrUnauthorized] if there is no such link, or no such deletion.
func (s *Store) ComeBack(ctx context.Context, secret, agent string) (session string, err error) {
	defer primary.Wrap(&err, "come back")
	const lock = `select from users where id = $1 and erase_at > $2 and ` + mayComeBack + ` for update`
	const back = `update users set suspended_at = null, erase_at = null where id = $1`
	session = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		user, err := s.useLink(ctx, tx, secret)
		if err == nil {
			err = tx.QueryRow(ctx, lock, user, s.db.Now()).Scan()
		}
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrUnauthorized
		case err != nil:
			return err
		}
		if _, err := tx.Exec(ctx, back, user); err != nil {
			return err
		}
		if err := s.addLinkedSession(ctx, tx, session, user, true, agent); err != nil {
			return err
		}
		return s.changeSuspension(ctx, tx, user)
	})
	if err != nil {
		return "", err
	}
	s.jobBell.ring()
	return session, nil
}

// checkOtherAdmin returns a [LastAdminError] if the user is the last administrator of the
// site. Only one transaction at a time gets past the lock: if the last two administrators
// go at the same moment, the second waits, and then is refused.
func checkOtherAdmin(ctx context.Context, tx primary.Querier, user UserID) error {
	const lock = `select pg_advisory_xact_lock(hashtext('the last administrator'))`
	const others = `
		select exists (select from users where admin and id <> $1 and suspended_at is null and status <> 'deleted')`
	if _, err := tx.Exec(ctx, lock); err != nil {
		return err
	}
	var more bool
	if err := tx.QueryRow(ctx, others, user).Scan(&more); err != nil {
		return err
	}
	if !more {
		return &LastAdminError{}
	}
	return nil
}
