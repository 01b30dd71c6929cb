package pool

import (
	"net"
	"syscall"
	"testing"
)

// TestConnectionsAreImpatient reads the options of a connection from the system.
func TestConnectionsAreImpatient(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	config, err := Config("postgres://anna@" + listener.Addr().String() + "/amstel")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := config.ConnConfig.DialFunc(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[int]int{
		tcpUserTimeout:        int(unanswered.Milliseconds()),
		syscall.TCP_KEEPIDLE:  int(silentAfter.Seconds()),
		syscall.TCP_KEEPINTVL: int(silentEvery.Seconds()),
		syscall.TCP_KEEPCNT:   silentTimes,
	} {
		var got int
		var failed error
		if err := raw.Control(func(fd uintptr) { got, failed = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, name) }); err != nil {
			t.Fatal(err)
		}
		if failed != nil || got != want {
			t.Errorf("option %#x is %d, %v, want %d", name, got, failed, want)
		}
	}
	// A socket of the machine's own has no such options.
	local, err := net.Listen("unix", t.TempDir()+"/s")
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	near, err := dial(t.Context(), "unix", local.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near.Close()
}
