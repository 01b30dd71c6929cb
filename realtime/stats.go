package realtime

import "sync/atomic"

// Stats are what a Server has and has done.
type Stats struct {
	Hubs, Sockets int   // now
	Subs          int64 // subs answered
	Composed      int64 // patches and resets made of a river's state
	Frames        int64 // frames written to sockets, of any type
	Bytes         int64 // of those frames
	Drawn         int64 // entries rendered
	Closed        int64 // sockets closed by the server
}

type counters struct{ subs, composed, frames, bytes, drawn, closed atomic.Int64 }

// Stats reads the counters.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	hubs, sockets := len(s.hubs), len(s.sockets)
	s.mu.Unlock()
	return Stats{
		Hubs: hubs, Sockets: sockets,
		Subs: s.stats.subs.Load(), Composed: s.stats.composed.Load(), Frames: s.stats.frames.Load(), Bytes: s.stats.bytes.Load(),
		Drawn: s.stats.drawn.Load(), Closed: s.stats.closed.Load(),
	}
}
