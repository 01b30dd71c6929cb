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

// A link is a node's way to the primary, which a test can freeze: nothing comes
// through then, and nothing is closed, as where a network drops packets.
type link struct {
	listener net.Listener
	to       string        // the primary's socket
	delay    time.Duration // how long everything takes to come through

	gate sync.RWMutex // held by freeze
	wg   sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// newLink makes one to the database of an argument, and answers it with the
// argument by which a node goes that way.
func newLink(t *testing.T, db string) (*link, string) {
	t.Helper()
	url := strings.TrimPrefix(db, "--database=")
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "link") // of a short name, as those of sockets must be
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

// forward takes bytes from one side to the other while the link is open.
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

// freeze stops all that is under way; thaw has it go on.
func (l *link) freeze() { l.gate.Lock() }
func (l *link) thaw()   { l.gate.Unlock() }

func (l *link) close() {
	_ = l.listener.Close()
	l.mu.Lock()
	for conn := range l.conns {
		_ = conn.Close()
	}
	l.mu.Unlock()
	l.wg.Wait()
}
