package realtime

import (
	"context"
	"io"
	"time"

	"github.com/coder/websocket"
)

// controlsASec is how many pings and the like a client may send in any second.
// Pages send none.
const controlsASec = 10

// A ration says how often something may be done in any second.
type ration struct {
	times []int64
	n     int
}

// take notes one more at a time of the server's clock, and says whether it is
// one too many.
func (r *ration) take(now int64) bool {
	at := &r.times[r.n%len(r.times)]
	many := r.n >= len(r.times) && now-*at < int64(time.Second)
	*at = now
	r.n++
	return many
}

// read takes the client's frames until an error of the connection's. What is in
// them is read by another goroutine each, so that the stack of this one, which
// is kept as long as the page is open, stays small.
func (s *socket) read() error {
	frames := ration{times: make([]int64, s.server.config.FramesASec)}
	taken := make(chan error, 1)
	for {
		kind, r, err := s.conn.Reader(context.Background()) // one that ends would cut the connection
		if err != nil {
			return err
		}
		many := frames.take(s.server.now())
		go s.receive(kind, r, many, taken)
		if err := <-taken; err != nil {
			return err
		}
	}
}

// control counts a ping or a pong, and says whether it is to be answered. It is
// of the reader.
func (s *socket) control() bool {
	now := s.server.now()
	if now-s.controlled > int64(time.Second) {
		s.controlled, s.controls = now, 0
	}
	if s.controls++; s.controls <= controlsASec {
		return true
	}
	s.shut(closure{CodeBad, "too many frames"})
	return false
}

// receive reads a frame and does what it asks for; taken gets the connection's
// error as soon as the next frame can be read.
func (s *socket) receive(kind websocket.MessageType, r io.Reader, many bool, taken chan<- error) {
	data, err := s.payload(r)
	if err != nil {
		taken <- err
		return
	}
	var why *closure
	granting := false
	switch {
	case s.shutting(): // what comes now is read only to see the end
	case many:
		why = &closure{CodeBad, "too many frames"}
	default:
		granting, why = s.take(kind, data)
	}
	if why != nil {
		s.shut(*why)
	}
	if granting {
		s.server.wg.Go(s.grant)
	}
	taken <- nil
}

// payload is what is in a frame, or nothing of one that is too long. A frame that
// was begun must come to its end.
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
		s.shut(closure{CodeBad, "a frame is too long"})
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, err
	}
	return data, s.wire.SetReadDeadline(time.Time{})
}

// shutting says whether the socket is being closed.
func (s *socket) shutting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing != nil
}

// take does what a frame of the client's asks for: whether that is a sub to be
// granted, or how it ends.
func (s *socket) take(kind websocket.MessageType, data []byte) (granting bool, why *closure) {
	m, err := parse(kind, data)
	if err != nil {
		return false, &closure{CodeBad, short(err.Error())}
	}
	if m.Type == "vis" {
		s.look(m.Hidden)
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.name != "" && s.name != m.River {
		return false, &closure{CodeBad, "a socket has one river"}
	}
	s.name = m.River
	s.asked = m // in place of one that was not begun with
	granting = !s.granting
	s.granting = true
	return granting, nil
}
