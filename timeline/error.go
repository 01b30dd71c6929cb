package timeline

import (
	"errors"
	"fmt"

	"amstel.dev/amstel/timeline/text"
)

// Errors a caller can act on. Any other error is a fault of ours.
var (
	ErrNotFound     = errors.New("not found")           // not there, or not to be known of
	ErrForbidden    = errors.New("forbidden")           // there, and known to be, but not for this person
	ErrUnauthorized = errors.New("sign in first")       // no session or token, or one that ended
	ErrTaken        = errors.New("already taken")       // a name or an address somebody has
	ErrConflict     = errors.New("conflict")            // what is asked contradicts what is
	ErrThrottled    = errors.New("too many tries")      // come back later
	ErrBusy         = errors.New("too busy")            // there was no time for it; nothing is wrong with what was asked
	ErrSignInBusy   = errors.New("too many at once")    // too many passwords wait to be looked at; try again soon
	ErrUnavailable  = errors.New("the primary is away") // the database can't be reached; nothing was lost
)

// An InvalidError says which part of a person's input is wrong.
type InvalidError = text.InvalidError

// A TakenError is [ErrTaken] with the field that it is about, "name" or "email".
type TakenError struct{ Field string }

func (e *TakenError) Error() string { return e.Field + ": " + ErrTaken.Error() }

func (e *TakenError) Unwrap() error { return ErrTaken }

// A LastAdminError is [ErrConflict]: the last administrator of a group, or of the
// site if Group is empty, has to stay.
type LastAdminError struct{ Group string }

func (e *LastAdminError) Error() string {
	if e.Group == "" {
		return "the site has no other administrator"
	}
	return fmt.Sprintf("group %q has no other administrator", e.Group)
}

func (e *LastAdminError) Unwrap() error { return ErrConflict }
