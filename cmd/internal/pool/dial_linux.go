package pool

import (
	"context"
	"strings"
	"syscall"
)

// tcpUserTimeout is the socket option that sets how long sent bytes may stay without acknowledgement,
// in milliseconds; see TCP_USER_TIMEOUT in tcp(7).
const tcpUserTimeout = 0x12

// impatient makes a TCP connection fail if the other side acknowledges nothing for the time unanswered.
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
