package client

import (
	"fmt"
	"io"
	"time"
)

// socketState is a state of a socket. A socket that is opened passes through waits, dials, upgrades and
// subscribes to open.
type socketState int

const (
	socketNone       socketState = iota // closed
	socketWaits                         // waits for its turn to be opened
	socketDials                         // the connection is being made
	socketUpgrades                      // the request for the upgrade was sent
	socketSubscribes                    // the server accepted the upgrade, and the page subscribed
	socketOpen                          // the first frame came
	socketStuck                         // the loop has stopped reading the socket
	socketCut                           // cut by an order, until an order opens it again
	socketLater                         // ended, and waits for a moment before it is opened again
	socketEnded                         // ended, which should not have happened
)

// A socket is one of very many sockets: a few hundred bytes, and no goroutine.
type socket struct {
	number int
	loaded *loadedPage
	small  bool // the connection has small buffers
	state  socketState
	fd     int    // 0: there is no connection
	part   []byte // the beginning of a frame whose rest has not arrived
	newest int    // the newest mark that the socket was shown; -1: none
	why    error  // why the socket ended

	drained bool // the socket was stuck, and is now read until its end
	merged  bool // the server merged several changes into one frame while the socket was stuck

	page    *followedPage // nil: the page is not followed
	later   time.Time     // in the state later: when to open the socket again
	retries int           // how often the socket ended and had to be opened again
}

// underWay reports whether a socket is being opened.
func (k *socket) underWay() bool {
	return k.state == socketDials || k.state == socketUpgrades || k.state == socketSubscribes
}

// dial begins to open a socket.
func (s *socketLoop) dial(k *socket) {
	fd, err := dial(s.address, k.small)
	if err == nil {
		if err = s.poller.watch(fd, true); err != nil {
			hangUp(fd, false)
		}
	}
	if err != nil {
		s.end(k, err)
		return
	}
	k.fd, k.state, k.part = fd, socketDials, nil
	for len(s.byFD) <= fd {
		s.byFD = append(s.byFD, nil)
	}
	s.byFD[fd] = k
	s.opening++
}

// drop closes the socket's connection, if there is one.
func (s *socketLoop) drop(k *socket, abruptly bool) {
	if k.fd != 0 {
		if k.underWay() {
			s.opening--
		}
		s.byFD[k.fd] = nil
		hangUp(k.fd, abruptly) // removes the socket from the poller too
	}
	k.fd, k.part, k.state = 0, nil, socketNone
}

// end handles the end of a socket that should have stayed open. A followed page reconnects, as
// a browser's page does.
func (s *socketLoop) end(k *socket, why error) {
	s.drop(k, false)
	k.why = why
	if k.page != nil {
		k.state, k.later = socketLater, time.Now().Add(time.Duration(s.random.Float64()*float64(backoff)))
		k.retries++
		s.laters = append(s.laters, k)
		return
	}
	k.state, k.why = socketEnded, fmt.Errorf("socket %d: %w", k.number, why)
}

// ready is called when a connection was made, or has bytes to read, or has ended.
func (s *socketLoop) ready(fd int) {
	if fd >= len(s.byFD) || s.byFD[fd] == nil {
		return // the connection was closed meanwhile
	}
	k := s.byFD[fd]
	if k.state == socketDials {
		err := connected(fd)
		if err == nil {
			err = send(fd, k.loaded.upgrade)
		}
		if err == nil {
			err = s.poller.reads(fd)
		}
		if err != nil {
			s.end(k, err)
			return
		}
		k.state = socketUpgrades
	}
	n, ok, err := receive(fd, s.buffer)
	at := time.Now()
	switch {
	case err != nil:
		s.end(k, err)
	case ok && n == 0:
		s.end(k, io.EOF)
	case ok:
		s.handleInput(k, s.buffer[:n], at)
	}
}

// handleInput handles the frames in bytes that arrived. It keeps an incomplete frame until its rest
// arrives.
func (s *socketLoop) handleInput(k *socket, came []byte, at time.Time) {
	kept := len(k.part) > 0
	if kept {
		k.part = append(k.part, came...)
		came = k.part
	}
	rest, err := s.read(k, came, at)
	switch {
	case err != nil:
		s.end(k, err)
	case k.fd == 0:
	case len(rest) == 0:
		k.part = nil
	case !kept || len(rest) < len(came):
		k.part = append([]byte(nil), rest...)
	}
}

// read handles the frames in the bytes that arrived, and returns the bytes after the last
// whole frame.
func (s *socketLoop) read(k *socket, came []byte, at time.Time) (rest []byte, err error) {
	if k.state == socketUpgrades {
		size, err := upgraded(came)
		if err != nil || size == 0 {
			return came, err
		}
		came = came[size:]
		sub := k.loaded.sub
		if k.page != nil {
			sub = k.page.sub()
		}
		if err := send(k.fd, sub); err != nil {
			return nil, err
		}
		k.state = socketSubscribes
	}
	for k.fd != 0 {
		f, size, err := nextFrame(came)
		if err != nil || size == 0 {
			return came, err
		}
		came = came[size:]
		switch f.op {
		case opText, opBinary:
			err = s.message(k, f, at)
		case opPing:
			err = send(k.fd, masked(opPong, f.payload, maskKey))
		case opClose:
			code, reason := closeReason(f.payload)
			err = fmt.Errorf("closed with %d %s", code, reason)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// message handles a frame with text. It records which marks the frame shows and when it arrived, or
// applies the frame to a followed page.
func (s *socketLoop) message(k *socket, f wireFrame, at time.Time) error {
	if k.state == socketSubscribes {
		k.state = socketOpen
		s.opening--
	}
	if k.page != nil {
		return s.follow(k, f, at)
	}
	m, err := s.inspect(f)
	if err != nil {
		return err
	}
	if m.mark > k.newest {
		s.noteMark(k, m, at)
	}
	return nil
}

// follow applies a frame to a followed page.
func (s *socketLoop) follow(k *socket, f wireFrame, at time.Time) error {
	frame, err := s.reader.read(f.payload, func() ([]byte, error) {
		if f.op == opBinary {
			return s.shared.inflate(f.payload)
		}
		return f.payload, nil
	})
	if err != nil {
		return err
	}
	if frame.Type != "beat" {
		s.lastChange = at
	}
	if k.page.applyFrame(frame, at) {
		return send(k.fd, k.page.sub())
	}
	return nil
}

// A frameInfo is what the loop needs to know of a frame.
type frameInfo struct {
	payload    []byte // as it arrived
	mark       int    // the newest mark in the frame; -1: none
	wire, text int    // the lengths of the payload and of the unpacked text, in bytes
}

// inspect reads a frame. Most frames equal the previous frame, which another socket was sent; then it
// returns the same result again.
func (s *socketLoop) inspect(f wireFrame) (frameInfo, error) {
	if string(f.payload) == string(s.last.payload) {
		return s.last, nil
	}
	text := f.payload
	if f.op == opBinary {
		var err error
		if text, err = s.shared.inflate(f.payload); err != nil {
			return frameInfo{}, fmt.Errorf("a packed frame: %w", err)
		}
	}
	s.last = frameInfo{append(s.last.payload[:0], f.payload...), newestMark(text), len(f.payload), len(text)}
	return s.last, nil
}

// noteMark records when the socket was shown the marks that are new to it. A frame that shows a mark
// also shows all earlier ones.
func (s *socketLoop) noteMark(k *socket, m frameInfo, at time.Time) {
	for len(s.seen) <= m.mark {
		s.seen = append(s.seen, make([]int64, len(s.sockets)))
	}
	if k.drained && m.mark-max(k.newest, s.pending.From-1) > 1 {
		k.merged = true
	}
	for mark := k.newest + 1; mark <= m.mark; mark++ {
		for len(s.seen[mark]) < len(s.sockets) {
			s.seen[mark] = append(s.seen[mark], 0)
		}
		s.seen[mark][k.number] = at.UnixNano()
	}
	k.newest = m.mark
	s.wire, s.text = m.wire, m.text
}
