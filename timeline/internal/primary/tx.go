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

// Planned, as the first argument of a query, has PostgreSQL plan the query for its
// parameters, each time. A generic plan takes a timeline of fifty thousand posts, or
// a cursor near the top, for an average one, and costs up to thirty times as much.
// Other queries look rows up by key, and planning those anew would double what they
// cost.
const Planned = pgx.QueryExecModeCacheDescribe

// A DB is the primary. It is for use by many goroutines.
type DB struct {
	Pool  *pgxpool.Pool
	Clock func() time.Time
	// Reached is called with the name of each point that the work comes to, so that a
	// test can kill the process there.
	Reached func(point string)
	// Committed is called after each transaction that was committed, or may have been.
	Committed func(context.Context, *Tx)
}

// PointCommitted is the point at which a write is in the primary, and nothing has been
// told of it.
const PointCommitted = "timeline: committed"

// Now returns the moment in whole milliseconds, as the primary keeps times.
func (db *DB) Now() time.Time { return db.Clock().UTC().Truncate(time.Millisecond) }

// A Change is what a write did, for the change log.
type Change interface {
	// Log queues the statement that appends the change to the log.
	Log(*pgx.Batch)
}

// A Tx is one writing transaction together with the changes that it appends to the
// change log.
type Tx struct {
	pgx.Tx
	changes []Change
	revoked bool
}

// Note remembers changes, to be appended to the log when all else is done: by then the
// rows that the changes are about are locked, so that two changes of one post stand in
// the log in the order in which they were made.
func (tx *Tx) Note(changes ...Change) { tx.changes = append(tx.changes, changes...) }

// Revokes says of a write that it takes a right away from someone, or gives a right
// to fewer than before: the answer to it waits until nothing of that is shown. A
// write says so before it finds that there is nothing to do, as the one that did it
// may not have been answered.
func (tx *Tx) Revokes() { tx.revoked = true }

// Noted returns the changes that the transaction has noted so far.
func (tx *Tx) Noted() []Change { return tx.changes }

// Revoked reports whether the transaction took a right away; see [Tx.Revokes].
func (tx *Tx) Revoked() bool { return tx.revoked }

// tries is how often a write is tried. Only what certainly was not committed
// is tried again: a deadlock, or a connection that broke before the commit.
const tries = 20

// Write runs f in a transaction, appends what f noted to the change log, and commits.
// It may run f several times, so f must set what it answers with and not add to it.
// Locks are taken in one order everywhere: posts by id, people by id, timelines by
// id, groups.
func (db *DB) Write(ctx context.Context, f func(*Tx) error) error {
	for try := 1; ; try++ {
		retry, err := db.writeOnce(ctx, f)
		if err == nil || !retry || try == tries || ctx.Err() != nil {
			return err
		}
		if !lost(err) {
			// Those who met in a deadlock should not meet there again.
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

// writeOnce tries once; retry says that trying again can help, and is safe.
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
		// The request may have ended; its transaction must end as well.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tx.Rollback(ending) // it was committed, or the connection is gone
	}()
	if err = f(tx); err == nil {
		err = tx.log(ctx)
	}
	if err != nil {
		return lost(err) || collided(err), err
	}
	err = tx.Commit(ctx)
	db.Reached(PointCommitted)
	if !refused(err) { // where the answer was lost, too: it may be in
		db.Committed(ctx, tx)
	}
	return collided(err), err
}

// log appends the changes of the transaction to the change log.
func (tx *Tx) log(ctx context.Context) error {
	if len(tx.changes) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, c := range tx.changes {
		c.Log(&batch)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("log %d changes: %w", len(tx.changes), err)
	}
	return nil
}

// View runs f in one snapshot of the primary, read only.
func (db *DB) View(ctx context.Context, f func(Querier) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, db.Pool, opts, func(tx pgx.Tx) error { return f(tx) })
}
