package realtime

import (
	"context"
	"io"
	"time"

	"github.com/coder/websocket"
)

// controlsASec is how many control frames (pings and pongs) a client may send in any
// second. Pages send none.
const controlsASec = 10

// A rateLimit bounds how often something happens in any second.
type rateLimit struct {
	times []int64 // the last len(times) times, as a ring
	n     int     // how often it happened
}

// exceeded counts an event at a time of the server's clock, and reports whether the event
// exceeds the limit.
func (r *rateLimit) exceeded(now int64) bool {
	at := &r.times[r.n%len(r.times)]
	many := r.n >= len(r.times) && now-*at < int64(time.Second)
	*at = now
	r.n++
	return many
}

// read receives the client's frames until the connection fails or ends. Another goroutine
// handles each frame, so that the stack of this goroutine stays small: the goroutine lives as
// long as the page is open.
func (s *socket) read() error {
	frames := rateLimit{times: make([]int64, s.server.config.FramesASec)}
	handled := make(chan error, 1)
	for {
		kind, r, err := s.conn.Reader(context.Background()) // a context that ends would drop the connection
		if err != nil {
			return err
		}
		many := frames.exceeded(s.server.now())
		go s.receive(kind, r, many, handled)
		if err := <-handled; err != nil {
			return err
		}
	}
}

// allowControl counts a ping or a pong, and reports whether to answer it. Too many of them close
// the socket. Only the reader calls allowControl.
func (s *socket) allowControl() bool {
	now := s.server.now()
	if now-s.controlsSince > int64(time.Second) {
		s.controlsSince, s.controls = now, 0
	}
	if s.controls++; s.controls <= controlsASec {
		return true
	}
	s.close(closeTooMany)
	return false
}

// receive reads one frame and handles it. It sends the connection's error, or nil, to handled as
// soon as the next frame may be read.
func (s *socket) receive(kind websocket.MessageType, r io.Reader, many bool, handled chan<- error) {
	data, err := s.payload(r)
	if err != nil {
		handled <- err
		return
	}
	var why *closure
	admit := false
	switch {
	case s.isClosing(): // frames are read only to find the client's closing frame
	case many:
		why = &closeTooMany
	default:
		admit, why = s.handle(kind, data)
	}
	if why != nil {
		s.close(*why)
	}
	if admit {
		s.server.wg.Go(s.admitSubs)
	}
	handled <- nil
}

// payload returns the content of a frame, which must arrive within a time limit. A frame that is
// too long closes the socket and has no content.
func (s *socket) payload(r io.Reader) ([]byte, error) {
	if err := s.wire.SetReadDeadline(time.Now().Add(s.server.config.SubWithin)); err != nil {
		return nil, err
	}
	limit := s.server.config.ReadLimit
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(data) > limit {
		data = nil
		s.close(closure{CodeBad, "a frame is too long"})
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, err
	}
	return data, s.wire.SetReadDeadline(time.Time{})
}

// isClosing reports whether the socket is being closed.
func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing != nil
}

// handle carries out a frame from the client. It returns admit if the frame is a sub for which
// [socket.admitSubs] must be started, and the closure of a bad frame.
func (s *socket) handle(kind websocket.MessageType, data []byte) (admit bool, why *closure) {
	m, err := parse(kind, data)
	if err != nil {
		return false, &closure{CodeBad, short(err.Error())}
	}
	if m.Type == "vis" {
		s.setHidden(m.Hidden)
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.riverName != "" && s.riverName != m.River {
		return false, &closure{CodeBad, "a socket has one river"}
	}
	s.riverName = m.River
	s.requested = m // replaces an earlier sub that still waits
	admit = !s.admitting
	s.admitting = true
	return admit, nil
}
