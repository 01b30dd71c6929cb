package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A link forwards the connections of a node to the primary. A test can freeze it: then no byte
// is forwarded and no connection is closed, as in a network that drops packets.
type link struct {
	listener net.Listener
	to       string        // the path of the primary's socket
	delay    time.Duration // the delay of each message

	gate sync.RWMutex // locked while the link is frozen
	wg   sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// newLink returns a link to the database in an argument, and the argument that names the
// database through the link.
func newLink(t *testing.T, db string) (*link, string) {
	t.Helper()
	url := strings.TrimPrefix(db, "--database=")
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "link") // not t.TempDir: its name is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	name := ".s.PGSQL.5432"
	if config.Port != 5432 {
		t.Fatalf("the test's primary is at port %d", config.Port)
	}
	l := &link{to: filepath.Join(config.Host, name), conns: make(map[net.Conn]bool)}
	if l.listener, err = net.Listen("unix", filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
	l.wg.Go(l.run)
	t.Cleanup(l.close)
	return l, "--database=" + strings.Replace(url, config.Host, folder, 1)
}

// run forwards each connection, until the listener is closed.
func (l *link) run() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", l.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		l.mu.Lock()
		l.conns[near], l.conns[far] = true, true
		l.mu.Unlock()
		l.wg.Go(func() { l.forward(near, far) })
		l.wg.Go(func() { l.forward(far, near) })
	}
}

// forward forwards bytes in one direction until either connection ends.
func (l *link) forward(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	some := make([]byte, 16<<10)
	for {
		n, err := from.Read(some)
		time.Sleep(l.delay)
		l.gate.RLock()
		_, failed := to.Write(some[:n])
		l.gate.RUnlock()
		if err != nil || failed != nil {
			return
		}
	}
}

// freeze stops all forwarding; thaw resumes it.
func (l *link) freeze() { l.gate.Lock() }
func (l *link) thaw()   { l.gate.Unlock() }

// close ends all connections.
func (l *link) close() {
	_ = l.listener.Close()
	l.mu.Lock()
	for conn := range l.conns {
		_ = conn.Close()
	}
	l.mu.Unlock()
	l.wg.Wait()
}
