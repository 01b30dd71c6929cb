package timeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"amstel.dev/amstel/internal/point"
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
			return translate(err)
		}
		if !lost(err) {
			// Those who met in a deadlock should not meet there again.
			pause := time.NewTimer(rand.N(time.Duration(try) * time.Millisecond))
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
				return translate(err)
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
	point.Reached("timeline: committed")
	if len(tx.changes) > 0 && !refused(err) {
		s.bells.ring() // where the answer was lost, too: it may be in
	}
	return collided(err), err
}

// refused says that the server itself answered no, so nothing is committed.
func refused(err error) bool {
	_, isPg := errors.AsType[*pgconn.PgError](err)
	return isPg || errors.Is(err, pgx.ErrTxCommitRollback)
}

// collided says that the transaction met another, and was undone for it.
func collided(err error) bool {
	pgErr, isPg := errors.AsType[*pgconn.PgError](err)
	return isPg && (pgErr.Code == "40P01" || pgErr.Code == "40001") // deadlock, serialization
}

// lost says that a connection broke that there had been: another may do.
func lost(err error) bool {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return !connecting && unreachable(err) && !errors.Is(err, puddle.ErrClosedPool)
}

// unreachable says that the database did not answer, or answered that it is
// not there for us now.
func unreachable(err error) bool {
	if pgErr, isPg := errors.AsType[*pgconn.PgError](err); isPg {
		switch pgErr.Code {
		case "57P01", "57P02", "57P03", // shutting down, crashed, starting
			"53300", // too many connections
			"25006": // read only: a replica now
			return true
		}
		return pgErr.Code[:2] == "08" // connection exceptions
	}
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting {
		return true
	}
	if _, network := errors.AsType[*net.OpError](err); network {
		return true
	}
	for _, sign := range []error{pgconn.ErrConnClosed, io.EOF, io.ErrUnexpectedEOF, puddle.ErrClosedPool} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return false
}

// translate gives PostgreSQL's answers the names of this package. An error that
// has one is left alone, and so is the end of the caller's patience.
func translate(err error) error {
	for _, named := range []error{
		nil, ErrNotFound, ErrForbidden, ErrUnauthorized, ErrTaken, ErrConflict, ErrThrottled, ErrBusy, ErrUnavailable,
		context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, named) {
			return err
		}
	}
	pgErr, isPg := errors.AsType[*pgconn.PgError](err)
	switch {
	case unreachable(err), collided(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case errors.Is(err, pgx.ErrNoRows),
		isPg && pgErr.Code == "23503": // foreign_key_violation
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case isPg && pgErr.Code == "23505": // unique_violation
		return fmt.Errorf("%w: %w", ErrTaken, err)
	}
	return err
}

// view runs f in one snapshot of the primary, read only.
func (s *Store) view(ctx context.Context, f func(querier) error) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return translate(pgx.BeginTxFunc(ctx, s.pool, opts, func(tx pgx.Tx) error { return f(tx) }))
}
