package pool

import (
	"context"
	"strings"
	"syscall"
)

// tcpUserTimeout sets how long sent bytes may stay unacknowledged, in ms; see tcp(7).
const tcpUserTimeout = 0x12

// impatient sets a limit on a TCP connection: the connection fails if the other side acknowledges nothing for a while.
func impatient(_ context.Context, network, _ string, conn syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var failed error
	err := conn.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(unanswered.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failed
}
