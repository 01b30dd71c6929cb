package realtime

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A socket is one open page. At rest it is a goroutine that reads, which no
// request hangs on any more. Whoever has something to tell it writes that, as
// far as it goes without waiting; a goroutine of its own does what takes longer.
type socket struct {
	server     *Server
	viewer     timeline.UserID
	client     string // whom it counts against besides
	credential string // the hash of the session or token

	wire wire
	conn *websocket.Conn // reads from the wire; set when the upgrade is over
	due  atomic.Int64    // when the keeper is to look after it, by the server's clock

	controlled int64 // since when pings and pongs are counted; of the reader
	controls   int32 // how many there were

	mu       sync.Mutex
	writing  bool               // somebody writes
	ended    bool               // the connection is gone; nobody may begin to write
	said     bool               // the last word was written
	dropped  bool               // the connection was cut
	hidden   bool               // nobody looks at the page
	beatDue  bool               // it was silent for long
	granting bool               // a sub is being granted
	closing  *closure           // how it is to end
	name     string             // the river's uuid, once there was a sub
	asked    *message           // a sub to be granted
	stop     context.CancelFunc // ends the granting, or the upgrade
	hub      *hub               // since the first sub was granted
	sub      *sub               // a sub to be answered
	want     uint64             // the hub's turn that it was last woken for
	seen     uint64             // the turn that it last looked in

	// Of whoever writes:
	place  *place // where it stands, the same for all who stand there
	unread int    // what the page was told last
	pace   int32  // likewise, in ms
	behind bool   // likewise

	present int32 // likewise
}

// view is what a page shows of a river.
type view struct {
	at     river.At
	as     Form
	epoch  string
	window river.Window
}

// place is where a socket stands in its river: all that is held for it.
type place struct {
	view
	counter int64 // that it was last sent
}

// sub is what a page asked for, once that was granted.
type sub struct {
	as     Form
	resume river.Resume
}

// never is when nothing is due.
const never = math.MaxInt64

// serve begins to read the connection, which an upgrade was just done on; why,
// if given, ends it at once.
func (s *socket) serve(conn *websocket.Conn, why *closure) {
	conn.SetReadLimit(-1) // the library's limit closes with a code of its own
	s.mu.Lock()
	s.conn, s.stop = conn, nil
	dropped := s.dropped
	s.due.Store(s.server.now() + int64(s.server.config.SubWithin))
	if s.closing != nil { // while it was upgraded
		why = s.closing
		s.closing = nil
	}
	s.mu.Unlock()
	switch {
	case dropped:
		s.wire.cut()
	case why != nil:
		s.shut(*why)
	}
	go s.live()
}

// live reads until the connection ends.
func (s *socket) live() {
	err := s.read()
	s.end()
	s.server.dismiss(s)
	s.server.config.Log.Debug("socket ended", "viewer", s.viewer, "code", int(websocket.CloseStatus(err)), "err", err)
}

// look notes whether anybody looks at the page, which is served sooner then.
func (s *socket) look(hidden bool) {
	s.mu.Lock()
	if s.hidden != hidden {
		s.server.stats.hide(hidden)
	}
	s.hidden = hidden
	if !hidden && s.hub != nil {
		s.want = max(s.want, s.hub.newest())
	}
	s.mu.Unlock()
	s.begin(&hand{light: true})
}

// overdue does what is due by now.
func (s *socket) overdue(now int64, by *hand) {
	s.mu.Lock()
	if s.due.Load() > now || s.ended {
		s.mu.Unlock()
		return
	}
	switch {
	case s.closing != nil:
		s.due.Store(never)
		s.mu.Unlock()
		s.cut()
		return
	case s.hub == nil && s.asked == nil && !s.granting:
		s.mu.Unlock()
		s.shut(closeNoSub)
		return
	}
	s.beatDue = s.hub != nil
	s.due.Store(now + s.server.silence())
	s.mu.Unlock()
	s.begin(by)
}

// shut has the socket closed, after what is being written. The first closure counts.
func (s *socket) shut(why closure) {
	s.mu.Lock()
	if s.closing != nil || s.ended {
		s.mu.Unlock()
		return
	}
	s.closing = &why
	if s.stop != nil && s.conn != nil {
		s.stop()
	}
	if s.conn == nil { // serve will see it
		s.mu.Unlock()
		return
	}
	s.due.Store(s.server.now() + int64(s.server.config.CloseWithin))
	s.mu.Unlock()
	s.server.stats.close(why.code)
	s.begin(&hand{light: true})
}

// cut drops the connection, whoever waits for it.
func (s *socket) cut() {
	s.mu.Lock()
	stop, upgraded, done := s.stop, s.conn != nil, s.ended || s.dropped
	s.dropped = true
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
	if done {
		return
	}
	s.server.stats.cut.Add(1)
	if upgraded {
		s.wire.cut()
	} // else serve will see it
}

// end lets go of all that the socket had; its reader calls it.
func (s *socket) end() {
	s.mu.Lock()
	s.ended = true
	if s.hidden {
		s.server.stats.hide(false)
	}
	s.due.Store(never)
	hub := s.hub
	if s.stop != nil {
		s.stop()
	}
	s.mu.Unlock()
	if hub != nil {
		s.server.leave(hub, s)
	}
	s.wire.Close()
	s.conn.CloseNow()
}

// silence is after how long the next beat is due.
func (s *Server) silence() int64 {
	return int64(float64(s.config.Beat) * (0.8 + 0.4*s.config.Jitter()))
}

// now is the server's clock.
func (s *Server) now() int64 { return int64(time.Since(s.began)) }
