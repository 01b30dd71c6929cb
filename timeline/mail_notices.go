package timeline

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// How often a person wants mail about notices, for [MailWish].
const (
	MailNever  = "never"
	MailSoon   = "soon" // a few minutes after a notice, if it is still unread
	MailHourly = "hourly"
	MailDaily  = "daily"
	MailWeekly = "weekly" // on Mondays
)

// MailOften returns the values of [MailWish.Often], in the order in which settings show them.
func MailOften() []string { return []string{MailSoon, MailHourly, MailDaily, MailWeekly, MailNever} }

// A MailWish says when a person wants mail about unread notices. Mail goes only to a confirmed address.
type MailWish struct {
	Often string
	Hour  int // of daily and weekly mails, from 0 to 23, in the person's time zone
}

// MailWish returns when a person wants mail about notices.
func (s *Store) MailWish(ctx context.Context, user UserID) (w MailWish, err error) {
	defer primary.Wrap(&err, "mail wish of user %d", user)
	const query = `select mail_often, mail_hour from users where id = $1`
	err = s.db.Pool.QueryRow(ctx, query, user).Scan(&w.Often, &w.Hour)
	return w, err
}

// SetMailWish changes when the actor wants mail about notices. It returns an [InvalidError] for a wish that does not exist.
func (s *Store) SetMailWish(ctx context.Context, actor UserID, w MailWish) (err error) {
	defer primary.Wrap(&err, "mail wish of user %d", actor)
	const query = `
		update users set mail_often = $2, mail_hour = $3, mail_due_at = case when $2 <> 'never' and email_confirmed_at is not null then $4::timestamptz end
		where id = $1 and suspended_at is null and status <> 'deleted'`
	const zone = `select time_zone from users where id = $1`
	if !slices.Contains(MailOften(), w.Often) {
		return &InvalidError{Field: "often", Reason: "is not one of " + strings.Join(MailOften(), ", ")}
	}
	if w.Hour < 0 || w.Hour > 23 {
		return &InvalidError{Field: "hour", Reason: "is not from 0 to 23"}
	}
	return s.write(ctx, func(tx *txn) error {
		var in string
		if err := tx.QueryRow(ctx, zone, actor).Scan(&in); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, query, actor, w.Often, w.Hour, w.next(actor, s.db.Now(), in))
		if err == nil && tag.RowsAffected() == 0 {
			return ErrUnauthorized
		}
		return err
	})
}

// soonAfter is the time for which a notice is unread before [MailSoon] mails it. A person at an open page reads the notice in that time, and gets no mail.
const soonAfter = 3 * time.Minute

// lateCommit is the age from which mails tell of a notice. A notice of a longer transaction may get its id before another one, and be
// committed after it. Mails note only the newest notice that they tell of, so they would pass over such a notice for good.
const lateCommit = time.Minute

// spread is the time over which the mails of an hour are spread.
const spread = 30 // minutes

// next returns when to look for notices of a person the next time, after a moment. Example: a person in Amsterdam who wants
// daily mail at 8 is looked at between 8:00 and 8:30 there, always at the same minute.
func (w MailWish) next(user UserID, after time.Time, zone string) time.Time {
	minute := int(user % spread)
	switch w.Often {
	case MailSoon:
		return after.Add(soonAfter)
	case MailHourly:
		at := after.Truncate(time.Hour).Add(time.Duration(minute) * time.Minute)
		if !at.After(after) {
			at = at.Add(time.Hour)
		}
		return at
	}
	in, err := time.LoadLocation(zone)
	if err != nil {
		in = time.UTC
	}
	local := after.In(in)
	for day := local.Day(); ; day++ {
		at := time.Date(local.Year(), local.Month(), day, w.Hour, minute, 0, 0, in)
		if at.After(after) && (w.Often != MailWeekly || at.Weekday() == time.Monday) {
			return at
		}
	}
}

// QueueNoticeMails finds people whose mail about notices is due, up to most of them. It queues a mail to each person with
// unread notices that no mail has told of. It reports whether more people may be due. Several processes may call it at the same
// time.
func (s *Store) QueueNoticeMails(ctx context.Context, most int) (more bool, err error) {
	defer primary.Wrap(&err, "queue mails about notices")
	const due = `
		select u.id, u.mail_often, u.mail_hour, u.time_zone, exists (
			select from notices n where n.user_id = u.id and n.read_at is null and n.id > u.mailed_upto
				and n.created_at <= case u.mail_often when 'soon' then $3::timestamptz else $4::timestamptz end)
		from users u where u.mail_due_at <= $1 order by u.mail_due_at limit $2 for no key update skip locked`
	const queue = `
		insert into mails (user_id, kind, address, created_at, due_at)
		select u.id, 'notices', u.email, $2, $2 from users u
		where u.id = any($1) and u.email_confirmed_at is not null and u.email_failed_at is null and u.suspended_at is null and u.status <> 'deleted'
			and not exists (select from mails m where m.user_id = u.id and m.kind = 'notices' and m.state = 'queued')`
	const later = `update users u set mail_due_at = d.at from unnest($1::bigint[], $2::timestamptz[]) d(id, at) where u.id = d.id`
	if !s.mails {
		return false, nil
	}
	now := s.db.Now()
	err = s.write(ctx, func(tx *txn) error {
		rows, err := tx.Query(ctx, due, now, most, now.Add(-soonAfter), now.Add(-lateCommit))
		if err != nil {
			return err
		}
		var (
			all, told []UserID
			next      []time.Time
			user      UserID
			wish      MailWish
			zone      string
			has       bool
		)
		if _, err := pgx.ForEachRow(rows, []any{&user, &wish.Often, &wish.Hour, &zone, &has}, func() error {
			all, next = append(all, user), append(next, wish.next(user, now, zone))
			if has {
				told = append(told, user)
			}
			return nil
		}); err != nil {
			return err
		}
		more = len(all) == most
		if len(all) == 0 {
			return nil
		}
		if _, err := tx.Exec(ctx, queue, told, now); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, later, all, next)
		return err
	})
	return more, err
}

// mostMailed is how many notices a mail tells of.
const mostMailed = 30

// NoticesToMail returns the unread notices that no mail has told a person of, the newest first, as [Store.NoticesOf] does: without
// those that the person may not see now. upto is the newest of all notices, for [Store.FinishMail].
func (s *Store) NoticesToMail(ctx context.Context, user UserID) (p *NoticePage, upto int64, err error) {
	defer primary.Wrap(&err, "notices to mail to user %d", user)
	const query = `
		select mailed_upto, coalesce((select max(id) from notices where user_id = u.id and created_at <= $2), 0) from users u
		where id = $1 and mail_often <> 'never' and email_confirmed_at is not null and email_failed_at is null and suspended_at is null and status <> 'deleted'`
	var told int64
	err = s.db.Pool.QueryRow(ctx, query, user, s.db.Now().Add(-lateCommit)).Scan(&told, &upto)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, ErrUnauthorized
	}
	if err != nil {
		return nil, 0, err
	}
	p, err = s.NoticesOf(ctx, user, upto+1, 3*mostMailed)
	if err != nil {
		return nil, 0, err
	}
	p.Notices = slices.DeleteFunc(p.Notices, func(n Notice) bool { return n.Read || n.ID <= told })
	p.Notices = p.Notices[:min(len(p.Notices), mostMailed)]
	return p, upto, nil
}

// mailSecret is the key in the table site of the secret that signs stop tokens.
const mailSecret = "mail_secret"

// StopToken returns the token of a link with which a person stops mails about notices without signing in. It is the same in all
// mails, and stays valid: RFC 8058 asks for links that work for a long time.
func (s *Store) StopToken(ctx context.Context, user UserID) (token string, err error) {
	defer primary.Wrap(&err, "stop token of user %d", user)
	secret, err := s.Secret(ctx, mailSecret)
	if err != nil {
		return "", err
	}
	return stopToken(secret, user), nil
}

// stopToken returns the id of a person and its signature.
func stopToken(secret []byte, user UserID) string {
	id := strconv.FormatInt(int64(user), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("stop mails " + id))
	return id + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// StopMails stops the mails about notices of the person of a stop token. It returns [ErrUnauthorized] for any other text.
func (s *Store) StopMails(ctx context.Context, token string) (err error) {
	defer primary.Wrap(&err, "stop mails")
	const query = `update users set mail_often = 'never', mail_due_at = null where id = $1 and status <> 'deleted'`
	id, _, _ := strings.Cut(token, ".")
	user, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return ErrUnauthorized
	}
	secret, err := s.Secret(ctx, mailSecret)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(token), []byte(stopToken(secret, UserID(user)))) {
		return ErrUnauthorized
	}
	_, err = s.db.Pool.Exec(ctx, query, user)
	return err
}
