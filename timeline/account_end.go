package timeline

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// EraseAccounts ends up to a hundred accounts that their people deleted, and to which they can't come back any more.
// [Store.RunAccountJob] erases the rest of each afterwards. Several processes may call it at the same time.
func (s *Store) EraseAccounts(ctx context.Context) (err error) {
	defer primary.Wrap(&err, "erase accounts")
	const due = `select id from users where erase_at <= $1 and suspended_at is not null and status <> 'deleted' order by id limit 100`
	var people []UserID
	if err := primary.Read(ctx, s.db.Pool, &people, due, s.db.Now()); err != nil {
		return err
	}
	for _, user := range people {
		if err := s.write(ctx, func(tx *txn) error { return s.eraseAccount(ctx, tx, user) }); err != nil {
			return err
		}
	}
	if len(people) > 0 {
		s.jobBell.ring()
	}
	return nil
}

// eraseAccount ends an account for good: of its row only the name stays. It does nothing if the account is not due any more.
func (s *Store) eraseAccount(ctx context.Context, tx *txn, user UserID) error {
	const lock = `select from users where id = $1 and erase_at <= $2 and suspended_at is not null and status <> 'deleted' for update`
	const empty = `
		update users set
			status = 'deleted', display_name = '', description = '', avatar_url = '', cover_url = '', lang = '', directs_from = 'anybody', own_posts = true, visit_times = true,
			email = null, email_wanted = null, email_confirmed_at = null, email_failed_at = null, mail_due_at = null, mail_often = 'never', password_hash = null, passkey_handle = null, admin = false, export_times = '{}',
			withheld = false, suspended_at = null, suspended_until = null, erase_at = null, barred = false
		where id = $1`
	const job = `insert into jobs (kind, user_id, created_at) values ('delete account', $1, $2)`
	err := tx.QueryRow(ctx, lock, user, s.db.Now()).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = resignAll(ctx, tx, user, s.db.Now())
	}
	if err == nil {
		err = setUserAccess(ctx, tx, user, StatusDeleted)
	}
	if err != nil {
		return err
	}
	for _, table := range []string{"sign_in_links", "account_pictures", "feed_addresses", "exports", "intakes", "mails", "email_links", "passkeys"} {
		if _, err := tx.Exec(ctx, `delete from `+table+` where user_id = $1`, user); err != nil {
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
