package realtime

import (
	"errors"
	"time"

	"amstel.dev/amstel/river"
)

// task is what there is to do for a socket next.
type task int

const (
	taskNone  task = iota
	taskClose      // say why, and close
	taskSub        // answer a sub
	taskLook       // write what changed, if anything did
	taskTell       // say how things stand with the node
	taskBeat       // say that all is well
)

// A hand is who does the work for sockets: one of a round's, that goes from one
// to the next and may wait for none, or a socket's own.
type hand struct {
	attempt attempt
	own     bool // it may wait for this socket
	light   bool // it composes nothing, but leaves that to one of the socket's own
	last    memo
}

// letter is what is written to a socket at once.
type letter struct {
	frames [6][]byte
	n      int
}

func (l *letter) add(frame []byte) {
	if frame != nil {
		l.frames[l.n] = frame
		l.n++
	}
}

// begin does what there is to do, unless somebody does already.
func (s *socket) begin(by *hand) {
	s.mu.Lock()
	if !s.idle() {
		s.mu.Unlock()
		return
	}
	s.writing = true
	s.mu.Unlock()
	s.work(by)
}

// idle says whether there is something to do that nobody does; s.mu is held.
func (s *socket) idle() bool {
	return !s.writing && !s.ended && s.conn != nil && s.next() != taskNone
}

// wake tells the socket that its river changed, as of a turn of its hub, and has
// that hand write it, unless nobody looks at the page.
func (s *socket) wake(turn uint64, unseen bool, by *hand) (hidden bool) {
	s.mu.Lock()
	if s.hidden != unseen {
		s.mu.Unlock()
		return !unseen
	}
	s.want = max(s.want, turn)
	if !s.idle() {
		s.mu.Unlock()
		return unseen
	}
	s.writing = true
	s.mu.Unlock()
	s.work(by)
	return unseen
}

// next is what there is to do; s.mu is held.
func (s *socket) next() task {
	switch {
	case s.ended || s.said:
		return taskNone
	case s.closing != nil:
		return taskClose
	case s.sub != nil:
		return taskSub
	case s.hub == nil || s.place == nil:
		return taskNone
	case s.seen < s.want:
		return taskLook
	case s.pace != s.hub.pace.Load() || s.behind != s.server.behind.Load():
		return taskTell
	case s.beatDue:
		return taskBeat
	}
	return taskNone
}

// work does what there is to do until there is nothing more; s.writing is set.
func (s *socket) work(by *hand) {
	for {
		s.mu.Lock()
		next := s.next()
		if next == taskNone {
			s.writing = false
			s.mu.Unlock()
			return
		}
		if by.light && (next == taskSub || next == taskLook) {
			s.mu.Unlock()
			s.detach(func() { s.work(&hand{own: true}) })
			return
		}
		h, asked, why := s.hub, s.sub, s.closing
		switch next {
		case taskClose:
			s.said = true
		case taskSub:
			s.sub = nil
		}
		if next == taskSub || next == taskLook { // what changes from here on wakes the socket again
			if next == taskLook && !s.hidden && s.want > s.seen+1 {
				s.server.stats.merged.Add(1)
			}
			s.seen = max(s.want, h.newest())
		}
		s.beatDue = false
		s.mu.Unlock()

		var mail letter
		var err error
		switch next {
		case taskClose:
			s.farewell(*why, &mail)
		case taskSub:
			err = s.renewing(h, func(w Watch) error { return s.greet(h, w, asked, &mail) })
		case taskLook:
			err = s.follow(h, by, &mail)
		case taskTell:
			s.tell(h, &mail)
		case taskBeat:
			mail.add(framed(opText, encodeBeat(s.place.counter)))
		}
		if err == nil {
			var done bool
			if done, err = s.send(h, &mail, by); !done {
				return // to one of the socket's own
			}
		}
		s.failed(h, err)
	}
}

// failed has the socket end as an error wants it.
func (s *socket) failed(h *hub, err error) {
	switch {
	case err == nil, errors.Is(err, errOver):
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

// renewing does f with the hub's open river, again where that one ended.
func (s *socket) renewing(h *hub, f func(w Watch) error) error {
	for range 5 {
		w := h.current()
		err := f(w)
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
func (s *socket) greet(h *hub, w Watch, asked *sub, mail *letter) error {
	g, err := h.greet(w, asked.as, asked.resume)
	h.rest()
	if err != nil {
		return err
	}
	s.place, s.pace, s.behind, s.present = g.then, g.pace, g.behind, g.present
	if g.unread != nil {
		s.unread = *g.unread
	}
	mail.add(framed(opText, g.hello))
	s.enclose(g.body, mail)
	s.server.stats.subs.Add(1)
	return nil
}

// follow writes what has changed for the page since it was last written to. A
// river that was made anew, or does not know any more what has changed since, is
// written whole.
func (s *socket) follow(h *hub, by *hand, mail *letter) error {
	if f := by.last.frame(s.place); f != nil {
		s.move(f, mail)
	} else if err := s.renewing(h, func(w Watch) error {
		f, err := h.missed(w, s.place)
		if err != nil {
			return err
		}
		by.last = memo{w, s.place, f}
		s.move(f, mail)
		return nil
	}); err != nil {
		return err
	}
	s.tell(h, mail)
	return nil
}

// move takes a frame's body and goes where that leads. The place moves first: a
// frame that can't be written is the socket's last.
func (s *socket) move(f *frame, mail *letter) {
	if f.then != nil {
		s.place = f.then
	}
	s.enclose(f.body, mail)
}

func (s *socket) enclose(b *body, mail *letter) {
	if b == nil {
		return
	}
	frame, shared := b.frame(&s.server.packers)
	if shared {
		s.server.stats.shared.Add(1)
	}
	if frame[0] == opBinary {
		s.server.stats.compressed.Add(1)
	}
	mail.add(frame)
}

// tell adds what the page was last told otherwise: how far apart its frames are,
// whether the node is behind, how many are there, and how many notices are unread.
func (s *socket) tell(h *hub, mail *letter) {
	if pace := h.pace.Load(); pace != s.pace {
		s.pace = pace
		mail.add(framed(opText, encodePace(pace)))
	}
	if behind := s.server.behind.Load(); behind != s.behind {
		s.behind = behind
		mail.add(framed(opText, encodeBehind(behind)))
	}
	if present, known := h.present(h.current()); known && present != s.present {
		s.present = present
		mail.add(framed(opText, encodePresent(present)))
	}
	if s.viewer == 0 {
		return
	}
	if unread, known := h.current().Unread(); known && unread != s.unread {
		s.unread = unread
		mail.add(framed(opText, encodeUnread(unread)))
	}
}

// farewell says why the connection ends; before a restart the page is told over
// which time to come back. The reader sees the client's answer, and the keeper
// that there is none.
func (s *socket) farewell(why closure, mail *letter) {
	if why.code == CodeRestart {
		mail.add(framed(opText, encodeBye(s.server.config.ByeWithin)))
	}
	mail.add(closing(why.code, why.reason))
}

var (
	// errOver says that a closing frame was written, and nothing may follow.
	errOver = errors.New("closed")
	// errWrite says that a frame could not be written: the connection is of no use.
	errWrite = errors.New("write")
	// errSlow says that a frame was written, but took too long.
	errSlow = errors.New("slow")
)

// send writes the frames. Where that would have to wait, a goroutine of the
// socket's own goes on with it: it is not done then.
func (s *socket) send(h *hub, mail *letter, by *hand) (done bool, err error) {
	frames := mail.frames[:mail.n]
	if by.own {
		return true, s.post(frames)
	}
	for i, frame := range frames {
		rest, err := s.wire.try(frame, &by.attempt)
		if err != nil {
			return true, errors.Join(errWrite, err)
		}
		if len(rest) == 0 {
			continue
		}
		left := &letter{}
		left.add(rest)
		for _, frame := range frames[i+1:] {
			left.add(frame)
		}
		s.count(frames[:i])
		s.detach(func() {
			s.failed(h, s.post(left.frames[:left.n]))
			s.work(&hand{own: true})
		})
		return false, nil
	}
	s.count(frames)
	return true, nil
}

// detach runs f in a goroutine that the server waits for. A socket that has ended
// may be the server's last, for whose end [Server.Close] waits already: no
// goroutine may be added to those any more, so f runs before detach returns, and
// finds the connection closed.
func (s *socket) detach(f func()) {
	s.mu.Lock()
	ended := s.ended
	if !ended {
		s.server.wg.Add(1) // the socket itself still counts: end takes the same lock
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

// post writes the frames, within a time.
func (s *socket) post(frames [][]byte) error {
	for i, frame := range frames {
		began := time.Now()
		if err := s.wire.finish(frame, began.Add(s.server.config.WriteWithin)); err != nil {
			return errors.Join(errWrite, err)
		}
		s.count(frames[i : i+1])
		if time.Since(began) > s.server.config.Slow {
			return errSlow
		}
	}
	return nil
}

// count notes frames that were written: the page's next beat is far off.
func (s *socket) count(frames [][]byte) {
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
