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

// The protocol's name, which a client asks for in the upgrade.
const Subprotocol = "amstel.v1"

// Why a socket is closed. After those below 4400 a page comes back, after the
// others it does not.
const (
	CodeRestart   = websocket.StatusServiceRestart // 1012
	CodeOverload  = websocket.StatusTryAgainLater  // 1013
	CodeSlow      = websocket.StatusCode(4008)     // it reads too slowly
	CodeBehind    = websocket.StatusCode(4011)     // the node can't vouch for what it shows
	CodeBad       = websocket.StatusCode(4400)     // it does not speak the protocol
	CodeSignedOut = websocket.StatusCode(4401)
	CodeForbidden = websocket.StatusCode(4403) // or not there: they look the same
	CodeLimit     = websocket.StatusCode(4429) // too many sockets
)

// A closure says with what a socket ends.
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
	closeForbidden = closure{CodeForbidden, "not to be seen"}
	closeLimit     = closure{CodeLimit, "too many sockets"}
	closeNoSub     = closure{CodeBad, "nothing was asked for"}
)

// closureOf is the one table from errors to closings. What is a fault of ours
// (known is false) closes like a node that has to catch up.
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

// short cuts a reason to what a closing frame holds.
func short(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
