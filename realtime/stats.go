package realtime

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Stats are what a Server has and has done.
type Stats struct {
	Hubs, Sockets, Hidden int           // now; hidden are sockets of pages that nobody looks at
	Behind                bool          // the node can't follow the primary just now
	Pace                  time.Duration // how far apart the rounds of the slowest hub are now

	Subs       int64 // subs answered
	Composed   int64 // patches and resets made of a river's state
	Shared     int64 // frames of them written that somebody else was given before
	Compressed int64 // those that were written packed
	Frames     int64 // frames written to sockets, of any type
	Bytes      int64 // of those frames
	Drawn      int64 // entries rendered
	Poisoned   int64 // entries that could not be
	Merged     int64 // times that a page was told of several changes at once, being slow or its river fast
	Polls      int64 // polls answered

	Rounds    int64         // rounds of hubs
	RoundTime time.Duration // that those took in all

	Closed  map[int]int64    // sockets closed by the server, by code
	Cut     int64            // connections dropped without a word, or whose client did not answer it
	Refused map[string]int64 // upgrades refused, by reason
}

// Slow is how many sockets were closed because they read too slowly.
func (s Stats) Slow() int64 { return s.Closed[int(CodeSlow)] }

// Why an upgrade is refused, in [Stats.Refused].
const (
	refusedOrigin   = "origin"
	refusedDraining = "draining"
	refusedIdentify = "identify" // it could not be told who asks
	refusedUpgrade  = "upgrade"  // it was none
)

type counters struct {
	subs, composed, shared, compressed, frames, bytes, drawn, poisoned, merged, polls, rounds, roundTime, cut atomic.Int64

	hidden atomic.Int64

	mu      sync.Mutex
	closed  map[int]int64
	refused map[string]int64
}

// close counts a socket that is closed.
func (c *counters) close(code websocket.StatusCode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == nil {
		c.closed = map[int]int64{}
	}
	c.closed[int(code)]++
}

// refuse counts an upgrade that is refused.
func (c *counters) refuse(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refused == nil {
		c.refused = map[string]int64{}
	}
	c.refused[why]++
}

// hide counts a page that is hidden, or one less.
func (c *counters) hide(hidden bool) {
	if hidden {
		c.hidden.Add(1)
	} else {
		c.hidden.Add(-1)
	}
}

// round counts a round of a hub's.
func (c *counters) round(took time.Duration) {
	c.rounds.Add(1)
	c.roundTime.Add(int64(took))
}

// Stats reads the counters.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	pace := s.config.Coalesce
	for _, h := range s.hubs {
		pace = max(pace, time.Duration(h.stretched.Load()))
	}
	hubs, sockets := len(s.hubs), len(s.sockets.all)
	s.mu.Unlock()
	c := &s.stats
	c.mu.Lock()
	closed, refused := maps.Clone(c.closed), maps.Clone(c.refused)
	c.mu.Unlock()
	return Stats{
		Hubs: hubs, Sockets: sockets, Hidden: int(c.hidden.Load()), Behind: s.behind.Load(), Pace: pace,
		Subs: c.subs.Load(), Composed: c.composed.Load(), Shared: c.shared.Load(), Compressed: c.compressed.Load(),
		Frames: c.frames.Load(), Bytes: c.bytes.Load(), Drawn: c.drawn.Load(), Poisoned: c.poisoned.Load(),
		Merged: c.merged.Load(), Polls: c.polls.Load(),
		Rounds: c.rounds.Load(), RoundTime: time.Duration(c.roundTime.Load()),
		Closed: closed, Cut: c.cut.Load(), Refused: refused,
	}
}
