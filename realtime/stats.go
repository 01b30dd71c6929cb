package realtime

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Stats counts the present sockets, hubs and pages of a [Server], and the frames and answers
// that the server has sent since its start.
type Stats struct {
	Hubs, Sockets, Hidden int           // at present; Hidden counts the sockets of pages that are hidden
	Listeners             int           // at present: subscriptions of other protocols
	Behind                bool          // the node can't follow the primary at present
	Pace                  time.Duration // the longest time between two rounds of a hub

	Subs       int64 // subs answered
	Composed   int64 // patches and resets composed
	Shared     int64 // patches and resets written that another socket had been given before
	Compressed int64 // patches and resets written compressed
	Frames     int64 // frames written to sockets, of any type
	Bytes      int64 // bytes of those frames
	Rendered   int64 // entries rendered
	Poisoned   int64 // entries that could not be rendered
	Merged     int64 // frames that merged several changes, because the page was slow or the river fast
	Polls      int64 // polls answered
	Told       int64 // changes of posts that listeners fetched

	Rounds    int64         // rounds of hubs
	RoundTime time.Duration // the duration of all of them together

	Closed  map[int]int64    // sockets closed by the server, by code
	Dropped int64            // connections dropped without a closing frame, or without the client's answer to it
	Refused map[string]int64 // upgrades refused, by reason
}

// Slow returns how many sockets were closed because they read too slowly.
func (s Stats) Slow() int64 { return s.Closed[int(CodeSlow)] }

// The reasons for which an upgrade is refused, in [Stats.Refused].
const (
	refusedOrigin   = "origin"
	refusedDraining = "draining"
	refusedIdentify = "identify" // its viewer could not be identified
	refusedUpgrade  = "upgrade"  // it was no proper WebSocket upgrade
)

type counters struct {
	subs, composed, shared, compressed, frames, bytes, rendered, poisoned, merged, polls, told, rounds, roundTime, dropped atomic.Int64

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

// hide counts a page that was hidden, or is no longer.
func (c *counters) hide(hidden bool) {
	if hidden {
		c.hidden.Add(1)
	} else {
		c.hidden.Add(-1)
	}
}

// round counts a round of a hub.
func (c *counters) round(took time.Duration) {
	c.rounds.Add(1)
	c.roundTime.Add(int64(took))
}

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	pace := s.config.Coalesce
	for _, h := range s.hubs {
		pace = max(pace, time.Duration(h.stretched.Load()))
	}
	hubs, sockets, listeners := len(s.hubs), len(s.sockets.all), len(s.listeners)
	s.mu.Unlock()
	c := &s.stats
	c.mu.Lock()
	closed, refused := maps.Clone(c.closed), maps.Clone(c.refused)
	c.mu.Unlock()
	return Stats{
		Hubs: hubs, Sockets: sockets, Listeners: listeners, Hidden: int(c.hidden.Load()), Behind: s.behind.Load(), Pace: pace,
		Subs: c.subs.Load(), Composed: c.composed.Load(), Shared: c.shared.Load(), Compressed: c.compressed.Load(),
		Frames: c.frames.Load(), Bytes: c.bytes.Load(), Rendered: c.rendered.Load(), Poisoned: c.poisoned.Load(),
		Merged: c.merged.Load(), Polls: c.polls.Load(), Told: c.told.Load(),
		Rounds: c.rounds.Load(), RoundTime: time.Duration(c.roundTime.Load()),
		Closed: closed, Dropped: c.dropped.Load(), Refused: refused,
	}
}
