package primary

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// Errors on which a caller can act. Any other error is a fault of the program.
var (
	ErrNotFound     = errors.New("not found")           // the object does not exist, or the actor may not learn that it exists
	ErrForbidden    = errors.New("forbidden")           // the actor may know that the object exists, but may not do this
	ErrUnauthorized = errors.New("sign in first")       // no session or token, or an expired one
	ErrTaken        = errors.New("already taken")       // another account has the name or the address
	ErrConflict     = errors.New("conflict")            // the request contradicts the present state
	ErrThrottled    = errors.New("too many tries")      // try again later
	ErrBusy         = errors.New("too busy")            // the request took too long; nothing is wrong with it
	ErrSignInBusy   = errors.New("too many at once")    // too many passwords wait to be compared; try again soon
	ErrUnavailable  = errors.New("the primary is away") // the database can't be reached; nothing was lost
)

// refused reports whether PostgreSQL answered a commit with an error, so that it is certain that
// nothing was committed.
func refused(err error) bool {
	_, ok := errors.AsType[*pgconn.PgError](err)
	return ok || errors.Is(err, pgx.ErrTxCommitRollback)
}

// collided reports whether PostgreSQL undid a transaction because of another one.
func collided(err error) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pgErr.Code == "40P01" || pgErr.Code == "40001") // deadlock, serialization
}

// lost reports whether an established connection broke, so that a retry on another connection
// may succeed.
func lost(err error) bool {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return !connecting && unreachable(err) && !errors.Is(err, puddle.ErrClosedPool)
}

// unreachable reports whether the database did not answer, or refused all service for now.
func unreachable(err error) bool {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pgErr.Code {
		case "57P01", "57P02", "57P03", // shutting down, crashed, starting
			"25P03", // PostgreSQL closed the connection because this process was idle in a transaction for too long
			"53300", // too many connections
			"25006": // read only: the server has become a replica
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

// translate turns the errors of PostgreSQL into the errors of this package. Errors of this
// package, and the end of the caller's context, stay as they are.
func translate(err error) error {
	for _, named := range []error{
		nil, ErrNotFound, ErrForbidden, ErrUnauthorized, ErrTaken, ErrConflict, ErrThrottled, ErrBusy, ErrUnavailable,
		context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, named) {
			return err
		}
	}
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case unreachable(err), collided(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case errors.Is(err, pgx.ErrNoRows),
		ok && pgErr.Code == "23503": // foreign_key_violation
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case ok && pgErr.Code == "23505": // unique_violation
		return fmt.Errorf("%w: %w", ErrTaken, err)
	}
	return err
}

// Wrap adds the name of the failed work to *err, unless *err is nil, and turns *err into an error
// of this package if the package has a fitting one. Every exported method of timeline and the
// packages below timeline that uses the primary begins by deferring a call of Wrap, so that no
// path through the method can return an untranslated error of PostgreSQL.
func Wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), translate(*err))
	}
}
