package livetest

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

// Network is a network in memory, of which nothing is buffered: who does not
// read has nobody write to him. It works where time is a test's (testing/synctest).
type Network struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewNetwork makes a network, which is the listener of its one server.
func NewNetwork() *Network {
	return &Network{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept waits for the next connection.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.done:
		return nil, net.ErrClosed
	}
}

// Close ends the listening.
func (n *Network) Close() error {
	n.once.Do(func() { close(n.done) })
	return nil
}

// Addr is nowhere.
func (n *Network) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }

// Connect opens a connection to the server.
func (n *Network) Connect(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.conns <- far:
		return near, nil
	case <-n.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// HTTP is a client of the network's server.
func (n *Network) HTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return n.Connect(ctx) },
	}}
}

// Dial opens a socket.
func (n *Network) Dial(ctx context.Context, header http.Header) (*websocket.Conn, *http.Response, error) {
	conn, answer, err := websocket.Dial(ctx, "ws://site.test/live", &websocket.DialOptions{
		HTTPClient: n.HTTP(), HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol},
	})
	if err == nil {
		conn.SetReadLimit(-1)
	}
	return conn, answer, err
}

// Unpacked is a message of a server's as JSON: a binary one is deflated.
func Unpacked(kind websocket.MessageType, message []byte) ([]byte, error) {
	if kind != websocket.MessageBinary {
		return message, nil
	}
	return io.ReadAll(flate.NewReader(bytes.NewReader(message)))
}

// Read reads a socket's next message, as JSON.
func Read(ctx context.Context, conn *websocket.Conn) ([]byte, error) {
	kind, message, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	return Unpacked(kind, message)
}
