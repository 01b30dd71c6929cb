package bench

import (
	"fmt"
	"io"
	"time"
)

// sockState is how far a socket has come.
type sockState int

const (
	sockNone     sockState = iota // it is not to be opened
	sockWaits                     // it is to be opened
	sockDials                     // the connection is being made
	sockUpgrades                  // the upgrade was asked for
	sockSubs                      // the sub was sent
	sockOpen                      // the page is told what is new
	sockStuck                     // nobody reads it any more
	sockCut                       // it was cut, and is to be opened when that is said
	sockLater                     // it is to be opened again in a moment
	sockEnded                     // it ended, and should not have
)

// A sock is one of very many sockets: a few hundred bytes, and no goroutine.
type sock struct {
	number int
	door   *door
	small  bool // its buffers are
	state  sockState
	fd     int
	part   []byte // of what came, until it is whole
	newest int    // of the marks that it was shown
	why    error  // it ended

	drained bool // it was stuck, and is read to the end
	merged  bool // what was new for it while it was stuck came as one

	page    *livePage // what it shows, where that is followed
	later   time.Time // when it is to be opened again
	retries int       // how often it was, for the server's sake
}

// underWay says whether a socket is being opened.
func (k *sock) underWay() bool {
	return k.state == sockDials || k.state == sockUpgrades || k.state == sockSubs
}

// dial begins to open a socket.
func (s *swarm) dial(k *sock) {
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
	k.fd, k.state, k.part = fd, sockDials, nil
	for len(s.byFD) <= fd {
		s.byFD = append(s.byFD, nil)
	}
	s.byFD[fd] = k
	s.opening++
}

// drop hangs up.
func (s *swarm) drop(k *sock, abruptly bool) {
	if k.fd != 0 {
		if k.underWay() {
			s.opening--
		}
		s.byFD[k.fd] = nil
		hangUp(k.fd, abruptly) // which takes it from the poller, too
	}
	k.fd, k.part, k.state = 0, nil, sockNone
}

// end is the end of a socket that should not have ended. The page of one that is
// followed comes back, as a browser's does.
func (s *swarm) end(k *sock, why error) {
	s.drop(k, false)
	k.why = why
	if k.page != nil {
		k.state, k.later = sockLater, time.Now().Add(time.Duration(s.random.Float64()*float64(backoff)))
		k.retries++
		s.laters = append(s.laters, k)
		return
	}
	k.state, k.why = sockEnded, fmt.Errorf("socket %d: %w", k.number, why)
}

// ready is called when there is something to do for a connection.
func (s *swarm) ready(fd int) {
	if fd >= len(s.byFD) || s.byFD[fd] == nil {
		return // it was closed meanwhile
	}
	k := s.byFD[fd]
	if k.state == sockDials {
		err := connected(fd)
		if err == nil {
			err = send(fd, k.door.upgrade)
		}
		if err == nil {
			err = s.poller.reads(fd)
		}
		if err != nil {
			s.end(k, err)
			return
		}
		k.state = sockUpgrades
	}
	n, ok, err := receive(fd, s.buffer)
	at := time.Now()
	switch {
	case err != nil:
		s.end(k, err)
	case ok && n == 0:
		s.end(k, io.EOF)
	case ok:
		s.take(k, s.buffer[:n], at)
	}
}

// take reads what came. What is not whole yet is kept until it is.
func (s *swarm) take(k *sock, came []byte, at time.Time) {
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

// read takes one frame after the other, and answers what is left.
func (s *swarm) read(k *sock, came []byte, at time.Time) (rest []byte, err error) {
	if k.state == sockUpgrades {
		size, err := upgraded(came)
		if err != nil || size == 0 {
			return came, err
		}
		came = came[size:]
		sub := k.door.sub
		if k.page != nil {
			sub = k.page.sub(k.door)
		}
		if err := send(k.fd, sub); err != nil {
			return nil, err
		}
		k.state = sockSubs
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

// message notes what a frame shows, and when it did.
func (s *swarm) message(k *sock, f wireFrame, at time.Time) error {
	if k.state == sockSubs {
		k.state = sockOpen
		s.opening--
	}
	if k.page != nil {
		return s.follow(k, f, at)
	}
	m, err := s.glance(f)
	if err != nil {
		return err
	}
	if m.mark > k.newest {
		s.saw(k, m, at)
	}
	return nil
}

// follow has a page do what a frame says.
func (s *swarm) follow(k *sock, f wireFrame, at time.Time) error {
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
		s.stirred = at
	}
	if k.page.take(frame, at) {
		return send(k.fd, k.page.sub(k.door))
	}
	return nil
}

// A glance is what there is to see in a frame.
type glance struct {
	payload    []byte // as it came
	mark       int    // the newest; -1: none
	wire, text int    // its bytes, and those of what it says
}

// glance looks at a frame. Most are the same as the one before.
func (s *swarm) glance(f wireFrame) (glance, error) {
	if string(f.payload) == string(s.last.payload) {
		return s.last, nil
	}
	text := f.payload
	if f.op == opBinary {
		var err error
		if text, err = s.shared.inflate(f.payload); err != nil {
			return glance{}, fmt.Errorf("a packed frame: %w", err)
		}
	}
	s.last = glance{append(s.last.payload[:0], f.payload...), marked(text), len(f.payload), len(text)}
	return s.last, nil
}

// saw notes when a socket was first shown each mark.
func (s *swarm) saw(k *sock, m glance, at time.Time) {
	for len(s.seen) <= m.mark {
		s.seen = append(s.seen, make([]int64, len(s.socks)))
	}
	if k.drained && m.mark-max(k.newest, s.under.From-1) > 1 {
		k.merged = true
	}
	for mark := k.newest + 1; mark <= m.mark; mark++ {
		for len(s.seen[mark]) < len(s.socks) {
			s.seen[mark] = append(s.seen[mark], 0)
		}
		s.seen[mark][k.number] = at.UnixNano()
	}
	k.newest = m.mark
	s.wire, s.text = m.wire, m.text
}
