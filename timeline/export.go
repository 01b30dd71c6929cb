package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// The limits of exports.
const (
	exportFor      = 7 * 24 * time.Hour // how long a ready export is offered, and the note of a failed one is shown
	maxExportTries = 5                  // how many times workers try an export before it fails
)

// exportsPerDay is how many exports a person may ask for in 24 hours. The number is small because
// each export reads all data of the person.
const exportsPerDay = 5

// An ExportLimitError says that a person has asked for as many exports as they may in a day. The
// person may ask for another one after the time After.
type ExportLimitError struct{ After time.Duration }

func (e *ExportLimitError) Error() string {
	return fmt.Sprintf("%d exports in a day: another after %v", exportsPerDay, e.After)
}

// Unwrap makes the error an [ErrThrottled].
func (*ExportLimitError) Unwrap() error { return ErrThrottled }

// The states of an [Export].
const (
	ExportQueued = "queued" // a worker writes it, or will
	ExportReady  = "ready"
	ExportFailed = "failed" // all tries failed
)

// An Export is a file with all that belongs to a person, which the person asked for.
type Export struct {
	ID        int64
	State     string // ExportQueued, ExportReady or ExportFailed
	CreatedAt time.Time
	Until     time.Time // of a ready or failed export: when it is deleted
	Done      int       // how many posts are written already
	Posts     int       // how many posts the export will have; 0 before a worker has counted them
	Size      int64     // of a ready export: in bytes
	File      FileName  // of a ready export
}

const exportColumns = `id, state, created_at, due_at, done, posts, size, file`

func scanExport(row pgx.CollectableRow) (e Export, err error) {
	var file []byte
	err = row.Scan(&e.ID, &e.State, &e.CreatedAt, &e.Until, &e.Done, &e.Posts, &e.Size, &file)
	if file != nil {
		e.File = FileName(file)
	}
	return e, err
}

// ListenExports returns a channel that receives each time this store queues an export for
// [Store.TakeExport], and a function that stops the listening.
func (s *Store) ListenExports() (bell <-chan struct{}, stop func()) { return s.exportBell.add() }

// StartExport queues an export of all that belongs to the actor, with pages in the language lang. A
// person has at most one queued export; if there is one, StartExport returns it. The error is an
// [ExportLimitError] if the actor has asked for five exports in the last 24 hours, deleted ones
// included, and [ErrUnauthorized] for an actor without an account, or a suspended one.
func (s *Store) StartExport(ctx context.Context, actor UserID, lang string) (e Export, err error) {
	defer primary.Wrap(&err, "start an export of user %d", actor)
	const queued = `select ` + exportColumns + ` from exports where user_id = $1 and state = 'queued'`
	const asked = `
		update users set export_times = array(select at from unnest(export_times) at where at > $2 order by at)
		where id = $1 and suspended_at is null and status <> 'deleted'
		returning cardinality(export_times), export_times[1]`
	const ask = `update users set export_times = export_times || $2::timestamptz where id = $1`
	const insert = `
		insert into exports (user_id, state, created_at, due_at, lang) values ($1, 'queued', $2, $2, $3)
		returning ` + exportColumns
	err = s.write(ctx, func(tx *txn) error {
		var n int
		var first *time.Time
		now := s.db.Now()
		// The update locks the person's row, so that two requests of one person wait for each other.
		err := tx.QueryRow(ctx, asked, actor, now.Add(-24*time.Hour)).Scan(&n, &first)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		read := func(query string, args ...any) error {
			rows, err := tx.Query(ctx, query, args...)
			if err != nil {
				return err
			}
			e, err = pgx.CollectExactlyOneRow(rows, scanExport)
			return err
		}
		if err := read(queued, actor); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if n >= exportsPerDay {
			return &ExportLimitError{first.Add(24 * time.Hour).Sub(now)}
		}
		if _, err := tx.Exec(ctx, ask, actor, now); err != nil {
			return err
		}
		return read(insert, actor, now, lang)
	})
	if err == nil {
		s.exportBell.ring()
	}
	return e, err
}

// Exports returns the exports of a person, the newest first.
func (s *Store) Exports(ctx context.Context, user UserID) (all []Export, err error) {
	defer primary.Wrap(&err, "exports of user %d", user)
	const query = `select ` + exportColumns + ` from exports where user_id = $1 and (state = 'queued' or due_at > $2) order by id desc`
	rows, err := s.db.Pool.Query(ctx, query, user, s.db.Now())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanExport)
}

// ReadyExport returns a ready export of the viewer's. It returns [ErrNotFound] if the viewer has no
// such export, or if the export is not ready or has expired.
func (s *Store) ReadyExport(ctx context.Context, viewer UserID, id int64) (e Export, err error) {
	defer primary.Wrap(&err, "export %d", id)
	const query = `
		select ` + exportColumns + ` from exports
		where id = $1 and user_id = $2 and state = 'ready' and due_at > $3
			and exists (select from users where id = $2 and suspended_at is null and status <> 'deleted')`
	rows, err := s.db.Pool.Query(ctx, query, id, viewer, s.db.Now())
	if err != nil {
		return e, err
	}
	return pgx.CollectExactlyOneRow(rows, scanExport)
}

// DeleteExport deletes an export of the actor's. A ready export is no longer offered, and a queued
// one is not made. It returns [ErrNotFound] if the actor has no such export.
func (s *Store) DeleteExport(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "delete export %d", id)
	const query = `delete from exports where id = $1 and user_id = $2`
	tag, err := s.db.Pool.Exec(ctx, query, id, actor)
	if err == nil && tag.RowsAffected() == 0 {
		return ErrNotFound
	}
	return err
}

// An ExportLease gives one worker the right to write an export, for a time.
type ExportLease struct {
	ID   int64
	User UserID
	Lang string // of the pages
	Try  int    // 1 for the first
}

// TakeExport takes the export from the queue that has been due for the longest time, and returns
// nil if none is due. No other worker gets the export until the lease is over. If the worker dies,
// another one takes the export then, and writes it from its beginning.
func (s *Store) TakeExport(ctx context.Context, lease time.Duration) (l *ExportLease, err error) {
	defer primary.Wrap(&err, "take an export from the queue")
	const query = `
		update exports set due_at = $2, tries = tries + 1, done = 0, posts = 0
		where id = (select id from exports where state = 'queued' and due_at <= $1 order by due_at, id limit 1 for update skip locked)
		returning id, user_id, lang, tries`
	now := s.db.Now()
	var taken ExportLease
	err = s.db.Pool.QueryRow(ctx, query, now, now.Add(lease)).Scan(&taken.ID, &taken.User, &taken.Lang, &taken.Try)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &taken, err
}

// NoteExport notes that done of all posts of an export are written, and renews the lease. It
// returns [ErrNotFound] if the person has deleted the export, or if another worker has taken it.
func (s *Store) NoteExport(ctx context.Context, l ExportLease, lease time.Duration, done, posts int) (err error) {
	defer primary.Wrap(&err, "note export %d", l.ID)
	const query = `update exports set due_at = $3, done = $4, posts = $5 where id = $1 and tries = $2 and state = 'queued'`
	return s.changeExport(ctx, query, l.ID, l.Try, s.db.Now().Add(lease), done, posts)
}

// PostponeExport puts an export back into the queue for another try after wait, or marks it as
// failed after the last try. counts is false for a try that was broken off because its worker was
// stopped: such a try is not counted.
func (s *Store) PostponeExport(ctx context.Context, l ExportLease, wait time.Duration, counts bool) (err error) {
	defer primary.Wrap(&err, "postpone export %d", l.ID)
	const again = `update exports set due_at = $3, tries = tries - case when $4 then 0 else 1 end where id = $1 and tries = $2 and state = 'queued'`
	const fail = `update exports set due_at = $3, state = 'failed' where id = $1 and tries = $2 and state = 'queued'`
	if counts && l.Try >= maxExportTries {
		return s.changeExport(ctx, fail, l.ID, l.Try, s.db.Now().Add(exportFor))
	}
	return s.changeExport(ctx, again, l.ID, l.Try, s.db.Now().Add(wait), counts)
}

// changeExport runs an update of one export. It returns [ErrNotFound] if the update changed no row.
func (s *Store) changeExport(ctx context.Context, query string, args ...any) error {
	tag, err := s.db.Pool.Exec(ctx, query, args...)
	if err == nil && tag.RowsAffected() == 0 {
		return ErrNotFound
	}
	return err
}

// FinishExport offers the file of an export to the person, and deletes the person's earlier
// exports. kept reports whether the file store has a file. The error is [ErrFileGone] if the file
// store lacks the file, and [ErrNotFound] if the person has deleted the export or the account, or
// if another worker has taken the export.
func (s *Store) FinishExport(ctx context.Context, l ExportLease, file FileName, size int64, kept Kept) (err error) {
	defer primary.Wrap(&err, "finish export %d", l.ID)
	const update = `
		update exports set state = 'ready', due_at = $3, file = $4, size = $5, done = posts
		where id = $1 and tries = $2 and state = 'queued'`
	const earlier = `delete from exports where user_id = $1 and id < $2`
	return s.write(ctx, func(tx *txn) error {
		if err := LockFiles(ctx, tx, kept, file); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, update, l.ID, l.Try, s.db.Now().Add(exportFor), file[:], size)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		_, err = tx.Exec(ctx, earlier, l.User, l.ID)
		return err
	})
}
