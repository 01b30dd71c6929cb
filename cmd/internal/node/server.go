package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	// headerWithin is how long a client may take to send the header of a request, and idleFor how
	// long a client may keep a connection open for the next request.
	headerWithin = 10 * time.Second
	idleFor      = 2 * time.Minute
	// readWithin is how long a client may take to send a request, and writeWithin how long a request
	// and its answer may take together. So a client that sends a byte a minute can't hold resources
	// for longer. A socket has other limits.
	readWithin  = 30 * time.Second
	writeWithin = time.Minute
)

// newServer returns an HTTP server with these limits.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin, IdleTimeout: idleFor}
}

// A Gauge serves metrics on a listener of its own. A nil Gauge serves nothing.
type Gauge struct {
	listener net.Listener
	server   *http.Server
}

// NewGauge returns a gauge whose page /metrics the handler writes.
func NewGauge(listener net.Listener, metrics http.Handler) *Gauge {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	return &Gauge{listener, newServer(mux)}
}

// Run serves until the context ends.
func (g *Gauge) Run(ctx context.Context) error {
	if g == nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { _ = g.server.Close() })
	defer stop()
	if err := g.server.Serve(g.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

// Close closes the listener, unless Run has closed it.
func (g *Gauge) Close() error {
	if g == nil {
		return nil
	}
	if err := g.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
