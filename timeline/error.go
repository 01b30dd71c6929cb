package timeline

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Errors that a caller can act on. Any other error is a bug or a broken machine.
var (
	ErrNotFound     = primary.ErrNotFound     // the object does not exist, or the caller may not learn that it exists
	ErrForbidden    = primary.ErrForbidden    // the caller may know the object, but may not do this
	ErrUnauthorized = primary.ErrUnauthorized // no session or token, or an expired one
	ErrTaken        = primary.ErrTaken        // another account has the name or the address
	ErrConflict     = primary.ErrConflict     // the request contradicts the present state
	ErrThrottled    = primary.ErrThrottled    // too many tries; try again later
	ErrBusy         = primary.ErrBusy         // the request took too long; nothing is wrong with it
	ErrSignInBusy   = primary.ErrSignInBusy   // too many passwords wait to be checked; try again soon
	ErrUnavailable  = primary.ErrUnavailable  // the primary can't be reached; nothing was lost
)

// ErrSuspended is [ErrUnauthorized] for a person who signs in with the right password while the account is suspended.
var ErrSuspended = fmt.Errorf("the account is suspended: %w", ErrUnauthorized)

// ErrClosed is [ErrForbidden] for a stranger who signs up on a site that is closed to new people.
var ErrClosed = fmt.Errorf("no new people may sign up: %w", ErrForbidden)

// ErrByLink is [ErrForbidden] for a stranger who signs up without a [SignUpLink] on a site that takes only people with one.
var ErrByLink = fmt.Errorf("new people need a link: %w", ErrForbidden)

// ErrPasskey is the error for the answer of an authenticator that proves nothing: for example, its challenge was used before or is
// too old, it is for another site, or its passkey is not known here.
var ErrPasskey = errors.New("the passkey can't be checked")

// ErrPasskeyCloned is [ErrPasskey] for a passkey that counts its uses, and whose count did not grow: a copy of it may be in use.
var ErrPasskeyCloned = fmt.Errorf("its count of uses went back, so there may be a copy: %w", ErrPasskey)

// missing reports whether a statement of a transaction, or a look at a name, found nothing.
func missing(err error) bool { return errors.Is(err, pgx.ErrNoRows) || errors.Is(err, ErrNotFound) }

// An InvalidError says which part of a person's input is wrong.
type InvalidError = text.InvalidError

// A TakenError is [ErrTaken] for one field: Field is "name" or "email".
type TakenError struct{ Field string }

func (e *TakenError) Error() string { return e.Field + ": " + ErrTaken.Error() }

func (e *TakenError) Unwrap() error { return ErrTaken }

// A LastAdminError is [ErrConflict]: the last administrator of a group, or of the site if
// Group is empty, can't go.
type LastAdminError struct{ Group string }

func (e *LastAdminError) Error() string {
	if e.Group == "" {
		return "the site has no other administrator"
	}
	return fmt.Sprintf("group %q has no other administrator", e.Group)
}

func (e *LastAdminError) Unwrap() error { return ErrConflict }
