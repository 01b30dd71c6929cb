package realtime

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How a round divides its sockets among goroutines.
const (
	socketsAWriter = 512 // sockets for each goroutine; there are no more goroutines than processors
	socketsAtOnce  = 64  // sockets that a goroutine takes at once
)

// round sends changes to the sockets of visible pages, or to the sockets of hidden pages. It
// returns whether the hub has pages of the other sort, and how long the round took. round waits
// for no connection: if a write would have to wait, a goroutine of the socket makes the write.
func (h *hub) round(hidden bool) (others bool, took time.Duration) {
	round := h.lastRound()
	if !hidden {
		round = h.rounds.Add(1)
	}
	began := time.Now()
	members := h.members()
	var next atomic.Int64
	var found atomic.Bool
	work := func() {
		var by writer
		for {
			end := int(next.Add(socketsAtOnce))
			start := end - socketsAtOnce
			if start >= len(members) {
				return
			}
			by.last = lastFrame{} // so that access is checked again for these sockets
			for _, sock := range members[start:min(end, len(members))] {
				if sock.notify(round, hidden, &by) != hidden {
					found.Store(true)
				}
			}
		}
	}
	var helpers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(members)/socketsAWriter+1) - 1 {
		helpers.Go(work)
	}
	work()
	helpers.Wait()
	if !hidden {
		for _, l := range h.listening() {
			l.changed()
		}
	}
	h.trimCaches()
	took = time.Since(began)
	h.server.stats.round(took)
	if wrote := h.server.config.Wrote; wrote != nil {
		wrote(len(members), took)
	}
	return found.Load(), took
}

// A pace is the time between two rounds of a hub. It stretches while rounds take long, so
// that rounds take half of the time at most, and comes back when they are short again or
// the river is silent.
//
// For example, with a least pace of 200 ms, rounds of 400 ms stretch the pace to 400 and
// then 800 ms; when the river is silent it comes back to 400 and then 200 ms.
type pace struct {
	least, most time.Duration
	now         time.Duration
	told        time.Duration // as pages were told
}

func newPace(least, most time.Duration) pace {
	return pace{least: least, most: max(least, most), now: least, told: least}
}

// adjust sets the pace after a round of the given cost. The pace at most doubles, so that a single
// long round has little effect.
func (p *pace) adjust(cost time.Duration) {
	want := min(max(2*cost, p.least), p.most)
	p.now = min(max(want, p.now/2), 2*p.now)
}

// announce reports whether to tell pages the pace: it is at least twice the pace they know, or
// is back to normal.
func (p *pace) announce() bool {
	if p.now < 2*p.told && (p.now > p.least || p.told == p.least) {
		return false
	}
	p.told = p.now
	return true
}
