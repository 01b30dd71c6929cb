package timeline

import "errors"

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

// An InvalidError says which part of a person's input is wrong, in words fit to
// show them: "text is empty".
type InvalidError struct{ Field, Reason string }

func (e *InvalidError) Error() string { return e.Field + " " + e.Reason }
