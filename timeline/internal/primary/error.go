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

// Errors that a caller can act on. Any other error is a fault of the project.
var (
	ErrNotFound     = errors.New("not found")           // not there, or not to be known of
	ErrForbidden    = errors.New("forbidden")           // there, and known to be, but not for this person
	ErrUnauthorized = errors.New("sign in first")       // no session or token, or one that ended
	ErrTaken        = errors.New("already taken")       // a name or an address that another has
	ErrConflict     = errors.New("conflict")            // what is asked contradicts what is
	ErrThrottled    = errors.New("too many tries")      // come back later
	ErrBusy         = errors.New("too busy")            // there was no time for it; nothing is wrong with what was asked
	ErrSignInBusy   = errors.New("too many at once")    // too many passwords wait to be looked at; try again soon
	ErrUnavailable  = errors.New("the primary is away") // the database can't be reached; nothing was lost
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

// Wrap says in err, where there is one, what was being done, and gives err the name
// that it has in this package. Every exported method of timeline and of the packages
// under it that talks to the primary defers a call, so that no path through the
// method can leave an answer of PostgreSQL untranslated.
func Wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), translate(*err))
	}
}
