package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// mostDays is the longest suspension with an end, in days.
const mostDays = 365

// SuspendPerson is [Store.Suspend] for an administrator of the site, who gives a reason. The suspension ends after a number
// of days, or lasts until an administrator ends it if days is 0. The error is [ErrForbidden] for any other actor, and an
// [InvalidError] for a name that no other person has, for a bad reason, and for a bad number of days.
func (s *Store) SuspendPerson(ctx context.Context, actor UserID, name, reason string, days int) (err error) {
	defer primary.Wrap(&err, "suspend %q", name)
	if reason, err = text.CleanLine("reason", reason, maxReason); err != nil {
		return err
	}
	if err := checkDays(days); err != nil {
		return err
	}
	return s.actOnPerson(ctx, actor, name, func(tx *txn, person UserID) error {
		_, err := s.suspend(ctx, tx, JournalEntry{By: actor, User: person, Reason: reason, Until: s.until(days)})
		return err
	})
}

// ErrDays is the error for a number of days that a suspension can't have.
var ErrDays = &InvalidError{Field: "days", Reason: "is not a number from 1 to 365", Code: "days", N: mostDays}

// checkDays returns [ErrDays] for a number of days that a suspension can't have.
func checkDays(days int) error {
	if days < 0 || days > mostDays {
		return ErrDays
	}
	return nil
}

// until returns when a suspension of a number of days ends that begins now; the zero time for 0.
func (s *Store) until(days int) time.Time {
	if days == 0 {
		return time.Time{}
	}
	return s.db.Now().AddDate(0, 0, days)
}

// EndSuspensions restores up to a hundred accounts whose suspensions have come to their ends. Several processes may call it
// at the same time.
func (s *Store) EndSuspensions(ctx context.Context) (err error) {
	defer primary.Wrap(&err, "end suspensions")
	const ended = `
		select id from users where suspended_until <= $1 and suspended_at is not null and status <> 'deleted' order by id limit 100`
	var people []UserID
	if err := primary.Read(ctx, s.db.Pool, &people, ended, s.db.Now()); err != nil {
		return err
	}
	// An administrator may have ended a suspension meanwhile, or have suspended the person again.
	const still = `select from users where id = $1 and suspended_until <= $2 and status <> 'deleted' for update`
	for _, user := range people {
		err := s.write(ctx, func(tx *txn) error {
			err := tx.QueryRow(ctx, still, user, s.db.Now()).Scan()
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			return s.restore(ctx, tx, 0, user)
		})
		if err != nil {
			return err
		}
	}
	if len(people) > 0 {
		s.jobBell.ring()
	}
	return nil
}

// RestorePerson is [Store.Restore] for an administrator of the site. Its errors are those of [Store.SuspendPerson].
func (s *Store) RestorePerson(ctx context.Context, actor UserID, name string) (err error) {
	defer primary.Wrap(&err, "restore %q", name)
	return s.actOnPerson(ctx, actor, name, func(tx *txn, person UserID) error { return s.restore(ctx, tx, actor, person) })
}

// actOnPerson runs f on the account of another person in a transaction, for an administrator of the site, and then
// rings for the job that f may have added.
func (s *Store) actOnPerson(ctx context.Context, actor UserID, name string, f func(tx *txn, person UserID) error) error {
	err := s.write(ctx, func(tx *txn) error {
		if err := lockSiteAdmin(ctx, tx, actor); err != nil {
			return err
		}
		named, err := lookup(ctx, tx, name)
		switch {
		case missing(err), err == nil && named.User == 0:
			return &InvalidError{Field: "name", Reason: "is the name of no person", Code: "no_person", Name: name}
		case err != nil:
			return err
		case named.User == actor:
			return &InvalidError{Field: "name", Reason: "is your own name", Code: "yourself"}
		}
		return f(tx, named.User)
	})
	if err == nil {
		s.jobBell.ring()
	}
	return err
}

// checkSiteAdmin returns [ErrUnauthorized] or [ErrForbidden] unless the viewer acts as an administrator of the site.
func (s *Sets) checkSiteAdmin() error {
	switch {
	case !s.MayAct():
		return ErrUnauthorized
	case !s.Admin || s.AsMember:
		return ErrForbidden
	}
	return nil
}

// A Suspension is a suspension that lasts, with the entry of the journal that began it. Suspensions of versions without a
// journal have only User and At.
type Suspension = JournalEntry

// Suspensions returns up to count suspended accounts, the last suspended first, to an administrator of the site;
// [ErrForbidden] for any other viewer.
func (s *Store) Suspensions(ctx context.Context, viewer UserID, count int) (all []Suspension, err error) {
	defer primary.Wrap(&err, "suspensions")
	const query = `
		select coalesce(j.id, 0), u.suspended_at, coalesce(j.by_id, 0), 'suspend', u.id, coalesce(j.reason, ''), 0, null::timestamptz, 0, u.suspended_until
		from users u left join lateral (
			select id, by_id, reason from journal where user_id = u.id and act = 'suspend' order by id desc limit 1) j on true
		where ` + suspended + ` and u.status <> 'deleted'
		order by u.suspended_at desc, u.id limit $1`
	return s.readJournal(ctx, viewer, (*Sets).checkSiteAdmin, query, func(*Sets) []any { return []any{count} })
}
