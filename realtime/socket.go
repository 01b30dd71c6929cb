package realtime

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A socket is one open page. Its reader is the goroutine of its request; its
// writer is one that is started when there is something to write and ends when
// there is nothing, so that a page at rest has a reader only.
type socket struct {
	server     *Server
	viewer     timeline.UserID
	credential string   // the hash of the session or token
	counted    []string // what it counts against

	conn   *websocket.Conn
	raw    net.Conn           // under conn
	name   string             // the river's uuid once there was a sub; of the reader
	asking context.Context    // of the reader's work on a frame
	stop   context.CancelFunc // ends that

	mu      sync.Mutex
	writing bool     // a writer runs
	ended   bool     // the connection is gone; no writer may start
	hub     *hub     // since the first sub was granted
	sub     *sub     // a sub to be answered
	want    uint64   // the hub's turn that it was last woken for
	seen    uint64   // the turn that it last looked in
	beatDue bool     // it was silent for long
	hidden  bool     // nobody looks at the page
	closing *closure // how it is to end
	timers  [3]*time.Timer

	place  place // of the writer
	unread int   // what the page was told last, of the writer
}

// The timers of a socket.
const (
	timerBeat  = iota // since the last frame written
	timerSub          // until the first sub
	timerClose        // since the closing began
)

// place is where a socket stands in its river: all that is held for it.
type place struct {
	at      river.At
	as      Form
	epoch   string
	counter int64 // that it was last sent
	window  river.Window
}

// sub is a granted request to be answered by the writer.
type sub struct {
	as     Form
	resume river.Resume
}

func newSocket(s *Server, viewer timeline.UserID, credential []byte, counted []string) *socket {
	one := &socket{server: s, viewer: viewer, credential: string(credential), counted: counted}
	one.asking, one.stop = context.WithCancel(context.Background())
	return one
}

// serve reads the connection until it ends; why, if given, ends it at once.
func (s *socket) serve(conn *websocket.Conn, raw net.Conn, why *closure) {
	defer s.stop()
	s.mu.Lock()
	s.conn, s.raw = conn, raw
	s.timers[timerSub] = time.AfterFunc(s.server.config.SubWithin, s.expectSub)
	if s.closing != nil { // while it was upgraded
		why = s.closing
		s.closing = nil
	}
	s.mu.Unlock()
	if why != nil {
		s.shut(*why)
	}
	err := s.read()
	s.end()
	s.server.config.Log.Debug("socket ended", "viewer", s.viewer, "code", statusOf(err), "err", err)
}

// read takes the client's frames, until an error of the connection's.
func (s *socket) read() error {
	ctx := context.Background() // one that ends would cut the connection
	limit := s.server.config.ReadLimit
	s.conn.SetReadLimit(-1) // the library's limit closes with a code of its own
	pace := make([]time.Time, s.server.config.FramesASec)
	bad := false // what follows is read only to see the end
	for n := 0; ; n++ {
		kind, r, err := s.conn.Reader(ctx)
		if err != nil {
			return err
		}
		if bad {
			if _, err := io.Copy(io.Discard, r); err != nil {
				return err
			}
			continue
		}
		data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
		if err != nil {
			return err
		}
		now := time.Now()
		oldest := &pace[n%len(pace)]
		fast := !oldest.IsZero() && now.Sub(*oldest) < time.Second
		*oldest = now
		switch {
		case len(data) > limit:
			s.shut(closure{CodeBad, "a frame is too long"})
			bad = true
			if _, err := io.Copy(io.Discard, r); err != nil {
				return err
			}
		case fast:
			s.shut(closure{CodeBad, "too many frames"})
			bad = true
		default:
			if why := s.take(kind, data); why != nil {
				s.shut(*why)
				bad = true
			}
		}
	}
}

// take does what a frame of the client's asks for, or says how that ends.
func (s *socket) take(kind websocket.MessageType, data []byte) *closure {
	m, err := parse(kind, data)
	if err != nil {
		return &closure{CodeBad, short(err.Error())}
	}
	if m.Type == "vis" {
		s.look(m.Hidden)
		return nil
	}
	if s.name != "" && s.name != m.River {
		return &closure{CodeBad, "a socket has one river"}
	}
	s.name = m.River
	ctx, cancel := context.WithTimeout(s.asking, s.server.config.SubWithin)
	defer cancel()
	err = s.subscribe(ctx, m)
	if err == nil {
		return nil
	}
	why, known := closureOf(err)
	if !known {
		s.server.config.Log.Error("sub", "page", m.Page, "viewer", s.viewer, "err", err)
	}
	return &why
}

// subscribe grants a sub: it finds the river, tests that it is the one the page
// was given and may be opened, and leaves the answer to the writer.
func (s *socket) subscribe(ctx context.Context, m *message) error {
	s.mu.Lock()
	timer := s.timers[timerSub]
	s.mu.Unlock()
	timer.Stop()
	rivers := s.server.config.Rivers
	key, at, err := s.server.resolve(ctx, s.viewer, s.credential, m.River, m.Page)
	if err != nil {
		return err
	}
	if rivers.Age() > s.server.config.Away {
		return river.ErrBehind
	}
	if m.Position > 0 {
		if err := rivers.Reach(ctx, m.Position); err != nil {
			return errors.Join(river.ErrBehind, err)
		}
	}
	h, err := s.server.join(ctx, key, s)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub, s.sub = h, &sub{m.As, m.resume(at)}
	s.start()
	return nil
}

// resolve finds the river that a page shows, which must be the one of that name.
func (s *Server) resolve(ctx context.Context, viewer timeline.UserID, credential, name, page string) (river.Key, river.At, error) {
	if named, known := s.config.Rivers.Named(name); known && named.Viewer != 0 && viewer == 0 {
		return river.Key{}, river.At{}, timeline.ErrUnauthorized // it was somebody's, whose session ended
	}
	var held []byte
	if credential != "" {
		held = []byte(credential)
	}
	is := func(key river.Key) bool { return s.config.Rivers.Name(key, held) == name }
	key, at, err := s.config.Resolve(ctx, viewer, page, is)
	if err != nil {
		return key, at, err
	}
	if !is(key) {
		return key, at, timeline.ErrForbidden
	}
	return key, at, nil
}

// look notes whether anybody looks at the page, which is served sooner then.
func (s *socket) look(hidden bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden = hidden
	if !hidden && s.hub != nil {
		s.want = max(s.want, s.hub.newest())
		s.start()
	}
}

// unseen says whether nobody looks at the page.
func (s *socket) unseen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hidden
}

// expectSub closes a socket that asked for nothing.
func (s *socket) expectSub() {
	s.mu.Lock()
	asked := s.hub != nil || s.sub != nil
	s.mu.Unlock()
	if !asked {
		s.shut(closeNoSub)
	}
}

// shut has the socket closed, after what is being written. The first closure counts.
func (s *socket) shut(why closure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing != nil || s.ended {
		return
	}
	s.closing = &why
	s.stop()
	if s.conn == nil {
		return // serve will see it
	}
	s.server.stats.closed.Add(1)
	s.timers[timerClose] = time.AfterFunc(s.server.config.CloseWithin, s.cut)
	s.start()
}

// cut drops the connection, whoever waits for it.
func (s *socket) cut() {
	s.stop()
	s.mu.Lock()
	raw := s.raw
	s.mu.Unlock()
	if raw != nil {
		raw.Close()
	}
}

// end lets go of all that the socket had; its reader calls it.
func (s *socket) end() {
	s.mu.Lock()
	s.ended = true
	hub := s.hub
	for _, t := range s.timers {
		if t != nil {
			t.Stop()
		}
	}
	s.mu.Unlock()
	if hub != nil {
		s.server.leave(hub, s)
	}
	s.raw.Close()
	s.conn.CloseNow()
}
