package realtime

import (
	"context"
	"errors"
	"strings"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Subprotocol is the name of the protocol, which a client asks for in the upgrade.
const Subprotocol = "amstel.v1"

// The codes with which a socket is closed. A page connects again after a code below 4400,
// and does not after the others.
const (
	CodeRestart   = websocket.StatusServiceRestart // 1012
	CodeOverload  = websocket.StatusTryAgainLater  // 1013
	CodeSlow      = websocket.StatusCode(4008)     // the client reads too slowly
	CodeBehind    = websocket.StatusCode(4011)     // the node's pages may be too old
	CodeBad       = websocket.StatusCode(4400)     // the client broke the protocol
	CodeSignedOut = websocket.StatusCode(4401)
	CodeForbidden = websocket.StatusCode(4403) // the same code if the river does not exist, so that a client can't tell the two apart
	CodeLimit     = websocket.StatusCode(4429) // too many sockets of one viewer or client
)

// A closure is the code and reason with which a socket is closed.
type closure struct {
	code   websocket.StatusCode
	reason string
}

var (
	closeRestart   = closure{CodeRestart, "restarting"}
	closeOverload  = closure{CodeOverload, "overloaded"}
	closeSlow      = closure{CodeSlow, "too slow"}
	closeBehind    = closure{CodeBehind, "catching up"}
	closeSignedOut = closure{CodeSignedOut, "signed out"}
	closeForbidden = closure{CodeForbidden, "not visible to you"}
	closeLimit     = closure{CodeLimit, "too many sockets"}
	closeNoSub     = closure{CodeBad, "no sub was sent"}
	closeTooMany   = closure{CodeBad, "too many frames"}
)

// closureOf returns the closure for an error. For an error outside the table, a fault of the
// server, known is false, and the closure is the one of a node that has to catch up.
func closureOf(err error) (c closure, known bool) {
	invalid, isInvalid := errors.AsType[*timeline.InvalidError](err)
	switch {
	case errors.Is(err, timeline.ErrNotFound), errors.Is(err, timeline.ErrForbidden):
		return closeForbidden, true
	case errors.Is(err, timeline.ErrUnauthorized):
		return closeSignedOut, true
	case isInvalid:
		return closure{CodeBad, short(invalid.Error())}, true
	case errors.Is(err, errBusy), errors.Is(err, turnstile.ErrBusy), errors.Is(err, turnstile.ErrCrowded):
		return closeOverload, true
	case errors.Is(err, river.ErrBehind), errors.Is(err, river.ErrGone), errors.Is(err, timeline.ErrUnavailable),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return closeBehind, true
	}
	return closeBehind, false
}

// short returns as much of a reason as fits into a closing frame.
func short(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
