package pgtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A ConnCutter cuts all connections of a pool after a number of messages, and then lets the pool
// open no connection until the next call begins.
type ConnCutter struct {
	left     atomic.Int64 // messages until the cut
	answered atomic.Bool  // the message at the cut is sent, and its answer is lost
}

// never is a number of messages that no test sends.
const never = 1 << 40

// CutPool returns a pool of connections to a fresh database, as [New] does, and a ConnCutter for
// them.
func CutPool(t testing.TB) (*pgxpool.Pool, *ConnCutter) {
	t.Helper()
	c := &ConnCutter{}
	c.left.Store(never)
	config, err := pgxpool.ParseConfig(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if c.cut() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		conn, err := dial(ctx, network, address)
		return cuttableConn{conn, c}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool, c
}

// everyCutEnv is the variable that makes [ConnCutter.Everywhere] cut after each message.
const everyCutEnv = "EVERY_CUT"

// Everywhere calls run again and again: with the connections cut before the first message, then
// after a later one, and so on, until run ends before the cut. It fails the test unless each cut
// makes run return the wanted error, and if run sends no message. run must call arm where the
// tested call begins; messages before that are not counted.
//
// A cut costs new connections, so Everywhere leaves out up to three messages, by chance, between
// two cuts. With EVERY_CUT set, it leaves none out.
func (c *ConnCutter) Everywhere(t testing.TB, name string, want error, run func(arm func()) error) {
	t.Helper()
	const most = 120 // no call sends more messages, so a call that does never ends
	skip := 4
	if os.Getenv(everyCutEnv) != "" {
		skip = 1
	}
	for n := 0; n < most; n += 1 + rand.IntN(skip) {
		c.answered.Store(n > 0)
		err := run(func() { c.left.Store(int64(max(n, 1))) })
		cut := c.cut()
		c.left.Store(never)
		if !cut && n == 0 {
			t.Errorf("%s: sent no message to the primary", name)
		}
		if !cut {
			return
		}
		if !errors.Is(err, want) {
			t.Errorf("%s, cut at message %d: error %v, want %v", name, n, err, want)
		}
	}
	t.Errorf("%s: sends more than %d messages", name, most)
}

// cut reports whether the connections are cut.
func (c *ConnCutter) cut() bool { return c.left.Load() <= 0 }

var errReset = &net.OpError{Op: "write", Net: "unix", Err: syscall.ECONNRESET}

// A cuttableConn is a connection that its ConnCutter can cut.
type cuttableConn struct {
	net.Conn
	*ConnCutter
}

func (c cuttableConn) Write(b []byte) (int, error) {
	if endsWork(b) && !c.cut() {
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

// endsWork reports whether a message has no part in the result of a call: a rollback, the end of
// a connection, or the cancelling of a query. Such messages are not counted.
func endsWork(message []byte) bool {
	const cancel = "\x04\xd2\x16\x2e" // CancelRequest of the protocol
	return bytes.Contains(message, []byte("rollback\x00")) || message[0] == 'X' || len(message) >= 8 && string(message[4:8]) == cancel
}

func (c cuttableConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.cut() { // also if the answer arrived before the connection was closed
		return 0, io.EOF // as when the other end closes the connection
	}
	return n, err
}
