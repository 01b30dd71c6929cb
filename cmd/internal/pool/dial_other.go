//go:build !linux

package pool

import (
	"context"
	"syscall"
)

// impatient does nothing, because only Linux can limit how long sent bytes stay without
// acknowledgement. On other systems, keepalive finds out that the primary has vanished.
func impatient(context.Context, string, string, syscall.RawConn) error { return nil }
