package timeline

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// MailKind is the occasion of a mail.
type MailKind string

// The kinds of mail.
const (
	MailSignIn   MailKind = "sign_in"  // a link with which a person who forgot their password signs in
	MailPassword MailKind = "password" // the person's password was changed
	MailConfirm  MailKind = "confirm"  // a link with which the person confirms an address
	MailAddress  MailKind = "address"  // to the present address: the person wants another one
	MailTaken    MailKind = "taken"    // another person tried to use the address for an account
	MailNotices  MailKind = "notices"  // unread notices
	MailDevice   MailKind = "device"   // the person signed in from a new device
	MailAccepted MailKind = "accepted" // an administrator accepted the person, who can sign in now
	MailLeaving  MailKind = "leaving"  // the person deleted the account: when it is erased, and how to come back

	MailPasskeyAdded   MailKind = "passkey_added"   // the person added a passkey
	MailPasskeyRemoved MailKind = "passkey_removed" // the person removed a passkey
)

// Mails reports whether the store queues mails, see [Options.Mails].
func (s *Store) Mails() bool { return s.mails }

// ListenMails returns a channel that receives each time this store has queued a mail for [Store.TakeMail], and a
// function that stops the listening.
func (s *Store) ListenMails() (bell <-chan struct{}, stop func()) { return s.mailBell.add() }

// The bounds of requests for a mail with a link.
var (
	boundLinkNetwork = bound{10, 6 * time.Minute}  // from a network
	boundLinkWide    = bound{40, 90 * time.Second} // from an IPv6 /48
	boundLinkLogin   = bound{3, 20 * time.Minute}  // for a login
)

// linkLimits returns the limits of a request for a mail with a link.
func (c Client) linkLimits(login string) attempt {
	all := attempt{
		{"link:" + c.Network.String(), boundLinkNetwork},
		{"link to:" + hex.EncodeToString(digest(login)[:16]), boundLinkLogin},
	}
	if wide, ok := c.wide(); ok {
		all = append(all, limit{"link:" + wide.String(), boundLinkWide})
	}
	return all
}

// MailLink queues a mail with a link for signing in to the account with the login, which is a name or an e-mail
// address. Strangers do not learn whether there is such an account: MailLink returns nil, too, if there is none, or if the
// account has no address. It returns an [InvalidError] if the login is empty, and [ErrThrottled] after too many requests of
// the client's network, or for the login.
func (s *Store) MailLink(ctx context.Context, login string, from Client) (err error) {
	defer primary.Wrap(&err, "mail a link")
	const queue = `
		insert into mails (user_id, kind, address, created_at, due_at)
		select u.id, $2, u.email, $3, $3 from users u
		where (u.name = $1 or lower(u.email) = lower($1)) and u.email is not null and (u.suspended_at is null and u.status <> 'deleted' or ` + mayComeBack + `)
			and not exists (select from mails m where m.user_id = u.id and m.kind = $2 and m.state = 'queued')`
	login = strings.TrimSpace(login)
	if login == "" || !text.Valid(login) {
		return &InvalidError{Field: "login", Reason: "is missing: give the name or the e-mail address of the account", Code: "empty"}
	}
	login = strings.ToLower(login)
	err = s.write(ctx, func(tx *txn) error {
		if refused, err := s.count(ctx, tx, from.linkLimits(login)); err != nil || refused {
			return throttledIf(refused, err)
		}
		if _, err := tx.Exec(ctx, queue, login, MailSignIn, s.db.Now()); err != nil {
			return err
		}
		return s.dropOver(ctx, tx)
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// queueMail queues a mail to an address of a person; empty: the present one. It does nothing if the person has none, if such a
// mail waits already, or if the site sends no mail. Strangers can cause a [MailTaken], so a person gets one in a day at most. The caller rings mailBell after the transaction.
func (s *Store) queueMail(ctx context.Context, q primary.Querier, user UserID, kind MailKind, address string) error {
	const queue = `
		insert into mails (user_id, kind, address, created_at, due_at)
		select u.id, $2, a.address, $3, $3 from users u, coalesce(nullif($4, ''), u.email) a(address)
		where u.id = $1 and a.address is not null and ($2 not in ('device', 'passkey_added', 'passkey_removed') or u.email_confirmed_at is not null)
			and not exists (select from mails m where m.user_id = u.id and m.kind = $2 and m.address = a.address
				and (m.state = 'queued' or $2 = 'taken' and m.created_at > $3::timestamptz - interval '1 day'))`
	if !s.mails {
		return nil
	}
	_, err := q.Exec(ctx, queue, user, kind, s.db.Now(), address)
	return err
}

// A MailLease gives one worker the right to send a mail, for a time.
type MailLease struct {
	ID        int64
	Message   string // a UUID, the same each time the mail is taken
	Kind      MailKind
	User      UserID
	Name      string // of the account
	Address   string
	Language  string // in which the person reads pages; empty: not known
	TimeZone  string // of the person; empty: not known
	Take      int    // how many times workers have taken the mail, this time included
	CreatedAt time.Time
}

// TakeMail takes the mail that has been due for the longest time, and returns nil if none is due. lease is how long the
// worker has the mail; then another worker may take it.
func (s *Store) TakeMail(ctx context.Context, lease time.Duration) (_ *MailLease, err error) {
	defer primary.Wrap(&err, "take a mail")
	const query = `
		update mails m set taken_until = $2, takes = m.takes + 1 from users u
		where u.id = m.user_id and m.id = (
			select id from mails
			where state = 'queued' and due_at <= $1 and (taken_until is null or taken_until <= $1)
			order by due_at, id limit 1 for update skip locked)
		returning m.id, m.message::text, m.kind, m.user_id, u.name, m.address, u.page_language, u.time_zone, m.takes, m.created_at`
	now := s.db.Now()
	rows, err := s.db.Pool.Query(ctx, query, now, now.Add(lease))
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[MailLease])
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0], nil
}

// FinishMail notes that the mail was sent. upto is the newest notice that the mail tells of, from [Store.NoticesToMail]; 0 for a mail
// of another kind. FinishMail does nothing if another worker has taken the mail meanwhile.
func (s *Store) FinishMail(ctx context.Context, l MailLease, upto int64) (err error) {
	defer primary.Wrap(&err, "finish mail %d", l.ID)
	const query = `
		with sent as (
			update mails set state = 'sent', fault = '', ended_at = $3, taken_until = null where id = $1 and takes = $2 returning user_id
		)
		update users u set mailed_upto = greatest(mailed_upto, $4) from sent where u.id = sent.user_id and $4 > 0`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Take, s.db.Now(), upto)
	return err
}

// FailMail notes why the mail was not sent. The next try is after wait; with giveUp there is none.
func (s *Store) FailMail(ctx context.Context, l MailLease, fault string, wait time.Duration, giveUp bool) (err error) {
	defer primary.Wrap(&err, "fail mail %d", l.ID)
	const query = `
		update mails set fault = left($3, 500), taken_until = null, due_at = $4,
			state = case when $5 then 'failed' else state end, ended_at = case when $5 then $6::timestamptz end
		where id = $1 and takes = $2`
	now := s.db.Now()
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Take, fault, now.Add(wait), giveUp, now)
	return err
}

// NoteUndeliverable notes that a mail server has no mailbox of the mail's address. If the address is the person's, they get no more mail about
// notices until they confirm an address.
func (s *Store) NoteUndeliverable(ctx context.Context, l MailLease) (err error) {
	defer primary.Wrap(&err, "note that mail %d can't be delivered", l.ID)
	const query = `update users set email_failed_at = $3 where id = $1 and lower(email) = lower($2)`
	_, err = s.db.Pool.Exec(ctx, query, l.User, l.Address, s.db.Now())
	return err
}

// NoteBounce notes that a mail server took a mail, and told later that it could not be delivered. message is [MailLease.Message],
// which only the reader of the mail and the mail servers know. If forGood, and the address is still the person's, they get no more mail about
// notices until they confirm an address. The error is [ErrNotFound] if no such mail was sent, or if that was too long ago.
func (s *Store) NoteBounce(ctx context.Context, message, reason string, forGood bool) (err error) {
	defer primary.Wrap(&err, "note a bounce")
	const query = `
		with mail as (
			update mails set state = 'failed', fault = left($2, 500), ended_at = $3 where message = $1 and state <> 'queued' returning user_id, address
		), noted as (
			update users u set email_failed_at = $3 from mail m where $4 and u.id = m.user_id and lower(u.email) = lower(m.address)
		)
		select from mail`
	if !text.Valid(reason) {
		reason = ""
	}
	var id pgtype.UUID
	if id.Scan(message) != nil {
		return ErrNotFound // the message is no UUID
	}
	return s.db.Pool.QueryRow(ctx, query, id, reason, s.db.Now(), forGood).Scan()
}

// DropMail deletes a mail that must not be sent any more, for example because the person was suspended meanwhile.
func (s *Store) DropMail(ctx context.Context, l MailLease) (err error) {
	defer primary.Wrap(&err, "drop mail %d", l.ID)
	const query = `delete from mails where id = $1 and takes = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Take)
	return err
}
