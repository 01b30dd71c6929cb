package bench

import "time"

// What a swarm can be told to do, each of which it answers when it is done.
const (
	// doOpen opens sockets for pages, the first of which has the number First.
	doOpen = "open"
	// doAwait waits until the sockets that are read were shown the mark To, and
	// tells when which of them was shown each mark from From on.
	doAwait = "await"
	// doLeave leaves Count sockets from First on: nobody reads them any more.
	doLeave = "leave"
	// doDrain reads sockets that were left until they have shown the mark To or
	// end, and tells how many were behind or closed.
	doDrain = "drain"
	// doClose closes Count sockets from First on.
	doClose = "close"
	// doCut cuts Count sockets from First on, as when a network goes, and tells
	// when; with Back they come back at once, all together.
	doCut = "cut"
	// doBack has those that were cut come back, and tells when.
	doBack = "back"
	// doCalm waits until all sockets are open and nothing came to them for Calm.
	doCalm = "calm"
	// doShown tells what the pages show that are followed.
	doShown = "shown"
)

// An order is what a swarm is to do.
type order struct {
	Do           string
	Site         string // open
	Pages        []openPage
	Small        bool // open: with small buffers
	Follow       bool // open: note all that the pages show
	Back         bool
	Calm         time.Duration
	First, Count int
	From, To     int           // marks
	Within       time.Duration // which all of it is given up after
}

// An outcome is what came of an order.
type outcome struct {
	Error  string
	Open   int       // sockets that are
	Ended  int       // that ended and should not have
	Why    string    // the first of them
	Seen   [][]int64 // mark by mark, when each socket was shown it; 0: it was not
	Wire   int       // bytes of the newest frame that showed a mark
	Text   int       // and of what it says
	Merged int       // drained sockets that were behind
	Closed int       // drained sockets that had been closed
	At     int64     // when sockets were cut, or began to come back
	Pages  []pageShown
}

// A pageShown is what a followed page shows.
type pageShown struct {
	Shown   []heldEntry
	Right   int64  // since when, in nanoseconds since 1970
	Again   int    // how often it subscribed anew on a socket
	Twice   int    // how often it was told what it knew
	Retries int    // how often its socket ended
	Wrong   string // what must never happen
}
