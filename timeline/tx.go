package timeline

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier is a pool, a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// A txn is one writing transaction together with what it will say in the log.
type txn struct {
	pgx.Tx
	changes []Change
	revoked bool // see revokes
}

// note remembers a change, to be appended when all else is done: by then the
// rows that it is about are locked, so that two changes of one post stand in
// the log in the order in which they were made.
func (tx *txn) note(changes ...Change) { tx.changes = append(tx.changes, changes...) }

// tries is how often a write is tried. Only what certainly was not committed
// is tried again: a deadlock, or a connection that broke before the commit.
const tries = 20

// write runs f in a transaction, appends what f noted, commits and rings. It
// may run f several times, so f must set what it answers with and not add to
// it. Locks are taken in one order everywhere: posts by id, people by id,
// timelines by id, groups.
func (s *Store) write(ctx context.Context, f func(*txn) error) error {
	for try := 1; ; try++ {
		retry, err := s.writeOnce(ctx, f)
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
func (s *Store) writeOnce(ctx context.Context, f func(*txn) error) (retry bool, err error) {
	begun, err := s.pool.Begin(ctx)
	if err != nil {
		return lost(err), err
	}
	tx := &txn{Tx: begun}
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
		err = logChanges(ctx, tx, tx.changes)
	}
	if err != nil {
		return lost(err) || collided(err), err
	}
	err = tx.Commit(ctx)
	s.reached(pointCommitted)
	if !refused(err) { // where the answer was lost, too: it may be in
		tx.report(ctx)
		if len(tx.changes) > 0 {
			s.bells.ring()
		}
	}
	return collided(err), err
}

// view runs f in one snapshot of the primary, read only.
func (s *Store) view(ctx context.Context, f func(querier) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.pool, opts, func(tx pgx.Tx) error { return f(tx) })
}

// planned has a query planned for its parameters, each time. A generic plan
// takes a timeline of fifty thousand posts, or a cursor near the top, for an
// average one, and costs up to thirty times as much. Other queries look rows up
// by key, and planning those anew would double what they cost.
const planned = pgx.QueryExecModeCacheDescribe
