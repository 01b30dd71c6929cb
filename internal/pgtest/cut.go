package pgtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Scissors cut every connection of a pool once a number of messages have been sent,
// and let no new connection come to be until they are opened again.
type Scissors struct {
	left     atomic.Int64 // messages until the cut
	answered atomic.Bool  // the last message is sent, and only its answer is lost
}

const never = 1 << 40

// CutPool returns a pool to a fresh database, as [New] does, and the scissors that cut
// the pool's connections.
func CutPool(t testing.TB) (*pgxpool.Pool, *Scissors) {
	t.Helper()
	s := &Scissors{}
	s.left.Store(never)
	config, err := pgxpool.ParseConfig(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if s.cut() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		conn, err := dial(ctx, network, address)
		return cuttable{conn, s}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool, s
}

// Everywhere runs a call with the connections cut before its first message, then after
// its first, after its second, and so on, until the call sends no further message. Each
// cut must have the call answer the wanted error, and there must be one. The call
// begins where run calls arm; what run does before is spared.
func (s *Scissors) Everywhere(t testing.TB, name string, want error, run func(arm func()) error) {
	t.Helper()
	const most = 100 // a call with more than that is one that does not end
	for cuts := range most {
		s.answered.Store(cuts > 0)
		err := run(func() { s.left.Store(int64(max(cuts, 1))) })
		was := s.cut()
		s.left.Store(never)
		if !was && cuts == 0 {
			t.Errorf("%s: sent nothing to the primary", name)
		}
		if !was {
			return
		}
		if !errors.Is(err, want) {
			t.Errorf("%s, cut at message %d: %v, want %v", name, cuts, err, want)
		}
	}
	t.Errorf("%s: still sends after %d messages", name, most)
}

func (s *Scissors) cut() bool { return s.left.Load() <= 0 }

var errReset = &net.OpError{Op: "write", Net: "unix", Err: syscall.ECONNRESET}

type cuttable struct {
	net.Conn
	*Scissors
}

func (c cuttable) Write(b []byte) (int, error) {
	if ending(b) && !c.cut() {
		return c.Conn.Write(b)
	}
	switch left := c.left.Add(-1); {
	case left < 0, left == 0 && !c.answered.Load():
		_ = c.Close()
		return 0, errReset
	case left == 0:
		n, err := c.Conn.Write(b)
		_ = c.Close()
		return n, err
	}
	return c.Conn.Write(b)
}

// ending reports whether a message takes no part in what a call answers: it ends
// a transaction without effect, or a connection, or is about one that was cut.
func ending(message []byte) bool {
	const cancel = "\x04\xd2\x16\x2e" // CancelRequest of the protocol
	return bytes.Contains(message, []byte("rollback\x00")) || message[0] == 'X' || len(message) >= 8 && string(message[4:8]) == cancel
}

func (c cuttable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.cut() { // also where the answer came before the connection was closed
		return 0, io.EOF // as where the other end closes
	}
	return n, err
}
