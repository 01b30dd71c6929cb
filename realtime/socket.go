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

// A socket is one open page. At rest a socket is one goroutine, which reads, and no request.
// Rounds and the janitor write as much to a socket as can be written without waiting; a goroutine
// of the socket's own writes the rest.
type socket struct {
	server     *Server
	viewer     timeline.UserID
	client     string // the name under which the socket is counted, besides its viewer
	credential string // the hash of the session or token

	expires time.Time   // when the token ends; zero: never
	began   time.Time   // a moment before the request was identified
	expiry  *time.Timer // closes the socket then; nil: the token does not end

	wire wire
	conn *websocket.Conn // reads from the wire; nil until the upgrade is over
	due  atomic.Int64    // when the janitor must look after the socket, by the server's clock

	// Of the reader:
	controlsSince int64 // since when control frames are counted
	controls      int32 // how many came since then

	mu           sync.Mutex
	writing      bool               // a goroutine is writing to the page
	ended        bool               // the connection is gone; writing must not begin
	closeWritten bool               // the closing frame was written
	dropped      bool               // the connection was dropped without a closing frame
	hidden       bool               // the page is hidden
	beatDue      bool               // nothing was written for long
	admitting    bool               // admitSubs runs
	closing      *closure           // why the socket is being closed
	riverName    string             // the river's uuid, from the first sub
	requested    *message           // the sub that admitSubs takes next
	stop         context.CancelFunc // ends the upgrade, or the admission of a sub
	hub          *hub               // nil until the first sub was admitted
	sub          *sub               // an admitted sub that was not answered yet
	wantRound    uint64             // the hub's last round that had something for the page
	doneRound    uint64             // the hub's last round that the page is up to date with

	// Of the goroutine that writes:
	state  *pageState   // the content of the page; sockets in equal states may share it
	unread river.Unread // as the page was told last; so are the next three
	pace   int32        // in ms
	behind bool

	present int32
}

// A view is the part of a river that a page shows, and the page's form.
type view struct {
	at     river.At
	as     Form
	epoch  string
	window river.Window
}

// A pageState is a view, and the counter in the last frame sent to the page. A socket remembers
// nothing else about its page.
type pageState struct {
	view
	counter int64
}

// A sub is an admitted request of a page for a river.
type sub struct {
	as     Form
	resume river.Resume
}

// never is the value of due when nothing is due.
const never = math.MaxInt64

// serve begins to read the connection of a finished upgrade. If why is given, serve
// closes the socket for that reason.
func (s *socket) serve(conn *websocket.Conn, why *closure) {
	conn.SetReadLimit(-1) // the library would close with a code of its own
	s.mu.Lock()
	s.conn, s.stop = conn, nil
	dropped := s.dropped
	s.due.Store(s.server.now() + int64(s.server.config.SubWithin))
	if s.closing != nil { // close was called during the upgrade
		why = s.closing
		s.closing = nil
	}
	s.mu.Unlock()
	switch {
	case dropped:
		s.wire.drop()
	case why != nil:
		s.close(*why)
	}
	go s.live()
}

// live reads until the connection ends, and then removes the socket.
func (s *socket) live() {
	err := s.read()
	s.end()
	s.server.unregister(s)
	s.server.config.Log.Debug("socket ended", "viewer", s.viewer, "code", int(websocket.CloseStatus(err)), "err", err)
}

// setHidden notes whether the page is hidden. A page that is shown again is brought up
// to date at once.
func (s *socket) setHidden(hidden bool) {
	s.mu.Lock()
	if s.hidden != hidden {
		s.server.stats.hide(hidden)
	}
	s.hidden = hidden
	if !hidden && s.hub != nil {
		s.wantRound = max(s.wantRound, s.hub.lastRound())
	}
	s.mu.Unlock()
	s.tryWrite(&writer{light: true})
}

// handleDue acts on passed deadlines: it drops a socket if the client did not answer the closing
// frame, closes a socket without a sub, and sends a beat to any other socket.
func (s *socket) handleDue(now int64, by *writer) {
	s.mu.Lock()
	if s.due.Load() > now || s.ended {
		s.mu.Unlock()
		return
	}
	switch {
	case s.closing != nil:
		s.due.Store(never)
		s.mu.Unlock()
		s.drop()
		return
	case s.hub == nil && s.requested == nil && !s.admitting:
		s.mu.Unlock()
		s.close(closeNoSub)
		return
	}
	s.beatDue = s.hub != nil
	s.due.Store(now + s.server.silence())
	s.mu.Unlock()
	s.tryWrite(by)
}

// close begins to close the socket: the closing frame follows the frame that is being
// written. Of several calls the first counts.
func (s *socket) close(why closure) {
	s.mu.Lock()
	if s.closing != nil || s.ended {
		s.mu.Unlock()
		return
	}
	s.closing = &why
	if s.stop != nil && s.conn != nil {
		s.stop()
	}
	if s.conn == nil { // serve will find s.closing
		s.mu.Unlock()
		return
	}
	s.due.Store(s.server.now() + int64(s.server.config.CloseWithin))
	s.mu.Unlock()
	s.server.stats.close(why.code)
	s.tryWrite(&writer{light: true})
}

// drop drops the connection without a closing frame, and ends everything that waits for the
// connection.
func (s *socket) drop() {
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
	s.server.stats.dropped.Add(1)
	if upgraded { // otherwise serve will find s.dropped
		s.wire.drop()
	}
}

// end releases everything that the socket holds. The reader calls it.
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

// silence returns the time until the next beat, in nanoseconds.
func (s *Server) silence() int64 {
	return int64(float64(s.config.Beat) * (0.8 + 0.4*s.config.Jitter()))
}

// now returns the time by the server's clock, in nanoseconds since it began.
func (s *Server) now() int64 { return int64(time.Since(s.began)) }
