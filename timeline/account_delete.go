package timeline

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// DeleteAccount deletes the actor's account. When it returns, the person's timelines are closed to
// all readers, the person can't sign in, and the card holds only the name. [Store.RunAccountJob]
// erases the rest afterwards.
//
// The error is an [InvalidError] if the password is wrong, or if the actor has no password;
// [ErrThrottled] after too many wrong passwords; and a [LastAdminError], which is [ErrConflict],
// for the last administrator of a group or of the site.
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
	return nil
}

func (s *Store) deleteAccount(ctx context.Context, tx *txn, user UserID, hash string) error {
	tx.Revokes()
	// A write that the person has begun holds a lock on the person's row by its foreign keys.
	// This statement waits until the write ends.
	const lock = `
		select admin from users
		where id = $1 and password_hash = $2 and suspended_at is null and status <> 'deleted' for update`
	const empty = `
		update users set
			status = 'deleted', display_name = '', description = '', avatar_url = '', cover_url = '', lang = '', directs_from = 'anybody', own_posts = true, visit_times = true,
			email = null, email_wanted = null, email_confirmed_at = null, email_failed_at = null, mail_due_at = null, mail_often = 'never', password_hash = null, admin = false, export_times = '{}', withheld = false
		where id = $1`
	const links = `delete from sign_in_links where user_id = $1`
	const pictures = `delete from account_pictures where user_id = $1`
	const addresses = `delete from feed_addresses where user_id = $1`
	const exports = `delete from exports where user_id = $1`
	const intakes = `delete from intakes where user_id = $1`
	const mails = `delete from mails where user_id = $1`
	const confirming = `delete from email_links where user_id = $1`
	const job = `insert into jobs (kind, user_id, created_at) values ('delete account', $1, $2)`
	var admin bool
	err := tx.QueryRow(ctx, lock, user, hash).Scan(&admin)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrUnauthorized // after the check, the password was changed or the account was deleted
	}
	if err != nil {
		return err
	}
	if admin {
		if err := checkOtherAdmin(ctx, tx, user); err != nil {
			return err
		}
	}
	if err := resignAll(ctx, tx, user); err != nil {
		return err
	}
	if err := setUserAccess(ctx, tx, user, StatusDeleted); err != nil {
		return err
	}
	for _, query := range []string{
		`delete from sessions where user_id = $1 returning user_id, token_hash`,
		`delete from api_tokens where user_id = $1 returning user_id, token_hash`,
	} {
		if err := tx.endSessions(ctx, query, user); err != nil {
			return err
		}
	}
	for _, query := range []string{links, pictures, addresses, exports, intakes, mails, confirming} {
		if _, err := tx.Exec(ctx, query, user); err != nil {
			return err
		}
	}
	if err := tx.erasePending(ctx, user); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, empty, user); err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangeCard, User: user})
	tx.noteViewers(user)
	_, err = tx.Exec(ctx, job, user, s.db.Now())
	return err
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

// resignAll ends all administrations of a person; a [LastAdminError] if the person is the
// last administrator of one of the groups.
func resignAll(ctx context.Context, tx primary.Querier, user UserID) error {
	const query = `
		select group_id from group_admins where user_id = $1 and group_id > $2 order by group_id limit 1`
	var group GroupID
	for {
		err := tx.QueryRow(ctx, query, user, group).Scan(&group)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := resign(ctx, tx, user, group); err != nil {
			return err
		}
	}
}
