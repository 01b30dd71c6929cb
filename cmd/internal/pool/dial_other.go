//go:build !linux

package pool

import (
	"context"
	"syscall"
)

// impatient does what Linux can: elsewhere keepalive has to do.
func impatient(context.Context, string, string, syscall.RawConn) error { return nil }
