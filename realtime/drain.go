package realtime

import (
	"context"
	"fmt"
	"time"
)

// How a server says goodbye: in batches, one after so long, over half of the
// time that it has. Of a few sockets that is one batch.
const (
	batchEvery = 100 * time.Millisecond
	batchLeast = 100
	// closeAllWithin is the time that it has where nobody sets one.
	closeAllWithin = 10 * time.Second
)

// Drain takes no more upgrades and polls: they are answered 503, with
// Retry-After. The sockets that there are stay, until [Server.Close].
func (s *Server) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
}

// Close says goodbye to all pages, in batches, closes their sockets and takes no
// more. It returns when all are gone, which it forces shortly before the context ends.
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
	s.goodbye(ctx, left/2)
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	late := s.sockets.members()
	s.mu.Unlock()
	for _, one := range late {
		one.cut()
	}
	<-gone
	if len(late) == 0 {
		return nil
	}
	return fmt.Errorf("%d sockets did not go and were cut", len(late))
}

// goodbye has all sockets closed, in batches, within a time.
func (s *Server) goodbye(ctx context.Context, within time.Duration) {
	s.mu.Lock()
	sockets := s.sockets.members()
	s.mu.Unlock()
	batches := max(int(within/batchEvery), 1)
	size := max((len(sockets)+batches-1)/batches, batchLeast)
	tick := time.NewTicker(batchEvery)
	defer tick.Stop()
	for len(sockets) > 0 {
		n := min(size, len(sockets))
		for _, one := range sockets[:n] {
			one.shut(closeRestart)
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
