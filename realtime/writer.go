package realtime

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
)

// task is what a writer does next.
type task int

const (
	taskNone  task = iota
	taskClose      // say why, and close
	taskSub        // answer a sub
	taskLook       // write what changed, if anything did
	taskBeat       // say that all is well
)

// errSlow says that a frame was written, but took too long.
var errSlow = errors.New("slow")

// start has a writer run, if there is something for it to do; s.mu is held.
func (s *socket) start() {
	if s.writing || s.ended || s.conn == nil {
		return
	}
	if next, _ := s.next(); next == taskNone {
		return
	}
	s.writing = true
	s.server.wg.Go(s.write)
}

// wake tells the socket that its river changed, as of a turn of its hub.
func (s *socket) wake(turn uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.want = max(s.want, turn)
	s.start()
}

// next is what there is to do; s.mu is held.
func (s *socket) next() (task, *sub) {
	switch {
	case s.ended:
		return taskNone, nil
	case s.closing != nil:
		return taskClose, nil
	case s.sub != nil:
		return taskSub, s.sub
	case s.hub != nil && s.seen < s.want:
		return taskLook, nil
	case s.hub != nil && s.beatDue:
		return taskBeat, nil
	}
	return taskNone, nil
}

// write does what there is to do until there is nothing more.
func (s *socket) write() {
	for {
		s.mu.Lock()
		next, asked := s.next()
		h := s.hub
		if next == taskNone || next == taskClose {
			s.writing = next == taskClose // which is the last
			why := s.closing
			s.mu.Unlock()
			if next == taskClose {
				s.farewell(*why)
			}
			return
		}
		if next == taskSub {
			s.sub = nil
		}
		// What changes from here on wakes the socket again.
		s.seen = max(s.want, h.newest())
		s.beatDue = false
		s.mu.Unlock()

		var err error
		switch next {
		case taskSub:
			err = s.renewing(h, func(w Watch, _ int) error { return s.greet(h, w, asked) })
		case taskLook:
			err = s.renewing(h, func(w Watch, try int) error { return s.follow(h, w, try) })
		case taskBeat:
			err = s.send(encodeBeat(s.place.counter))
		}
		switch {
		case err == nil:
		case errors.Is(err, errSlow):
			s.shut(closeSlow)
		case errors.Is(err, errWrite):
			s.cut()
		default:
			why, known := closureOf(err)
			if !known {
				s.server.config.Log.Error("live page", "river", h.key, "err", err)
			}
			s.shut(why)
		}
	}
}

// renewing does f with the hub's open river, again where that one ended.
func (s *socket) renewing(h *hub, f func(w Watch, try int) error) error {
	for try := range 5 {
		w := h.current()
		err := f(w, try)
		if !errors.Is(err, river.ErrGone) {
			return err
		}
		if err := h.renew(w); err != nil {
			return err
		}
	}
	return river.ErrBehind // it ends faster than it is opened
}

// greet answers a sub.
func (s *socket) greet(h *hub, w Watch, asked *sub) error {
	var f frame
	h.greet(&f, w, asked.as, asked.resume)
	if err := s.deliver(&f); err != nil {
		return err
	}
	if f.unread != nil {
		s.unread = *f.unread
	}
	s.server.stats.subs.Add(1)
	return nil
}

// follow writes what has changed for the page since it was last written to. A
// river that was made anew, or does not know any more what has changed since
// (the second time that it is asked, for the first may have met its end), is
// written whole.
func (s *socket) follow(h *hub, w Watch, try int) error {
	f := h.patch
	if try > 1 || w.Epoch() != s.place.epoch {
		f = h.anew
	}
	if err := s.deliver(f(w, s.place)); err != nil {
		return err
	}
	return s.count(w)
}

// count tells how many notices are unread, where the page was told otherwise.
func (s *socket) count(w Watch) error {
	unread, known := w.Unread()
	if !known || unread == s.unread {
		return nil
	}
	s.unread = unread
	return s.send(encodeUnread(unread))
}

// deliver writes a frame and moves the socket to where it leads. The place
// moves first: a frame that can't be written is the socket's last.
func (s *socket) deliver(f *frame) error {
	if f.err != nil {
		return f.err
	}
	s.place = f.then
	for _, part := range [][]byte{f.hello, f.body} {
		if part == nil {
			continue
		}
		if err := s.send(part); err != nil {
			return err
		}
	}
	return nil
}

// errWrite says that a frame could not be written: the connection is of no use.
var errWrite = errors.New("write")

// send writes a frame, within a time.
func (s *socket) send(frame []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.server.config.WriteWithin)
	defer cancel()
	began := time.Now()
	if err := s.conn.Write(ctx, websocket.MessageText, frame); err != nil {
		return errors.Join(errWrite, err)
	}
	s.server.stats.frames.Add(1)
	s.server.stats.bytes.Add(int64(len(frame)))
	s.armBeat()
	if time.Since(began) > s.server.config.Slow {
		return errSlow
	}
	return nil
}

// armBeat has a beat written when the socket was silent for a while.
func (s *socket) armBeat() {
	config := &s.server.config
	silence := time.Duration(float64(config.Beat) * (0.8 + 0.4*config.Jitter()))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if s.timers[timerBeat] == nil {
		s.timers[timerBeat] = time.AfterFunc(silence, s.beat)
		return
	}
	s.timers[timerBeat].Reset(silence)
}

func (s *socket) beat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beatDue = true
	s.start()
}

// farewell closes the connection as the protocol has it; before a restart the
// page is told over which time to come back.
func (s *socket) farewell(why closure) {
	if why.code == CodeRestart {
		if err := s.send(encodeBye(s.server.config.ByeWithin)); err != nil && !errors.Is(err, errSlow) {
			s.cut()
			return
		}
	}
	if err := s.conn.Close(why.code, why.reason); err != nil {
		s.server.config.Log.Debug("closing a socket", "code", int(why.code), "err", err)
	}
	s.cut()
}
