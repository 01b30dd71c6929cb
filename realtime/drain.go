package realtime

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A closing server sends closing frames in batches, spread over half of the time it has.
const (
	batchEvery = 100 * time.Millisecond
	batchLeast = 100 // sockets in a batch, at least
	// closeAllWithin is the time that the server has if the context has no deadline.
	closeAllWithin = 10 * time.Second
)

// Drain refuses new upgrades and polls: they are answered 503, with Retry-After. The
// sockets that are open stay open until [Server.Close].
func (s *Server) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
}

// Close drains the server, closes all sockets in batches, and waits for the last. Shortly
// before the context ends it drops the remaining sockets, and returns an error.
func (s *Server) Close(ctx context.Context) error {
	s.Drain()
	end, ends := ctx.Deadline()
	if !ends {
		end = time.Now().Add(closeAllWithin)
	}
	left := max(time.Until(end), 0)
	ctx, cancel := context.WithTimeout(ctx, left-left/10)
	defer cancel()
	gone := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(gone)
	}()
	s.closeInBatches(ctx, left/2)
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	late := s.sockets.members()
	s.mu.Unlock()
	for _, sock := range late {
		sock.drop()
	}
	<-gone
	if len(late) == 0 {
		return nil
	}
	return fmt.Errorf("%d sockets did not close in time and were dropped", len(late))
}

// closeInBatches ends all listeners, and begins to close all sockets, in batches, within a time.
func (s *Server) closeInBatches(ctx context.Context, within time.Duration) {
	s.mu.Lock()
	sockets, listeners := s.sockets.members(), slices.Collect(maps.Keys(s.listeners))
	s.mu.Unlock()
	for _, l := range listeners {
		l.end(closeRestart)
	}
	batches := max(int(within/batchEvery), 1)
	size := max((len(sockets)+batches-1)/batches, batchLeast)
	tick := time.NewTicker(batchEvery)
	defer tick.Stop()
	for len(sockets) > 0 {
		n := min(size, len(sockets))
		for _, sock := range sockets[:n] {
			sock.close(closeRestart)
		}
		if sockets = sockets[n:]; len(sockets) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
