package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// maxReason is the longest reason for an act in the journal, in characters.
const maxReason = 300

// A JournalEntry is an act of an administrator of the site on an account. No entry is ever changed.
type JournalEntry struct {
	ID     int64
	At     time.Time
	By     UserID // 0: the operator of the server, at the command line
	Act    string // ActSuspend or ActRestore
	User   UserID // on whose account
	Reason string // may be empty
}

// The acts in the journal.
const (
	ActSuspend = "suspend"
	ActRestore = "restore"
)

// SuspendPerson is [Store.Suspend] for an administrator of the site, who gives a reason. The error is [ErrForbidden] for any
// other actor, and an [InvalidError] for a name that no other person has, and for a bad reason.
func (s *Store) SuspendPerson(ctx context.Context, actor UserID, name, reason string) (err error) {
	defer primary.Wrap(&err, "suspend %q", name)
	if reason, err = text.CleanLine("reason", reason, maxReason); err != nil {
		return err
	}
	return s.actOnPerson(ctx, actor, name, func(tx *txn, person UserID) error { return s.suspend(ctx, tx, actor, person, reason) })
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
		sets, err := lockSets(ctx, tx, actor)
		if err == nil {
			err = sets.checkSiteAdmin()
		}
		if err != nil {
			return err
		}
		named, err := lookup(ctx, tx, name)
		switch {
		case errors.Is(err, pgx.ErrNoRows), errors.Is(err, ErrNotFound), err == nil && named.User == 0:
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

// record adds an entry to the journal. by is 0 for the operator of the server.
func (s *Store) record(ctx context.Context, tx *txn, by UserID, act string, user UserID, reason string) error {
	const insert = `insert into journal (at, by_id, act, user_id, reason) values ($1, nullif($2::bigint, 0), $3, $4, $5)`
	_, err := tx.Exec(ctx, insert, s.db.Now(), by, act, user, reason)
	return err
}

// A Suspension is a suspension that lasts, with the entry of the journal that began it. Suspensions of versions without a
// journal have only User and At.
type Suspension = JournalEntry

// Suspensions returns up to count suspended accounts, the last suspended first, to an administrator of the site;
// [ErrForbidden] for any other viewer.
func (s *Store) Suspensions(ctx context.Context, viewer UserID, count int) (all []Suspension, err error) {
	defer primary.Wrap(&err, "suspensions")
	const query = `
		select coalesce(j.id, 0), u.suspended_at, coalesce(j.by_id, 0), 'suspend', u.id, coalesce(j.reason, '')
		from users u left join lateral (
			select id, by_id, reason from journal where user_id = u.id and act = 'suspend' order by id desc limit 1) j on true
		where u.suspended_at is not null and u.status <> 'deleted'
		order by u.suspended_at desc, u.id limit $1`
	return s.readJournal(ctx, viewer, query, count)
}

// Journal returns up to count entries of the journal, the newest first, to an administrator of the site; [ErrForbidden]
// for any other viewer.
func (s *Store) Journal(ctx context.Context, viewer UserID, count int) (all []JournalEntry, err error) {
	defer primary.Wrap(&err, "journal")
	const query = `select id, at, coalesce(by_id, 0), act, user_id, reason from journal order by id desc limit $1`
	return s.readJournal(ctx, viewer, query, count)
}

// readJournal runs a query for entries of the journal, if the viewer administers the site.
func (s *Store) readJournal(ctx context.Context, viewer UserID, query string, count int) (all []JournalEntry, err error) {
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err == nil {
			err = sets.checkSiteAdmin()
		}
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, count)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[JournalEntry])
		for i := range all {
			all[i].At = all[i].At.UTC()
		}
		return err
	})
	return all, err
}
