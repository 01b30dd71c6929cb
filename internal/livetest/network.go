package livetest

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	liveclient "amstel.dev/amstel/realtime/client"
)

// Network is a network in memory without buffers: a write waits until the other end
// reads. It works in the bubbles of testing/synctest.
type Network struct {
	// Tap returns the client's end of a connection in place of that end; nil: the end itself is used.
	Tap func(net.Conn) net.Conn

	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewNetwork returns a network, which is a [net.Listener] for its one server.
func NewNetwork() *Network {
	return &Network{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept waits for the next connection and returns the server's end. It returns net.ErrClosed after
// Close.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Connect. Open connections stay open.
func (n *Network) Close() error {
	n.once.Do(func() { close(n.done) })
	return nil
}

// Addr returns an address to which no client can connect.
func (n *Network) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }

// Connect opens a connection and returns the client's end, when the server accepts it.
func (n *Network) Connect(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.conns <- far:
		if n.Tap != nil {
			return n.Tap(near), nil
		}
		return near, nil
	case <-n.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// HTTP returns an HTTP client that sends all requests to the network's server.
func (n *Network) HTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return n.Connect(ctx) },
	}}
}

// Dial opens a socket of the protocol amstel.v1.
func (n *Network) Dial(ctx context.Context, header http.Header) (*websocket.Conn, *http.Response, error) {
	return liveclient.Dial(ctx, "ws://site.test/live", n.HTTP(), header)
}
