package pool

import (
	"context"
	"net"
	"time"
)

// The limits for a connection to the primary on which nothing comes back. A host that vanished sends
// nothing, and without these limits the system would wait for a quarter of an hour.
const (
	silentAfter = 10 * time.Second // silence after which the system asks whether the other side is there
	silentEvery = 5 * time.Second  // the time between two such questions
	silentTimes = 3                // unanswered questions after which the connection fails
	unanswered  = 15 * time.Second // how long sent bytes may stay without acknowledgement
)

// dial connects to the primary.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silentAfter, Interval: silentEvery, Count: silentTimes},
		ControlContext:  impatient,
	}
	return dialer.DialContext(ctx, network, address)
}
