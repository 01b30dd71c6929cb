package river

import (
	"context"
	"errors"
	"time"

	"amstel.dev/amstel/timeline"
)

// aheadFor is how long a river that was built ahead is kept if its reader does not come.
const aheadFor = time.Hour

// roomAhead is the divisor of the memory budget: a fifth of the budget must be free for a river
// to be built ahead.
const roomAhead = 5

// ErrBusy reports that the node has other things to do than to build ahead.
var ErrBusy = errors.New("the node is busy")

// Prepare builds a river before its reader asks for the river. If the river lives already,
// Prepare builds nothing and returns false. It returns [ErrBusy] if the node has other work:
// builds for readers, a late turn, little room. At most one river is built ahead at a time, in a
// slot of its own, so that no reader waits for the build.
func (n *Node) Prepare(ctx context.Context, key Key) (bool, error) {
	if !n.cfg.checks.addressable(key) {
		return false, timeline.ErrNotFound
	}
	n.mu.RLock()
	lives := n.st.byKey[key] != nil
	n.mu.RUnlock()
	if lives {
		return false, nil
	}
	if !n.idle() {
		return false, ErrBusy
	}
	b := &build{key: key, client: clientOf(ctx, key.Viewer), from: timeline.Top, need: defaultCount + 1, ahead: true}
	if under := n.build(b); under != b {
		return false, nil // a reader was faster
	}
	switch err := n.waitBuilt(ctx, b); {
	case errors.Is(err, errAgain), errors.Is(err, ErrGone): // changes overtook the build
		return false, ErrBusy
	case err != nil:
		return false, err
	}
	n.counts.ahead.Add(1)
	return true, nil
}

// idle reports whether the node has time and room to build ahead: it is not late, no build and no
// job is under way, and enough of the memory budget is free.
func (n *Node) idle() bool {
	if n.lastBegan.Load() == 0 || n.sealed() || n.full.Load() || n.scarce.Load() || n.Age() > n.cfg.Settings.Behind {
		return false
	}
	n.builds.mu.Lock()
	building := len(n.builds.under)
	n.builds.mu.Unlock()
	n.mu.RLock()
	defer n.mu.RUnlock()
	return building == 0 && len(n.st.jobs) == 0
}

// reachedAhead counts, once, a river that was built ahead and whose reader came.
func (n *Node) reachedAhead(rv *river) {
	if !rv.ahead.Load() || !rv.ahead.CompareAndSwap(true, false) {
		return
	}
	n.counts.aheadHits.Add(1)
	if n.cfg.Came != nil {
		n.cfg.Came(rv.key, true)
	}
}

// missedAhead counts the rivers that a turn drops after they were built ahead for readers who
// did not come.
func (n *Node) missedAhead(d *draft) {
	for rv, rd := range d.rivers {
		if !rd.dropped || !rv.ahead.CompareAndSwap(true, false) {
			continue
		}
		n.counts.aheadMisses.Add(1)
		if n.cfg.Came != nil {
			n.cfg.Came(rv.key, false)
		}
	}
}

// Ahead counts the rivers that were built before their readers asked for them, since the
// start.
type Ahead struct {
	Built  int64 // rivers built ahead
	Hits   int64 // homes built ahead that a reader then visited: each saved the reader the wait for a build
	Misses int64 // homes built ahead that were dropped before their readers came
	First  int64 // first visits of homes, whether the home was built ahead or not
}
