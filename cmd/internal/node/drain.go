package node

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// drainWithin is the longest time that a node takes to end, if [Config] sets none.
const drainWithin = 8 * time.Second

// drain ends the node's work, in this order and within the time limit:
//
//  1. The node reports that it is not ready, and accepts no more sockets. It answers requests
//     for as long as a load balancer needs to notice.
//  2. The sockets send goodbye to open pages, so that the pages reconnect one after the other, and
//     close. The connections of Faye clients close in the same way.
//  3. The server accepts no more requests. Requests under way end, or their connections are cut.
//  4. The node saves the places where readers left off, the times at which they came, and the counts
//     of requests.
//
// The loop runs until all four steps are done, because they read the states that it publishes.
func (n *Node) drain(ctx context.Context) {
	began := time.Now()
	within := cmp.Or(n.config.Drain, drainWithin)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	n.site.Stopping()
	n.live.Drain()
	sockets := n.live.Stats().Sockets
	n.config.Log.Info("stopping", "sockets", sockets, "within", within)
	if n.config.DrainPause > 0 {
		select {
		case <-time.After(n.config.DrainPause):
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
			n.config.Log.Warn(what, "err", err)
		}
	}
	// Sockets get three quarters of the time, because there are many, and their pages should not all
	// come back at once. The last sixteenth is left for saving.
	part(time.Now().Add(time.Until(end)*3/4), "sockets did not end in time", func(ctx context.Context) error {
		var ends errgroup.Group
		ends.Go(func() error { return n.live.Close(ctx) })
		ends.Go(func() error { return n.faye.Close(ctx) })
		return ends.Wait()
	})
	part(end.Add(-within/16), "requests did not end in time", func(ctx context.Context) error {
		err := n.http.Shutdown(ctx)
		if err != nil {
			_ = n.http.Close() // the listener is closed already
		}
		return err
	})
	part(end, "when some people came is lost", n.ready.Flush)
	part(end, "where some people left off, or what was used of quotas, is lost", n.site.Close)
	n.config.Log.Info("drained", "sockets", sockets, "whole", whole, "took", time.Since(began).Round(time.Millisecond))
}
