package primary

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// Planned is the first argument of a query that PostgreSQL is to plan each time for its actual
// parameters. A generic plan assumes average parameters; for a timeline of fifty thousand posts, or
// a cursor near the top, it costs up to thirty times as much. Queries that look up rows by key do
// without Planned, because planning them each time would double their cost.
const Planned = pgx.QueryExecModeCacheDescribe

// A DB is the primary. Many goroutines may use it at once.
type DB struct {
	Pool  *pgxpool.Pool
	Clock func() time.Time
	// Reached is called with the name of each point that the work reaches; a test can kill the
	// process at the point.
	Reached func(point string)
	// Committed is called after each transaction that was committed, or may have been committed
	// because the answer to the commit was lost.
	Committed func(context.Context, *Tx)
	// Logging, if not nil, is called with the changes of each transaction before they are
	// logged. It may add statements to the batch. The function it returns runs after the batch,
	// in the same transaction.
	Logging func([]Change, *pgx.Batch) func(context.Context, Querier) error
}

// PointCommitted is the point at which a write is committed, but no bell has been rung for it.
const PointCommitted = "timeline: committed"

// Now returns the time of the clock in UTC, in whole milliseconds, the precision of times in the
// primary.
func (db *DB) Now() time.Time { return db.Clock().UTC().Truncate(time.Millisecond) }

// A Change is a description of what a write did, for the change log.
type Change interface {
	// Log queues the statement that appends the change to the log.
	Log(*pgx.Batch)
}

// A Tx is a writing transaction with its changes for the change log.
type Tx struct {
	pgx.Tx
	changes []Change
	revoked bool
}

// Note adds changes that are appended to the log at the end of the transaction. By then the
// transaction holds the locks of the changed rows, so two changes of one post are in the log in
// the order in which they were made.
func (tx *Tx) Note(changes ...Change) { tx.changes = append(tx.changes, changes...) }

// Revokes marks the transaction as one that takes a right away from people: the answer to the
// request waits until no page shows posts that these people may not read any more. A write calls
// Revokes even if it finds nothing left to do, because an earlier request may have done the work,
// and its client got no answer.
func (tx *Tx) Revokes() { tx.revoked = true }

// Noted returns the changes that the transaction has noted so far.
func (tx *Tx) Noted() []Change { return tx.changes }

// Revoked reports whether the transaction took a right away; see [Tx.Revokes].
func (tx *Tx) Revoked() bool { return tx.revoked }

// tries is the largest number of times that a write is tried. Only a write that was certainly not
// committed is tried again: after a deadlock, or if the connection broke before the commit.
const tries = 20

// Write runs f in a transaction, appends the changes that f noted to the change log, and commits.
// Write may run f several times, so f must set its results and not add to them. All transactions
// lock rows in one order: posts by id, people by id, timelines by id, groups.
func (db *DB) Write(ctx context.Context, f func(*Tx) error) error {
	for try := 1; ; try++ {
		retry, err := db.writeOnce(ctx, f)
		if err == nil || !retry || try == tries || ctx.Err() != nil {
			return err
		}
		if !lost(err) {
			// Wait for a random time, so that two writers that met in a deadlock do not meet again.
			pause := time.NewTimer(rand.N(time.Duration(try) * time.Millisecond))
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
				return err
			}
		}
	}
}

// writeOnce tries once; retry is true if another try can succeed and is safe.
func (db *DB) writeOnce(ctx context.Context, f func(*Tx) error) (retry bool, err error) {
	begun, err := db.Pool.Begin(ctx)
	if err != nil {
		return lost(err), err
	}
	tx := &Tx{Tx: begun}
	defer func() {
		if err == nil {
			return
		}
		// ctx may have ended; the transaction must be rolled back all the same.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tx.Rollback(ending) // it was committed, or the connection is gone
	}()
	if err = f(tx); err == nil {
		err = tx.log(ctx, db.Logging)
	}
	if err != nil {
		return lost(err) || collided(err), err
	}
	err = tx.Commit(ctx)
	db.Reached(PointCommitted)
	if !refused(err) { // without an error, or with a lost answer: the transaction may be committed
		db.Committed(ctx, tx)
	}
	return collided(err), err
}

// log appends the noted changes to the change log.
func (tx *Tx) log(ctx context.Context, logging func([]Change, *pgx.Batch) func(context.Context, Querier) error) error {
	if len(tx.changes) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, c := range tx.changes {
		c.Log(&batch)
	}
	var rest func(context.Context, Querier) error
	if logging != nil {
		rest = logging(tx.changes, &batch)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("log %d changes: %w", len(tx.changes), err)
	}
	if rest == nil {
		return nil
	}
	return rest(ctx, tx)
}

// View runs f in a read-only snapshot of the primary.
func (db *DB) View(ctx context.Context, f func(Querier) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, db.Pool, opts, func(tx pgx.Tx) error { return f(tx) })
}
