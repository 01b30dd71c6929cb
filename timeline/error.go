package timeline

import (
	"fmt"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Errors that a caller can act on. Any other error is a fault of the project.
var (
	ErrNotFound     = primary.ErrNotFound     // not there, or not to be known of
	ErrForbidden    = primary.ErrForbidden    // there, and known to be, but not for this person
	ErrUnauthorized = primary.ErrUnauthorized // no session or token, or one that ended
	ErrTaken        = primary.ErrTaken        // a name or an address that another has
	ErrConflict     = primary.ErrConflict     // what is asked contradicts what is
	ErrThrottled    = primary.ErrThrottled    // come back later
	ErrBusy         = primary.ErrBusy         // there was no time for it; nothing is wrong with what was asked
	ErrSignInBusy   = primary.ErrSignInBusy   // too many passwords wait to be looked at; try again soon
	ErrUnavailable  = primary.ErrUnavailable  // the database can't be reached; nothing was lost
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
