package pool

import (
	"context"
	"net"
	"time"
)

// How soon a connection to the primary is given up on which nothing comes back: a
// host that vanished answers nothing, and the system would wait for a quarter of
// an hour.
const (
	silentAfter = 10 * time.Second // silence after which the system asks whether the other side is there
	silentEvery = 5 * time.Second
	silentTimes = 3
	unanswered  = 15 * time.Second // for what was sent to be acknowledged
)

// dial connects to the primary.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silentAfter, Interval: silentEvery, Count: silentTimes},
		ControlContext:  impatient,
	}
	return dialer.DialContext(ctx, network, address)
}
