package timeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/puddle/v2"
)

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

// A primary is the pool of a [Store]. All queries outside of transactions go
// through it, so the errors of all of them have the names of this package: no
// method can forget to translate.
type primary struct{ *pgxpool.Pool }

func (p primary) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return translated{p.Pool}.Query(ctx, sql, args...)
}

func (p primary) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return translated{p.Pool}.QueryRow(ctx, sql, args...)
}

func (p primary) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return translated{p.Pool}.Exec(ctx, sql, args...)
}

func (p primary) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return translated{p.Pool}.SendBatch(ctx, b)
}

// A translated querier passes every error of another querier through translate.
type translated struct{ querier querier }

func (t translated) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := t.querier.Query(ctx, sql, args...)
	if err != nil {
		return rows, translate(err)
	}
	return translatedRows{rows}, nil
}

func (t translated) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return translatedRow{t.querier.QueryRow(ctx, sql, args...)}
}

func (t translated) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tag, err := t.querier.Exec(ctx, sql, args...)
	return tag, translate(err)
}

func (t translated) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return translatedResults{t.querier.SendBatch(ctx, b)}
}

type translatedRows struct{ pgx.Rows }

func (r translatedRows) Err() error { return translate(r.Rows.Err()) }

func (r translatedRows) Scan(dest ...any) error { return translate(r.Rows.Scan(dest...)) }

type translatedRow struct{ pgx.Row }

func (r translatedRow) Scan(dest ...any) error { return translate(r.Row.Scan(dest...)) }

type translatedResults struct{ pgx.BatchResults }

func (r translatedResults) Exec() (pgconn.CommandTag, error) {
	tag, err := r.BatchResults.Exec()
	return tag, translate(err)
}

func (r translatedResults) Query() (pgx.Rows, error) {
	rows, err := r.BatchResults.Query()
	if err != nil {
		return rows, translate(err)
	}
	return translatedRows{rows}, nil
}

func (r translatedResults) QueryRow() pgx.Row { return translatedRow{r.BatchResults.QueryRow()} }

func (r translatedResults) Close() error { return translate(r.BatchResults.Close()) }
