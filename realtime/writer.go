package realtime

import (
	"errors"
	"time"
)

// A task is what must be written to a socket next.
type task int

const (
	taskNone   task = iota
	taskClose       // the closing frame
	taskSub         // the answer to a sub
	taskMissed      // what changed in the river
	taskStatus      // the state of the node changed: its pace, or whether the node is behind
	taskBeat        // a beat
)

// A writer is a goroutine's means of writing to sockets. A writer of a round or of the
// janitor goes from socket to socket and waits for none. A writer of one socket (own)
// may wait for that socket.
type writer struct {
	attempt attempt
	own     bool      // it may wait for the connection
	light   bool      // leaves frames that must be composed to a goroutine of the socket
	last    lastFrame // the last frame it wrote
}

// An outbox is the frames that one task writes to a socket.
type outbox struct {
	frames [6][]byte
	n      int
}

func (o *outbox) add(frame []byte) {
	if frame != nil {
		o.frames[o.n] = frame
		o.n++
	}
}

// tryWrite writes what must be written, unless another goroutine is writing already.
func (s *socket) tryWrite(by *writer) {
	s.mu.Lock()
	if !s.needsWriter() {
		s.mu.Unlock()
		return
	}
	s.writing = true
	s.mu.Unlock()
	s.writeAll(by)
}

// needsWriter reports whether a task waits and no goroutine carries out tasks; s.mu is held.
func (s *socket) needsWriter() bool {
	return !s.writing && !s.ended && s.conn != nil && s.next() != taskNone
}

// notify handles a round of the socket's hub, and writes what changed. It passes over
// the socket if the round is for hidden pages and the page is not hidden, or the
// opposite, and returns whether the page is hidden.
func (s *socket) notify(round uint64, forHidden bool, by *writer) (hidden bool) {
	s.mu.Lock()
	if s.hidden != forHidden {
		s.mu.Unlock()
		return !forHidden
	}
	s.wantRound = max(s.wantRound, round)
	if !s.needsWriter() {
		s.mu.Unlock()
		return forHidden
	}
	s.writing = true
	s.mu.Unlock()
	s.writeAll(by)
	return forHidden
}

// next returns the next task; s.mu is held.
func (s *socket) next() task {
	switch {
	case s.ended || s.closeWritten:
		return taskNone
	case s.closing != nil:
		return taskClose
	case s.sub != nil:
		return taskSub
	case s.hub == nil || s.state == nil:
		return taskNone
	case s.doneRound < s.wantRound:
		return taskMissed
	case s.pace != s.hub.pace.Load() || s.behind != s.server.behind.Load():
		return taskStatus
	case s.beatDue:
		return taskBeat
	}
	return taskNone
}

// writeAll carries out one task after another until none is left; s.writing is set.
func (s *socket) writeAll(by *writer) {
	for {
		s.mu.Lock()
		next := s.next()
		if next == taskNone {
			s.writing = false
			s.mu.Unlock()
			return
		}
		if by.light && (next == taskSub || next == taskMissed) {
			s.mu.Unlock()
			s.detach(func() { s.writeAll(&writer{own: true}) })
			return
		}
		h, sub, why := s.hub, s.sub, s.closing
		switch next {
		case taskClose:
			s.closeWritten = true
		case taskSub:
			s.sub = nil
		}
		if next == taskSub || next == taskMissed { // a change from here on raises wantRound again
			if next == taskMissed && !s.hidden && s.wantRound > s.doneRound+1 {
				s.server.stats.merged.Add(1)
			}
			s.doneRound = max(s.wantRound, h.lastRound())
		}
		s.beatDue = false
		s.mu.Unlock()

		var out outbox
		var err error
		switch next {
		case taskClose:
			s.addClosing(*why, &out)
		case taskSub:
			err = h.withWatch(func(w Watch) error { return s.addReply(h, w, sub, &out) })
		case taskMissed:
			err = s.addMissed(h, by, &out)
		case taskStatus:
			s.addStatus(h, &out)
		case taskBeat:
			out.add(framed(opText, encodeBeat(s.state.counter)))
		}
		if err == nil {
			var done bool
			if done, err = s.write(h, &out, by); !done {
				return // a goroutine of the socket goes on
			}
		}
		s.handleError(h, err)
	}
}

// handleError closes or drops the socket after an error, if there was one.
func (s *socket) handleError(h *hub, err error) {
	switch {
	case err == nil, errors.Is(err, errClosed):
	case errors.Is(err, errSlow):
		s.close(closeSlow)
	case errors.Is(err, errWrite):
		s.drop()
	default:
		why, known := closureOf(err)
		if !known {
			s.server.config.Log.Error("could not compose a frame", "river", h.key, "err", err)
		}
		s.close(why)
	}
}

// addReply adds the answer to a sub.
func (s *socket) addReply(h *hub, w Watch, sub *sub, out *outbox) error {
	r, err := h.reply(w, sub.as, sub.resume)
	h.trimCaches()
	if err != nil {
		return err
	}
	s.state, s.pace, s.behind, s.present = r.next, r.pace, r.behind, r.present
	if r.unread != nil {
		s.unread = *r.unread
	}
	out.add(framed(opText, r.hello))
	s.addEncoded(r.frame, out)
	s.server.stats.subs.Add(1)
	return nil
}

// addMissed adds a patch with the changes since the page's state. It adds a reset if the river
// was made anew, or no longer knows all these changes.
func (s *socket) addMissed(h *hub, by *writer, out *outbox) error {
	if f := by.last.frameFor(s.state); f != nil {
		s.advance(f, out)
	} else if err := h.withWatch(func(w Watch) error {
		f, err := h.catchUpFrame(w, s.state)
		if err != nil {
			return err
		}
		by.last = lastFrame{w, s.state, f}
		s.advance(f, out)
		return nil
	}); err != nil {
		return err
	}
	s.addStatus(h, out)
	return nil
}

// advance adds a frame and moves the socket to the state after the frame. The state may move
// before the frame is written, because a frame that can't be written is the last of its socket.
func (s *socket) advance(f *frame, out *outbox) {
	if f.next != nil {
		s.state = f.next
	}
	s.addEncoded(f.encoded, out)
}

func (s *socket) addEncoded(e *encoded, out *outbox) {
	if e == nil {
		return
	}
	frame, shared := e.frame(&s.server.deflaters)
	if shared {
		s.server.stats.shared.Add(1)
	}
	if frame[0] == opBinary {
		s.server.stats.compressed.Add(1)
	}
	out.add(frame)
}

// addStatus adds a frame for each of these values that differs from the one last sent to the
// page: the pace, whether the node is behind, the number of people present, and the numbers of
// unread notices.
func (s *socket) addStatus(h *hub, out *outbox) {
	if pace := h.pace.Load(); pace != s.pace {
		s.pace = pace
		out.add(framed(opText, encodePace(pace)))
	}
	if behind := s.server.behind.Load(); behind != s.behind {
		s.behind = behind
		out.add(framed(opText, encodeBehind(behind)))
	}
	if present, known := h.present(h.current()); known && present != s.present {
		s.present = present
		out.add(framed(opText, encodePresent(present)))
	}
	if s.viewer == 0 {
		return
	}
	if unread, known := h.current().Unread(); known && unread != s.unread {
		s.unread = unread
		out.add(framed(opText, encodeUnread(unread)))
	}
}

// addClosing adds the closing frame, and before a restart the time over which pages are
// to come back. The reader sees the client's answer; the janitor notices when there is
// none.
func (s *socket) addClosing(why closure, out *outbox) {
	if why.code == CodeRestart {
		out.add(framed(opText, encodeBye(s.server.config.ByeWithin)))
	}
	out.add(closing(why.code, why.reason))
}

var (
	// errClosed reports that a closing frame was written, so that nothing may follow.
	errClosed = errors.New("closed")
	// errWrite reports that a frame could not be written: the connection is broken.
	errWrite = errors.New("write")
	// errSlow reports that a frame was written, but took too long.
	errSlow = errors.New("slow")
)

// write writes the frames of an outbox. If the writer may not wait and the connection
// takes no more, a goroutine of the socket's own goes on, and write returns false.
func (s *socket) write(h *hub, out *outbox, by *writer) (done bool, err error) {
	frames := out.frames[:out.n]
	if by.own {
		return true, s.writeWaiting(frames)
	}
	for i, frame := range frames {
		rest, err := s.wire.try(frame, &by.attempt)
		if err != nil {
			return true, errors.Join(errWrite, err)
		}
		if len(rest) == 0 {
			continue
		}
		left := &outbox{}
		left.add(rest)
		for _, frame := range frames[i+1:] {
			left.add(frame)
		}
		s.countWritten(frames[:i])
		s.detach(func() {
			s.handleError(h, s.writeWaiting(left.frames[:left.n]))
			s.writeAll(&writer{own: true})
		})
		return false, nil
	}
	s.countWritten(frames)
	return true, nil
}

// detach runs f in a goroutine that the server waits for. [Server.Close] may be waiting already
// for the end of a socket that has ended, and a wait that has begun must not get more goroutines
// to wait for: then f runs before detach returns, and finds the connection closed.
func (s *socket) detach(f func()) {
	s.mu.Lock()
	ended := s.ended
	if !ended {
		s.server.wg.Add(1) // never from zero: the reader counts until end has taken s.mu
	}
	s.mu.Unlock()
	if ended {
		f()
		return
	}
	go func() {
		defer s.server.wg.Done()
		f()
	}()
}

// writeWaiting writes the frames, and waits for the connection for a bounded time.
func (s *socket) writeWaiting(frames [][]byte) error {
	for i, frame := range frames {
		began := time.Now()
		if err := s.wire.finish(frame, began.Add(s.server.config.WriteWithin)); err != nil {
			return errors.Join(errWrite, err)
		}
		s.countWritten(frames[i : i+1])
		if time.Since(began) > s.server.config.Slow {
			return errSlow
		}
	}
	return nil
}

// countWritten counts frames that were written, and puts off the next beat.
func (s *socket) countWritten(frames [][]byte) {
	if len(frames) == 0 {
		return
	}
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	s.server.stats.frames.Add(int64(len(frames)))
	s.server.stats.bytes.Add(int64(size))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing == nil && !s.ended {
		s.due.Store(s.server.now() + s.server.silence())
	}
}
