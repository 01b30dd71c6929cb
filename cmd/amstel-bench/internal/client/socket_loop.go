package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// backoff is the longest time after which a page reconnects when its socket has ended.
	backoff = 500 * time.Millisecond
	// calmEvery is the time between two checks whether all sockets are calm.
	calmEvery = 20 * time.Millisecond
	// openOrder is the time within which all sockets of an order must be open.
	openOrder = 2 * time.Minute
	// socketsAtOnce is how many sockets are opened at a time.
	socketsAtOnce = 64
	// readBuffer is the largest number of bytes that the loop reads at once.
	readBuffer = 256 << 10
)

// A socketLoop serves very many sockets in one goroutine. The loop shares the machine with the
// server, so it does as little as possible for each frame: it parses WebSocket frames in the buffer
// into which it read them, and uses no WebSocket library.
type socketLoop struct {
	poller *poller
	buffer []byte
	shared inflater
	last   frameInfo // of the previous frame

	address netip.AddrPort // of the site
	sockets []*socket      // by number
	byFD    []*socket      // by file descriptor
	opening int            // how many sockets are being opened
	waiting []*socket      // sockets to open, the first one first
	laters  []*socket      // sockets in the state later
	atOnce  int            // how many sockets are opened at a time
	random  *rand.Rand

	reader     frameReader
	lastChange time.Time // when a followed page last got a frame other than a beat, or sockets were cut or reopened

	// seen[mark][number] is when the socket with that number was shown that mark, in nanoseconds since
	// 1970; 0: never.
	seen       [][]int64
	wire, text int // the lengths of the newest frame that showed a new mark, packed and unpacked

	pending *pendingOrder // the order that is being carried out; nil: none
	until   time.Time     // when that order is given up
}

// A pendingOrder is an order for the loop, from when it was read until it is answered.
type pendingOrder struct {
	Order
	pages  []*loadedPage // the order's pages
	answer chan Outcome
}

// serveSockets runs a socket loop: it reads orders from one stream and writes answers to the
// other, until the first stream ends.
func serveSockets(ctx context.Context, from *json.Decoder, to *json.Encoder) error {
	poll, err := newPoller()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &socketLoop{poller: poll, buffer: make([]byte, readBuffer), random: rand.New(rand.NewPCG(9, 10))}
	orders := make(chan *pendingOrder, 1)
	ended := make(chan error, 1)
	var wg sync.WaitGroup
	wg.Go(func() { ended <- s.run(ctx, orders) })
	stop := context.AfterFunc(ctx, poll.ring)
	defer func() {
		cancel()
		wg.Wait()
		stop()
		_ = poll.close() // an error would not matter any more
	}()
	for {
		var o Order
		if err := from.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("reading an order to the sockets: %w", err)
		}
		e := &pendingOrder{Order: o, answer: make(chan Outcome, 1)}
		var result Outcome
		if e.pages, err = loadPages(ctx, o); err != nil {
			result.Error = err.Error()
		} else {
			orders <- e
			poll.ring()
			select {
			case result = <-e.answer:
			case err := <-ended:
				return fmt.Errorf("sockets: %w", err)
			}
		}
		if err := to.Encode(result); err != nil {
			return err
		}
	}
}

// run serves sockets, and carries out one order after the other, until the context ends.
func (s *socketLoop) run(ctx context.Context, orders <-chan *pendingOrder) error {
	defer func() {
		for _, k := range s.sockets {
			s.drop(k, true)
		}
	}()
	for ctx.Err() == nil {
		if s.pending == nil {
			select {
			case s.pending = <-orders:
				s.until = time.Now().Add(s.pending.Within)
				if err := s.begin(s.pending); err != nil {
					return err
				}
			default:
			}
		}
		s.openMore()
		limit := time.Duration(-1)
		if s.pending != nil {
			if s.done(s.pending) || !time.Now().Before(s.until) {
				s.pending.answer <- s.outcome(s.pending)
				s.pending = nil
				continue
			}
			limit = max(0, time.Until(s.until))
			if s.pending.Do == doCalm {
				limit = min(limit, calmEvery)
			}
		}
		if len(s.laters) > 0 && (limit < 0 || limit > calmEvery) {
			limit = calmEvery
		}
		if err := s.poller.wait(limit, s.ready); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// openMore begins to open sockets that wait, as long as fewer than atOnce are being opened. Before, it
// moves the sockets whose time has come from laters to waiting.
func (s *socketLoop) openMore() {
	now := time.Now()
	s.laters = slices.DeleteFunc(s.laters, func(k *socket) bool {
		if k.state == socketLater && now.Before(k.later) {
			return false
		}
		if k.state == socketLater {
			k.state = socketWaits
			s.waiting = append(s.waiting, k)
		}
		return true
	})
	for len(s.waiting) > 0 && s.opening < s.atOnce {
		k := s.waiting[0]
		s.waiting = s.waiting[1:]
		if k.state == socketWaits {
			s.dial(k)
		}
	}
}

// selected returns the sockets that an order is for: Count sockets from the number First on.
func (s *socketLoop) selected(e *pendingOrder) []*socket {
	return s.sockets[min(e.First, len(s.sockets)):min(e.First+e.Count, len(s.sockets))]
}

// begin begins to carry out an order.
func (s *socketLoop) begin(e *pendingOrder) (err error) {
	switch e.Do {
	case doOpen:
		return s.open(e)
	case DoLeave:
		for _, k := range s.selected(e) {
			if k.state == socketOpen {
				k.state = socketStuck
				err = errors.Join(err, s.poller.ignore(k.fd))
			}
		}
	case DoDrain:
		for _, k := range s.selected(e) {
			if k.state == socketStuck {
				k.state, k.drained = socketOpen, true
				err = errors.Join(err, s.poller.watch(k.fd, false))
			}
		}
	case DoClose:
		for _, k := range s.selected(e) {
			s.drop(k, false)
		}
	case DoCut:
		for _, k := range s.selected(e) {
			s.drop(k, true)
			k.state = socketCut
		}
		s.lastChange = time.Now()
		if e.Back {
			s.reconnect(e)
		}
	case DoBack:
		s.lastChange = time.Now()
		s.reconnect(e)
	}
	return err
}

// reconnect has the sockets of an order that were cut opened again, all at the same time.
func (s *socketLoop) reconnect(e *pendingOrder) {
	for _, k := range s.selected(e) {
		if k.state == socketCut {
			k.state = socketWaits
			s.waiting = append(s.waiting, k)
		}
	}
	s.atOnce = len(s.sockets)
}

// open begins to open the sockets of an order. They replace earlier sockets with the same numbers.
func (s *socketLoop) open(e *pendingOrder) error {
	host := strings.TrimPrefix(e.Site, "http://")
	var err error
	if s.address, err = netip.ParseAddrPort(host); err != nil {
		return fmt.Errorf("address of the site: %w", err)
	}
	e.Count, s.atOnce = 0, socketsAtOnce
	for _, d := range e.pages {
		for range max(1, d.Times) {
			number := e.First + e.Count
			e.Count++
			for len(s.sockets) <= number {
				s.sockets = append(s.sockets, &socket{number: len(s.sockets)})
			}
			s.drop(s.sockets[number], false)
			k := &socket{number: number, loaded: d, small: e.Small, state: socketWaits, newest: len(s.seen) - 1}
			if e.Follow {
				k.page = newFollowedPage(d)
			}
			s.sockets[number] = k
			s.waiting = append(s.waiting, k)
		}
	}
	return nil
}

// done reports whether an order is carried out.
func (s *socketLoop) done(e *pendingOrder) bool {
	switch e.Do {
	case doOpen:
		return len(s.waiting) == 0 && s.opening == 0
	case DoAwait:
		for _, k := range s.sockets {
			if k.state == socketOpen && k.newest < e.To {
				return false
			}
		}
	case DoDrain:
		for _, k := range s.selected(e) {
			if k.state == socketOpen && k.newest < e.To {
				return false
			}
		}
	case doCalm:
		return len(s.waiting) == 0 && len(s.laters) == 0 && s.opening == 0 && time.Since(s.lastChange) >= e.Calm
	}
	return true
}

// outcome returns the outcome of an order that is finished.
func (s *socketLoop) outcome(e *pendingOrder) Outcome {
	o := Outcome{Wire: s.wire, Text: s.text}
	for _, k := range s.sockets {
		switch k.state {
		case socketOpen:
			o.Open++
		case socketEnded:
			if k.drained {
				continue
			}
			if o.Ended++; o.Why == "" {
				o.Why = k.why.Error()
			}
		}
	}
	switch e.Do {
	case DoAwait:
		for mark := e.From; mark <= e.To; mark++ {
			if mark < len(s.seen) {
				// The loop goes on recording while the answer is written, hence the copy.
				o.Seen = append(o.Seen, slices.Clone(s.seen[mark]))
			} else {
				o.Seen = append(o.Seen, nil)
			}
		}
	case DoCut, DoBack:
		o.At = s.lastChange.UnixNano()
	case doShown:
		for _, k := range s.sockets {
			if p := k.page; p != nil {
				o.Pages = append(o.Pages, PageState{p.shown(), p.right.UnixNano(), p.again, p.twice, k.retries, p.wrong})
			}
		}
	case DoDrain:
		for _, k := range s.selected(e) {
			if k.drained && k.state == socketEnded {
				o.Closed++
			} else if k.merged {
				o.Merged++
			}
		}
	}
	return o
}
