package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// maxReason is the longest reason for an act in the journal, in characters.
const maxReason = 300

// A JournalEntry is an act of an administrator on an account, or on something that its person wrote. No entry is ever
// changed.
type JournalEntry struct {
	ID     int64
	At     time.Time
	By     UserID // 0: the operator of the server, or the server itself
	Act    string // ActSuspend and so on
	User   UserID // the person with the account, or the author of the post or comment
	Reason string // may be empty
	Group  GroupID
	// Written is when the post or comment was written; the zero time if the entry is about none.
	Written time.Time
	Post    PostID    // the post of ActTakeOut; it may be gone since
	Until   time.Time // the end of a suspension; the zero time: until an administrator restores the account
}

// The acts in the journal.
const (
	ActSuspend       = "suspend"
	ActRestore       = "restore"
	ActWarn          = "warn"
	ActDeletePost    = "delete_post"
	ActDeleteComment = "delete_comment"
	ActTakeOut       = "take_out" // of a group: a post
	ActDismiss       = "dismiss"  // a report, without doing anything
	ActHide          = "hide"     // a post, until an administrator releases it
	ActRelease       = "release"  // a post that waited
	ActAccept        = "accept"   // an applicant, who has an account from then on
	ActRefuse        = "refuse"   // an applicant, whose name is in the reason; the person of the entry is the administrator
)

// Journal returns up to count entries of the journal, the newest first: to administrators of the site all, to
// administrators of groups the entries of their groups. The error is [ErrForbidden] for any other viewer.
func (s *Store) Journal(ctx context.Context, viewer UserID, count int) (all []JournalEntry, err error) {
	defer primary.Wrap(&err, "journal")
	const query = `select ` + journalColumns + ` from journal j where $2 or group_id = any($3) order by id desc limit $1`
	return s.readJournal(ctx, viewer, (*Sets).checkModerator, query, func(sets *Sets) []any { return []any{count, sets.moderatesSite(), sets.moderated()} })
}

// journalColumns are the columns of an entry of the journal j, in the order of the fields of [JournalEntry].
const journalColumns = `j.id, j.at, coalesce(j.by_id, 0), j.act, j.user_id, j.reason, coalesce(j.group_id, 0), j.written_at, coalesce(j.post_id, 0), j.until`

// readJournal runs a query for entries of the journal with the arguments that args returns, if check returns no error for
// the viewer.
func (s *Store) readJournal(ctx context.Context, viewer UserID, check func(*Sets) error, query string, args func(*Sets) []any) (all []JournalEntry, err error) {
	err = s.viewAs(ctx, viewer, check, func(q primary.Querier, sets *Sets) error {
		rows, err := q.Query(ctx, query, args(sets)...)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (JournalEntry, error) { return scanEntry(row) })
		return err
	})
	return all, err
}

// viewAs runs f on one state of the primary with the sets of the viewer, if check returns no error for them.
func (s *Store) viewAs(ctx context.Context, viewer UserID, check func(*Sets) error, f func(primary.Querier, *Sets) error) error {
	return s.db.View(ctx, func(q primary.Querier) error {
		sets, err := actorSets(ctx, q, viewer)
		if err == nil {
			err = check(sets)
		}
		if err != nil {
			return err
		}
		return f(q, sets)
	})
}

// scanEntry reads journalColumns, and before them the columns into.
func scanEntry(row pgx.Row, into ...any) (e JournalEntry, err error) {
	var written, until *time.Time
	err = row.Scan(append(into, &e.ID, &e.At, &e.By, &e.Act, &e.User, &e.Reason, &e.Group, &written, &e.Post, &until)...)
	e.At = e.At.UTC()
	if written != nil {
		e.Written = written.UTC()
	}
	if until != nil {
		e.Until = until.UTC()
	}
	return e, err
}

// record adds an entry to the journal at the present time, and notifies its person of a warning, a deletion and the
// beginning of a suspension. It returns the id of the entry.
func (s *Store) record(ctx context.Context, tx *txn, e JournalEntry) (id int64, err error) {
	const insert = `
		insert into journal (at, by_id, act, user_id, reason, group_id, written_at, post_id, until)
		values ($1, nullif($2::bigint, 0), $3, $4, $5, nullif($6::bigint, 0), $7, nullif($8::bigint, 0), $9)
		returning id`
	now := s.db.Now()
	if err := tx.QueryRow(ctx, insert, now, e.By, e.Act, e.User, e.Reason, e.Group, orNull(e.Written), e.Post, orNull(e.Until)).Scan(&id); err != nil {
		return 0, err
	}
	switch e.Act {
	case ActDismiss, ActRestore, ActRelease, ActAccept, ActRefuse:
		return id, nil
	}
	return id, tx.notifyOfModeration(ctx, now, id)
}

// orNull returns a time for a column that is null for the zero time.
func orNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
