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
	// backoff is the longest time until a page reconnects after its socket ended.
	backoff = 500 * time.Millisecond
	// calmEvery is how often it is looked whether all is calm.
	calmEvery = 20 * time.Millisecond
	// openOrder is how long sockets may take to open.
	openOrder = 2 * time.Minute
	// socketsAtOnce is how many sockets are opened at a time.
	socketsAtOnce = 64
	// readBuffer is the number of bytes that one read requests.
	readBuffer = 256 << 10
)

// A socketLoop serves very many sockets in one goroutine. The loop shares the machine with the
// server, so it does as little as possible for each frame: it reads WebSocket frames in the buffer
// of their arrival, and does not use the sockets of package client.
type socketLoop struct {
	poller *poller
	buffer []byte
	shared inflater
	last   frameInfo // at the frame before

	address netip.AddrPort
	sockets []*socket
	byFD    []*socket
	opening int // sockets that are being opened
	waiting []*socket
	laters  []*socket // sockets to come back to in a moment
	atOnce  int       // how many are opened at a time
	random  *rand.Rand

	reader     frameReader
	lastChange time.Time // when a page was last told something

	seen       [][]int64 // mark by mark, by the sockets' numbers
	wire, text int

	pending *pendingOrder // what is being done
	until   time.Time
}

// A pendingOrder is an order that the loop has begun and not finished.
type pendingOrder struct {
	Order
	pages  []*loadedPage
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
		_ = poll.close() // nothing is waited for any more
	}()
	for {
		var o Order
		if err := from.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("what the sockets are to do: %w", err)
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

// run serves sockets and orders until the context ends.
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

// openMore opens some of the sockets that orders ask for, a few at a time.
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

// selected returns the sockets that an order is about.
func (s *socketLoop) selected(e *pendingOrder) []*socket {
	return s.sockets[min(e.First, len(s.sockets)):min(e.First+e.Count, len(s.sockets))]
}

// begin begins to carry an order out.
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

// reconnect connects the sockets that were cut again, all at once.
func (s *socketLoop) reconnect(e *pendingOrder) {
	for _, k := range s.selected(e) {
		if k.state == socketCut {
			k.state = socketWaits
			s.waiting = append(s.waiting, k)
		}
	}
	s.atOnce = len(s.sockets)
}

// open begins to open sockets. They replace open sockets with the same numbers.
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
				o.Seen = append(o.Seen, slices.Clone(s.seen[mark])) // late frames are noted while the answer is written
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
