//go:build !linux

package pool

import (
	"context"
	"syscall"
)

// impatient does nothing: only Linux can limit the time of unacknowledged bytes. Elsewhere
// keepalive must find a primary that vanished.
func impatient(context.Context, string, string, syscall.RawConn) error { return nil }
