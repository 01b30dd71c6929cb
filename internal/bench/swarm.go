package bench

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
	// backoff is the time within which a page comes back whose socket ended.
	backoff = 500 * time.Millisecond
	// calmEvery is how often it is looked whether all is calm.
	calmEvery = 20 * time.Millisecond
	// openOrder is how long sockets may take to open.
	openOrder = 2 * time.Minute
	// swarmAtOnce is how many sockets are opened at a time.
	swarmAtOnce = 64
	// swarmBuffer is what is read at a time.
	swarmBuffer = 256 << 10
)

// A swarm is very many sockets. One goroutine has all of it; it spends what it
// must on each frame and no more, as it shares the machine with the server.
type swarm struct {
	poller *poller
	buffer []byte
	shared inflater
	last   glance // at the frame before

	address netip.AddrPort
	socks   []*sock
	byFD    []*sock
	opening int // sockets that are being opened
	waiting []*sock
	laters  []*sock // those that are to come back in a moment
	atOnce  int     // how many are opened at a time
	random  *rand.Rand

	reader  frameReader
	stirred time.Time // when a page was last told something

	seen       [][]int64 // mark by mark, by the sockets' numbers
	wire, text int

	under *errand // what is being done
	until time.Time
}

// An errand is an order with what it takes to carry it out.
type errand struct {
	order
	doors  []*door
	answer chan outcome
}

// swarming is the part of the bench that is a swarm: it takes orders from one
// stream and answers on the other, until the first ends.
func swarming(ctx context.Context, from *json.Decoder, to *json.Encoder) error {
	poll, err := newPoller()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &swarm{poller: poll, buffer: make([]byte, swarmBuffer), random: rand.New(rand.NewPCG(9, 10))}
	errands := make(chan *errand, 1)
	ended := make(chan error, 1)
	var wg sync.WaitGroup
	wg.Go(func() { ended <- s.run(ctx, errands) })
	stop := context.AfterFunc(ctx, poll.ring)
	defer func() {
		cancel()
		wg.Wait()
		stop()
		_ = poll.close() // nothing is waited for any more
	}()
	for {
		var o order
		if err := from.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("what the swarm is to do: %w", err)
		}
		e := &errand{order: o, answer: make(chan outcome, 1)}
		var result outcome
		if e.doors, err = doors(ctx, o); err != nil {
			result.Error = err.Error()
		} else {
			errands <- e
			poll.ring()
			select {
			case result = <-e.answer:
			case err := <-ended:
				return fmt.Errorf("swarm: %w", err)
			}
		}
		if err := to.Encode(result); err != nil {
			return err
		}
	}
}

// run does what there is to do until the context ends.
func (s *swarm) run(ctx context.Context, errands <-chan *errand) error {
	defer func() {
		for _, k := range s.socks {
			s.drop(k, true)
		}
	}()
	for ctx.Err() == nil {
		if s.under == nil {
			select {
			case s.under = <-errands:
				s.until = time.Now().Add(s.under.Within)
				if err := s.begin(s.under); err != nil {
					return err
				}
			default:
			}
		}
		s.openMore()
		limit := time.Duration(-1)
		if s.under != nil {
			if s.done(s.under) || !time.Now().Before(s.until) {
				s.under.answer <- s.outcome(s.under)
				s.under = nil
				continue
			}
			limit = max(0, time.Until(s.until))
			if s.under.Do == doCalm {
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

// openMore opens what is to be opened, a few at a time.
func (s *swarm) openMore() {
	now := time.Now()
	s.laters = slices.DeleteFunc(s.laters, func(k *sock) bool {
		if k.state == sockLater && now.Before(k.later) {
			return false
		}
		if k.state == sockLater {
			k.state = sockWaits
			s.waiting = append(s.waiting, k)
		}
		return true
	})
	for len(s.waiting) > 0 && s.opening < s.atOnce {
		k := s.waiting[0]
		s.waiting = s.waiting[1:]
		if k.state == sockWaits {
			s.dial(k)
		}
	}
}

// those are the sockets that an errand is about.
func (s *swarm) those(e *errand) []*sock {
	return s.socks[min(e.First, len(s.socks)):min(e.First+e.Count, len(s.socks))]
}

// begin begins an errand.
func (s *swarm) begin(e *errand) (err error) {
	switch e.Do {
	case doOpen:
		return s.open(e)
	case doLeave:
		for _, k := range s.those(e) {
			if k.state == sockOpen {
				k.state = sockStuck
				err = errors.Join(err, s.poller.ignore(k.fd))
			}
		}
	case doDrain:
		for _, k := range s.those(e) {
			if k.state == sockStuck {
				k.state, k.drained = sockOpen, true
				err = errors.Join(err, s.poller.watch(k.fd, false))
			}
		}
	case doClose:
		for _, k := range s.those(e) {
			s.drop(k, false)
		}
	case doCut:
		for _, k := range s.those(e) {
			s.drop(k, true)
			k.state = sockCut
		}
		s.stirred = time.Now()
		if e.Back {
			s.back(e)
		}
	case doBack:
		s.stirred = time.Now()
		s.back(e)
	}
	return err
}

// back has sockets that were cut come back, all at once.
func (s *swarm) back(e *errand) {
	for _, k := range s.those(e) {
		if k.state == sockCut {
			k.state = sockWaits
			s.waiting = append(s.waiting, k)
		}
	}
	s.atOnce = len(s.socks)
}

// open begins to open sockets, in place of those of the same numbers.
func (s *swarm) open(e *errand) error {
	host := strings.TrimPrefix(e.Site, "http://")
	var err error
	if s.address, err = netip.ParseAddrPort(host); err != nil {
		return fmt.Errorf("address of the site: %w", err)
	}
	e.Count, s.atOnce = 0, swarmAtOnce
	for _, d := range e.doors {
		for range max(1, d.Times) {
			number := e.First + e.Count
			e.Count++
			for len(s.socks) <= number {
				s.socks = append(s.socks, &sock{number: len(s.socks)})
			}
			s.drop(s.socks[number], false)
			k := &sock{number: number, door: d, small: e.Small, state: sockWaits, newest: len(s.seen) - 1}
			if e.Follow {
				k.page = newLivePage(d)
			}
			s.socks[number] = k
			s.waiting = append(s.waiting, k)
		}
	}
	return nil
}

// done says whether an errand is.
func (s *swarm) done(e *errand) bool {
	switch e.Do {
	case doOpen:
		return len(s.waiting) == 0 && s.opening == 0
	case doAwait:
		for _, k := range s.socks {
			if k.state == sockOpen && k.newest < e.To {
				return false
			}
		}
	case doDrain:
		for _, k := range s.those(e) {
			if k.state == sockOpen && k.newest < e.To {
				return false
			}
		}
	case doCalm:
		return len(s.waiting) == 0 && len(s.laters) == 0 && s.opening == 0 && time.Since(s.stirred) >= e.Calm
	}
	return true
}

// outcome says what came of an errand.
func (s *swarm) outcome(e *errand) outcome {
	o := outcome{Wire: s.wire, Text: s.text}
	for _, k := range s.socks {
		switch k.state {
		case sockOpen:
			o.Open++
		case sockEnded:
			if k.drained {
				continue
			}
			if o.Ended++; o.Why == "" {
				o.Why = k.why.Error()
			}
		}
	}
	switch e.Do {
	case doAwait:
		for mark := e.From; mark <= e.To; mark++ {
			if mark < len(s.seen) {
				o.Seen = append(o.Seen, s.seen[mark])
			} else {
				o.Seen = append(o.Seen, nil)
			}
		}
	case doCut, doBack:
		o.At = s.stirred.UnixNano()
	case doShown:
		for _, k := range s.socks {
			if p := k.page; p != nil {
				o.Pages = append(o.Pages, pageShown{p.shown, p.right.UnixNano(), p.again, p.twice, k.retries, p.wrong})
			}
		}
	case doDrain:
		for _, k := range s.those(e) {
			if k.drained && k.state == sockEnded {
				o.Closed++
			} else if k.merged {
				o.Merged++
			}
		}
	}
	return o
}
