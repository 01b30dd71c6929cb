package client

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// The orders to the sockets. Each is answered when it is carried out.
const (
	// doOpen opens sockets for pages, the first of which has the number First.
	doOpen = "open"
	// DoAwait waits until the sockets that are read were shown the mark To, and
	// tells when which of them was shown each mark from From on.
	DoAwait = "await"
	// DoLeave stops to read Count sockets from First on.
	DoLeave = "leave"
	// DoDrain reads sockets that were left until they have shown the mark To or
	// end, and tells how many were behind or closed.
	DoDrain = "drain"
	// DoClose closes Count sockets from First on.
	DoClose = "close"
	// DoCut cuts Count sockets from First on, as when a network goes, and tells
	// when; with Back they come back at once, all together.
	DoCut = "cut"
	// DoBack reconnects the cut sockets; the outcome has the time.
	DoBack = "back"
	// doCalm waits until all sockets are open and nothing came to them for Calm.
	doCalm = "calm"
	// doShown returns the states of the followed pages.
	doShown = "shown"
)

// An Order tells the sockets what to do.
type Order struct {
	Do           string
	Site         string // open
	Pages        []Page
	Small        bool // open: with small buffers
	Follow       bool // open: note all that the pages show
	Back         bool
	Calm         time.Duration
	First, Count int
	From, To     int           // marks
	Within       time.Duration // the time after which all of the order is given up
}

// An Outcome is the answer to an order.
type Outcome struct {
	Error  string
	Open   int       // sockets that are
	Ended  int       // that ended and should not have
	Why    string    // the first of them
	Seen   [][]int64 // for each mark, when each socket was shown it; 0: never
	Wire   int       // bytes of the newest frame that showed a mark
	Text   int       // and of the text
	Merged int       // drained sockets that were behind
	Closed int       // drained sockets that had been closed
	At     int64     // when sockets were cut, or began to come back
	Pages  []PageState
}

// A PageState is the list of entries that a followed page shows.
type PageState struct {
	Shown   []Entry
	Right   int64  // since when, in nanoseconds since 1970
	Again   int    // how often it subscribed anew on a socket
	Twice   int    // how often a socket was sent something it already had
	Retries int    // how often its socket ended
	Wrong   string // what must never happen
}

// Sockets are very many sockets in a process of their own.
type Sockets struct{ *Process }

// StartSockets starts a process of sockets.
func StartSockets(ctx context.Context, command func(context.Context) *exec.Cmd) (*Sockets, error) {
	from, err := Start(ctx, command, partSockets)
	return &Sockets{from}, err
}

// Do carries out an order and returns the outcome.
func (s *Sockets) Do(o Order) (Outcome, error) {
	if o.Within == 0 {
		o.Within = lastFrameWithin
	}
	if err := s.to.Encode(o); err != nil {
		return Outcome{}, fmt.Errorf("process of the open pages: %w", err)
	}
	var result Outcome
	if err := s.from.Decode(&result); err != nil {
		return Outcome{}, fmt.Errorf("process of the open pages: %w", err)
	}
	if result.Error != "" {
		return result, errors.New(result.Error)
	}
	return result, nil
}

// Open opens sockets, and fails if not all of them open.
func (s *Sockets) Open(site string, first int, small bool, pages ...Page) error {
	return s.opened(Order{Do: doOpen, Site: site, First: first, Small: small, Pages: pages})
}

// Follow opens a socket for each page, and has the pages followed.
func (s *Sockets) Follow(site string, pages []Page) error {
	return s.opened(Order{Do: doOpen, Site: site, Follow: true, Pages: pages})
}

func (s *Sockets) opened(o Order) error {
	o.Within = openOrder
	result, err := s.Do(o)
	if err != nil {
		return err
	}
	if result.Ended > 0 {
		return fmt.Errorf("%d sockets did not open or ended, the first: %s", result.Ended, result.Why)
	}
	want := 0
	for _, p := range o.Pages {
		want += max(1, p.Times)
	}
	if result.Open < want {
		return fmt.Errorf("%d of %d sockets are open after %v", result.Open, want, openOrder)
	}
	return nil
}
