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
	// headerWithin is how long a client may take over a request's header, and idleFor
	// how long a client may keep a connection for the next request.
	headerWithin = 10 * time.Second
	idleFor      = 2 * time.Minute
	// readWithin is how long a whole request may take, and writeWithin how long a request and
	// its answer may take together: a client that sends a byte a minute holds no resources for
	// longer. A socket has limits of its own.
	readWithin  = 30 * time.Second
	writeWithin = time.Minute
)

// newServer returns an HTTP server with these limits.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin, IdleTimeout: idleFor}
}

// A Gauge serves metrics on a listener of its own; a nil Gauge serves none.
type Gauge struct {
	listener net.Listener
	server   *http.Server
}

// NewGauge returns a gauge that has metrics written by a handler.
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

// Close closes the listener, unless Run has.
func (g *Gauge) Close() error {
	if g == nil {
		return nil
	}
	if err := g.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
