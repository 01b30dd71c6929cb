package faulttest

import (
	"bytes"
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A Proxy forwards the connections between a node and its primary. A test can freeze them and
// close them.
type Proxy struct {
	URL string // of the primary, through the proxy

	to       string // the path of the primary's socket
	listener net.Listener
	all      sync.WaitGroup

	mu    sync.Mutex
	conns map[*link]bool
}

// link is a connection through the proxy.
type link struct {
	near, far net.Conn

	mu      sync.Mutex
	listens bool          // the node listens for notifications on this connection
	frozen  chan struct{} // closed by Thaw; nil: not frozen
	over    chan struct{} // closed with the link
}

// NewProxy starts a proxy to the primary at url, and stops the proxy when the test ends. PostgreSQL
// ends a transaction on a frozen connection after two seconds, so that its locks are released.
func NewProxy(t testing.TB, url string) *Proxy {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{to: fmt.Sprintf("%s/.s.PGSQL.%d", config.Host, config.Port), listener: listener, conns: make(map[*link]bool)}
	p.URL = fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=%s sslmode=disable options='-c idle_in_transaction_session_timeout=2000'", listener.Addr().(*net.TCPAddr).Port, config.User, config.Database)
	p.all.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.Cut()
		p.all.Wait()
	})
	return p
}

// accept opens a link for each connection, until the listener is closed.
func (p *Proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", p.to)
		if err != nil {
			near.Close()
			continue
		}
		l := &link{near: near, far: far, over: make(chan struct{})}
		p.mu.Lock()
		p.conns[l] = true
		p.mu.Unlock()
		var ways sync.WaitGroup
		ways.Go(func() { l.pass(near, far, true) })
		ways.Go(func() { l.pass(far, near, false) })
		p.all.Go(func() {
			ways.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.conns, l)
		})
	}
}

// pass forwards bytes in one direction, from the node if asks, until the link ends.
func (l *link) pass(from, to net.Conn, asks bool) {
	defer l.cut()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		l.mu.Lock()
		if asks && bytes.Contains(b[:n], []byte("listen amstel")) {
			l.listens = true
		}
		frozen := l.frozen
		l.mu.Unlock()
		if frozen != nil {
			select {
			case <-frozen:
			case <-l.over:
				return
			}
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// cut closes both connections of a link.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.over:
	default:
		close(l.over)
		l.near.Close()
		l.far.Close()
	}
}

// Freeze stops forwarding on the present connections, or only on those where the node listens
// for notifications, and returns how many it froze. Neither end notices. New connections are
// forwarded.
func (p *Proxy) Freeze(all bool) (many int) {
	p.each(func(l *link) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.frozen == nil && (all || l.listens) {
			l.frozen = make(chan struct{})
			many++
		}
	})
	return many
}

// Thaw forwards again on frozen connections. No byte is lost.
func (p *Proxy) Thaw() {
	p.each(func(l *link) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.frozen != nil {
			close(l.frozen)
			l.frozen = nil
		}
	})
}

// Cut closes all connections.
func (p *Proxy) Cut() { p.each((*link).cut) }

// each calls do for each link.
func (p *Proxy) each(do func(*link)) {
	p.mu.Lock()
	links := make([]*link, 0, len(p.conns))
	for l := range p.conns {
		links = append(links, l)
	}
	p.mu.Unlock()
	for _, l := range links {
		do(l)
	}
}
