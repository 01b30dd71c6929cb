package realtime

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A round has a goroutine for so many sockets, but no more than there are
// processors, and a goroutine takes so many at once.
const (
	socketsAHand  = 512
	socketsAtOnce = 64
)

// round has all sockets write what changed: of the pages that somebody looks
// at, or of the others. It says whether there are pages of the other kind, and
// how long it took. It waits for no socket: what can't be written at once is
// written by a goroutine of that socket's own.
func (h *hub) round(unseen bool) (others bool, took time.Duration) {
	turn := h.newest()
	if !unseen {
		turn = h.turns.Add(1)
	}
	began := time.Now()
	members := h.members()
	var next atomic.Int64
	var found atomic.Bool
	work := func() {
		var by hand
		for {
			end := int(next.Add(socketsAtOnce))
			start := end - socketsAtOnce
			if start >= len(members) {
				return
			}
			by.last = memo{} // that the river may still be shown is asked now and then
			for _, one := range members[start:min(end, len(members))] {
				if hidden := one.wake(turn, unseen, &by); hidden != unseen {
					found.Store(true)
				}
			}
		}
	}
	var helpers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(members)/socketsAHand+1) - 1 {
		helpers.Go(work)
	}
	work()
	helpers.Wait()
	h.rest()
	took = time.Since(began)
	h.server.stats.round(took)
	if wrote := h.server.config.Wrote; wrote != nil {
		wrote(len(members), took)
	}
	return found.Load(), took
}

// A pace is how far apart the rounds of a hub are. Where a round takes long it
// stretches, so that rounds take half of the time at most, and comes back when
// they don't, or the river is silent.
type pace struct {
	least, most time.Duration
	now         time.Duration
	told        time.Duration // what pages were told
}

func newPace(least, most time.Duration) pace {
	return pace{least: least, most: max(least, most), now: least, told: least}
}

// after takes what a round cost. One that was long by chance counts little: the
// pace at most doubles.
func (p *pace) after(cost time.Duration) {
	want := min(max(2*cost, p.least), p.most)
	p.now = min(max(want, p.now/2), 2*p.now)
}

// news says whether pages are to be told: that it is twice as long as they know,
// or normal again.
func (p *pace) news() bool {
	if p.now < 2*p.told && (p.now > p.least || p.told == p.least) {
		return false
	}
	p.told = p.now
	return true
}
