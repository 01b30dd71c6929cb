package timeline

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// An Email is the e-mail address of a person. Callers show it to the person alone.
type Email struct {
	Address   string // empty: the person has none
	Confirmed bool   // the person has opened a link that was sent to the address
	Wanted    string // the new address, until the person confirms it; empty: none
	Failed    bool   // a mail server said that there is no such mailbox, since the address was confirmed
}

// Email returns a person's e-mail address.
func (s *Store) Email(ctx context.Context, user UserID) (e Email, err error) {
	defer primary.Wrap(&err, "e-mail address of user %d", user)
	const query = `
		select coalesce(email, ''), email_confirmed_at is not null, coalesce(email_wanted, ''), email_failed_at is not null from users
		where id = $1 and status <> 'deleted'`
	err = s.db.Pool.QueryRow(ctx, query, user).Scan(&e.Address, &e.Confirmed, &e.Wanted, &e.Failed)
	return e, err
}

// SetEmail sets a person's e-mail address. On a site with mail the person must confirm the new address first: a link goes to
// the new address, and a mail to the present one tells of the change. Then the person does not learn whether another account
// has the new address; the owner of that account is told instead.
//
// The error is an [InvalidError] for a text that is no address, [ErrNotFound] for a deleted account, and, on a site without
// mail, a [TakenError] if another account has the address.
func (s *Store) SetEmail(ctx context.Context, user UserID, email string) (err error) {
	defer primary.Wrap(&err, "e-mail address of user %d", user)
	if err := text.CheckEmail(email); err != nil {
		return err
	}
	if s.mails {
		return s.wantEmail(ctx, user, email)
	}
	const set = `
		update users set email = $2, email_wanted = null, email_confirmed_at = case when lower(email) = lower($2) then email_confirmed_at end,
			email_failed_at = case when lower(email) = lower($2) then email_failed_at end,
			mail_due_at = case when lower(email) = lower($2) then mail_due_at end
		where id = $1 and status <> 'deleted'`
	return s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, set, user, email)
		if err != nil {
			return asTakenError(err)
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		return nil
	})
}

// wantEmail notes the address that a person wants to have, and queues the mails about it.
func (s *Store) wantEmail(ctx context.Context, user UserID, email string) error {
	const lock = `
		select coalesce(email, ''), email_confirmed_at is not null and email_failed_at is null from users where id = $1 and status <> 'deleted' for no key update`
	const want = `update users set email_wanted = $2 where id = $1`
	const owner = `select id from users where lower(email) = lower($1) and id <> $2`
	err := s.write(ctx, func(tx *txn) error {
		var present string
		var confirmed bool
		err := tx.QueryRow(ctx, lock, user).Scan(&present, &confirmed)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		if strings.EqualFold(present, email) && confirmed {
			_, err := tx.Exec(ctx, want, user, nil)
			return err
		}
		if _, err := tx.Exec(ctx, want, user, email); err != nil {
			return err
		}
		var other UserID
		switch err = tx.QueryRow(ctx, owner, email, user).Scan(&other); {
		case err == nil:
			err = s.queueMail(ctx, tx, other, MailTaken, "")
		case errors.Is(err, pgx.ErrNoRows):
			err = s.queueMail(ctx, tx, user, MailConfirm, email)
		}
		if err != nil {
			return err
		}
		if strings.EqualFold(present, email) {
			return nil
		}
		return s.queueMail(ctx, tx, user, MailAddress, "")
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// MailConfirmation queues another mail with a link that confirms the address that the person wants, or else the person's
// present address. It does nothing if there is nothing to confirm.
func (s *Store) MailConfirmation(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "confirmation for user %d", user)
	const query = `
		select coalesce(u.email_wanted, u.email) from users u
		where u.id = $1 and u.status <> 'deleted' and (u.email_wanted is not null or u.email is not null and (u.email_confirmed_at is null or u.email_failed_at is not null))
			and not exists (select from users o where o.id <> u.id and lower(o.email) = lower(u.email_wanted))`
	err = s.write(ctx, func(tx *txn) error {
		var address string
		err := tx.QueryRow(ctx, query, user).Scan(&address)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.queueMail(ctx, tx, user, MailConfirm, address)
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// KeepEmail forgets the address that the person wanted to have.
func (s *Store) KeepEmail(ctx context.Context, user UserID) (err error) {
	defer primary.Wrap(&err, "keep the e-mail address of user %d", user)
	const query = `update users set email_wanted = null where id = $1`
	_, err = s.db.Pool.Exec(ctx, query, user)
	return err
}

// emailLinkFor is how long a link that confirms an address is valid.
const emailLinkFor = 3 * 24 * time.Hour

// toConfirm is the condition that the person $1 has or wants the address $2, and has not confirmed it, or not since mail to it came back.
const toConfirm = `id = $1 and suspended_at is null and status <> 'deleted'
	and (lower(email_wanted) = lower($2) or email_wanted is null and lower(email) = lower($2) and (email_confirmed_at is null or email_failed_at is not null))`

// NewEmailLink returns the secret of a new link with which a person confirms an address. The error is [ErrUnauthorized] if the
// person neither has nor wants the address any more, or has confirmed it.
func (s *Store) NewEmailLink(ctx context.Context, user UserID, address string) (secret string, err error) {
	defer primary.Wrap(&err, "link for the address of user %d", user)
	const lock = `select from users where ` + toConfirm + ` for no key update`
	const insert = `insert into email_links (token_hash, user_id, address, expires_at) values ($1, $2, $3, $4)`
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		err := tx.QueryRow(ctx, lock, user, address).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, insert, digest(secret), user, address, s.db.Now().Add(emailLinkFor))
		return err
	})
	return secret, err
}

// ConfirmEmail confirms the address of a link, which becomes the address of the person, and deletes the person's links of this
// kind. The error is [ErrUnauthorized] if the link was used, is too old or never existed, or if the person does not want the
// address any more; and a [TakenError] if another account has the address.
func (s *Store) ConfirmEmail(ctx context.Context, secret string) (err error) {
	defer primary.Wrap(&err, "confirm an e-mail address")
	const find = `select user_id, address from email_links where token_hash = $1 and expires_at > $2`
	// Mails about notices begin with the notices from now on.
	const set = `
		update users set email = $2, email_wanted = null, email_confirmed_at = $3, email_failed_at = null,
			mail_due_at = coalesce(mail_due_at, case when mail_often <> 'never' then $3::timestamptz end),
			mailed_upto = case when mail_due_at is null then coalesce((select max(id) from notices where user_id = $1), 0) else mailed_upto end
		where ` + toConfirm
	const use = `delete from email_links where user_id = $1`
	return s.write(ctx, func(tx *txn) error {
		var user UserID
		var address string
		err := tx.QueryRow(ctx, find, digest(secret), s.db.Now()).Scan(&user, &address)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, set, user, address, s.db.Now())
		if err != nil {
			return asTakenError(err)
		}
		if tag.RowsAffected() == 0 {
			return ErrUnauthorized
		}
		_, err = tx.Exec(ctx, use, user)
		return err
	})
}
