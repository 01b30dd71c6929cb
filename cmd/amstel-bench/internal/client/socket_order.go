package client

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// The orders to the sockets. An order is answered when it has been carried out, or after Within. Orders
// for some sockets are for Count sockets from the number First on.
const (
	// doOpen opens sockets for pages. They get the numbers from First on.
	doOpen = "open"
	// DoAwait waits until all open sockets were shown the mark To. Seen then has the time at which
	// each socket was shown each mark from From to To.
	DoAwait = "await"
	// DoLeave stops reading some sockets, so that they get stuck.
	DoLeave = "leave"
	// DoDrain reads stuck sockets again, until each was shown the mark To or has ended. Merged and
	// Closed then say how many had fallen behind, and how many the server had closed.
	DoDrain = "drain"
	// DoClose closes some sockets.
	DoClose = "close"
	// DoCut cuts some sockets, as when a network fails; At has the time. If Back is set, all of them
	// reconnect at once.
	DoCut = "cut"
	// DoBack reconnects sockets that were cut; At has the time.
	DoBack = "back"
	// doCalm waits until all sockets are open and no followed page got a change for the time Calm.
	doCalm = "calm"
	// doShown returns the states of the followed pages, in Pages.
	doShown = "shown"
)

// An Order tells the sockets what to do. Each kind of order uses some of the fields.
type Order struct {
	Do           string // the kind of order
	Site         string // doOpen: the site's address
	Pages        []Page // doOpen
	Small        bool   // doOpen: the sockets have small buffers
	Follow       bool   // doOpen: the pages are followed, see [FollowedPages]
	Back         bool   // DoCut
	Calm         time.Duration
	First, Count int           // which sockets
	From, To     int           // which marks
	Within       time.Duration // after this time the order is answered even if it is not carried out
}

// An Outcome is the answer to an order. Times are in nanoseconds since 1970.
type Outcome struct {
	Error  string
	Open   int       // the number of open sockets
	Ended  int       // the number of sockets that ended, which should not have happened
	Why    string    // why the first of these ended
	Seen   [][]int64 // Seen[i][number]: when that socket was shown the mark From+i; 0: never
	Wire   int       // bytes of the newest frame that showed a mark, as sent
	Text   int       // bytes of the same frame, unpacked
	Merged int       // the number of drained sockets for which the server had merged changes
	Closed int       // the number of drained sockets that the server had closed
	At     int64     // when the sockets were cut, or began to reconnect
	Pages  []PageState
}

// A PageState is what a followed page shows, and how it came to show it.
type PageState struct {
	Shown   []Entry // from the top down
	Right   int64   // when the page last applied a frame, in nanoseconds since 1970
	Again   int     // how often the page subscribed again on an open socket
	Twice   int     // how many patches had only changes that the page already knew
	Retries int     // how often the page's socket ended
	Wrong   string  // a fault that must never happen; empty: none
}

// Sockets are very many sockets, in a process of their own. The socket loop ([socketLoop]) serves them.
type Sockets struct{ *Process }

// StartSockets starts a process of sockets, as [Start] does.
func StartSockets(ctx context.Context, command func(context.Context) *exec.Cmd) (*Sockets, error) {
	from, err := Start(ctx, command, partSockets)
	return &Sockets{from}, err
}

// Do has an order carried out, and returns the outcome. Without Within it waits for lastFrameWithin.
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

// Open opens a socket for each page, or as many as the page's Times says. The sockets get the numbers
// from first on. It is an error if not all of them open.
func (s *Sockets) Open(site string, first int, small bool, pages ...Page) error {
	return s.opened(Order{Do: doOpen, Site: site, First: first, Small: small, Pages: pages})
}

// Follow opens a socket for each page, from the number 0 on, and has the pages followed.
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
