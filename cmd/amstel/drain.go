package main

import (
	"context"
	"net/http"
	"time"
)

// drainWithin is how long all of it takes at most where no setting says so.
const drainWithin = 8 * time.Second

// drain ends what is under way, in this order and within the time that is set:
//
//  1. The node says that it is not ready, and takes no more sockets. It goes on
//     answering, for as long as a balancer is given to notice.
//  2. Open pages are told goodbye, so that they come back by and by, and
//     their sockets close.
//  3. No more requests are taken; those under way end, or are cut.
//  4. Where people left off is written down.
//
// The loop goes on meanwhile: all of them read what it publishes.
func (n *node) drain(ctx context.Context) {
	began := time.Now()
	within := n.drainWithin
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	n.site.Stopping()
	n.live.Drain()
	sockets := n.live.Stats().Sockets
	n.log.Info("stopping", "sockets", sockets, "within", within)
	if n.drainPause > 0 {
		select {
		case <-time.After(n.drainPause):
		case <-ctx.Done():
		}
	}
	end := began.Add(within)
	whole := true
	part := func(until time.Time, what string, do func(context.Context) error) {
		ctx, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		if err := do(ctx); err != nil {
			whole = false
			n.log.Warn(what, "err", err)
		}
	}
	// Sockets get most of the time: there are many, and their pages should not
	// all come back at once. The rest has a little left when they take all of theirs.
	part(time.Now().Add(time.Until(end)*3/4), "sockets did not end in time", n.live.Close)
	part(end.Add(-within/16), "requests did not end in time", func(ctx context.Context) error {
		err := n.http.Shutdown(ctx)
		if err != nil {
			_ = n.http.Close() // the listener is closed already
		}
		return err
	})
	part(end, "where some people left off is lost", n.site.Close)
	n.log.Info("drained", "sockets", sockets, "whole", whole, "took", time.Since(began).Round(time.Millisecond))
}

// newServer is an HTTP server with the limits of ours.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin, IdleTimeout: idleFor}
}
