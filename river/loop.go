package river

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// asks are what others want of the loop's next turn. A turn takes them before
// its snapshot begins, so what was committed before somebody asked is in it.
type asks struct {
	mu      sync.Mutex
	waiting []chan struct{} // closed when such a turn was published
	refresh map[*river]bool // to be brought right first
	resweep map[*river]bool // to be swept, rather than wait for a walk
	built   []*build        // to be installed
	expire  bool
	turn    int64     // the number of the turn that took asks last
	rung    time.Time // when soon last rang

	published bool // by the turn that took them
}

// wait answers a channel that is closed once a turn begun from now on has been
// published, in which rv, if not nil, was brought right.
func (n *Node) wait(rv *river) <-chan struct{} {
	done := make(chan struct{})
	n.asks.mu.Lock()
	n.asks.waiting = append(n.asks.waiting, done)
	if rv != nil {
		put(&n.asks.refresh, rv, true)
	}
	n.asks.mu.Unlock()
	n.Ring()
	return done
}

// soon is wait for whatever a stranger can have the node wait for: all such calls
// together ring for one turn in [Limits.Poll]. The others wait for the turn that
// begins next, which is at most that far away.
func (n *Node) waitSoon() <-chan struct{} {
	done := make(chan struct{})
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	n.asks.waiting = append(n.asks.waiting, done)
	if time.Since(n.asks.rung) >= n.cfg.Settings.Poll {
		n.asks.rung = time.Now()
		n.Ring()
	}
	return done
}

// waitSwept is wait for a river that is swept from its top, if a walk is under
// way that may let something into it.
func (n *Node) waitSwept(rv *river) <-chan struct{} {
	n.asks.mu.Lock()
	put(&n.asks.resweep, rv, true)
	n.asks.mu.Unlock()
	return n.wait(rv)
}

// next is the number of the first turn that begins from now on.
func (a *asks) nextTurn() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.turn + 1
}

// take empties the asks; back returns them after a turn that failed.
func (a *asks) takeAll() *asks {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn++
	taken := &asks{waiting: a.waiting, refresh: a.refresh, resweep: a.resweep, built: a.built, expire: a.expire, turn: a.turn}
	a.waiting, a.refresh, a.resweep, a.built, a.expire = nil, nil, nil, nil, false
	return taken
}

func (a *asks) putBack(taken *asks) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = append(taken.waiting, a.waiting...)
	a.built = append(taken.built, a.built...)
	for rv := range taken.refresh {
		put(&a.refresh, rv, true)
	}
	for rv := range taken.resweep {
		put(&a.resweep, rv, true)
	}
	a.expire = a.expire || taken.expire
}

// Run is the loop: it takes turns until the context ends, then closes the river
// DB. A turn that fails is logged and tried again; it changed nothing.
func (n *Node) Run(ctx context.Context) error {
	bell, stop := n.store.Listen()
	defer stop()
	notices := make(chan struct{}, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		n.store.Notices(ctx, func() {
			select {
			case notices <- struct{}{}:
			default:
			}
		})
	})
	defer func() {
		n.end()
		n.builds.wait()
		wg.Wait()
		for _, b := range n.asks.takeAll().built {
			n.fail(b, ErrBehind)
		}
		n.saveRest(context.WithoutCancel(ctx))
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.db == nil {
			return
		}
		if err := n.db.close(true); err != nil {
			n.log.Warn("closing the river DB", "err", err)
		}
	}()
	poll := time.NewTicker(n.cfg.Settings.Poll)
	defer poll.Stop()
	failing := false
	for {
		more, err := n.safeTurn(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !failing:
			n.log.Error("a turn failed", "err", err)
		case err == nil && failing:
			n.log.Info("turns come through again")
		}
		if err != nil {
			n.counts.turnsFailed.Add(1)
			if n.cfg.Turned != nil {
				n.cfg.Turned(Turn{Err: err})
			}
		}
		failing = err != nil
		if more && err == nil {
			n.Ring()
		}
		if failing { // not at full speed against a primary that is away
			select {
			case <-ctx.Done():
			case <-poll.C:
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-bell:
		case <-notices:
		case <-n.ring:
		case <-poll.C:
		}
	}
}

// safeTurn takes a turn; a panic in it fails that turn alone.
func (n *Node) safeTurn(ctx context.Context) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			more, err = n.recoverTurn(ctx, p)
		}
	}()
	n.draft = nil
	taken := n.asks.takeAll()
	defer func() {
		if !taken.published {
			n.asks.putBack(taken)
			return
		}
		for _, w := range taken.waiting {
			close(w)
		}
	}()
	within, cancel := context.WithTimeout(ctx, n.cfg.Settings.Turn)
	defer cancel()
	more, err = n.turn(within, taken)
	if n.mustResetLog(ctx, within, err) {
		n.timeouts = 0
		n.resetLog("turns take too long", err)
		return true, nil
	}
	if errors.Is(err, errInconsistent) {
		n.dropRivers(ctx, n.st.siteState)
		n.resetLog("the state is torn", err)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	n.panics = 0
	return more, nil
}

// tooManyFallen is how many turns in a row may panic, nobody knows over what.
const maxPanics = 3

// fallen is what a turn that panicked comes to. Where a post is to blame the next
// goes on without it. Else it is tried again; what brings every turn down is left
// behind, with all rivers.
func (n *Node) recoverTurn(ctx context.Context, panicked any) (more bool, err error) {
	err = n.poisonError(n.draft, panicked)
	if errors.Is(err, errPoison) {
		return true, nil
	}
	if n.panics++; n.panics >= maxPanics {
		n.panics = 0
		n.resetLog("turns panic", err)
		return true, nil
	}
	return false, fmt.Errorf("a turn: %w", err)
}

// tooManyLong is how many turns in a row may come to no end in time. A primary that
// is away ends turns at once, or all of them; one that answers, and has more to
// tell than a turn takes, would keep the node behind for ever.
const maxTimeouts = 3

// tooLong says whether the node should rather start over than try to follow.
func (n *Node) mustResetLog(ctx, within context.Context, err error) bool {
	if err == nil || within.Err() == nil || ctx.Err() != nil {
		n.timeouts = 0
		return false
	}
	n.timeouts++
	n.store.Pool().Reset() // what hangs is one connection, and others may hang with it
	if n.timeouts < maxTimeouts {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, n.cfg.Settings.Behind)
	defer cancel()
	return n.store.Pool().Ping(ctx) == nil
}

// startOver has the next turn drop all rivers and go on at the head of the log, as
// it does where the log can't be followed: whatever is read, looked up or built by
// then may miss a change.
func (n *Node) resetLog(why string, err error) {
	n.log.Error("all rivers are dropped: "+why, "err", err)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.st.logEpoch = brokenEpoch
}

// lostEpoch is the epoch of no log.
const brokenEpoch = "lost"

// renew throws the river DB away, with all rivers, and goes on with a new one
// where it was in the change log, on a site that stands as given. Of jobs and
// tombstones nothing is left.
func (n *Node) dropRivers(ctx context.Context, site siteState) {
	db := n.db
	if db != nil {
		var err error
		if db, err = db.recreate(ctx); err != nil {
			n.log.Error("no river DB", "path", n.cfg.Path, "err", err)
			db = nil
		}
		n.counts.renewed.Add(1)
	}
	st := newState()
	st.counter = n.st.counter // never below what pages know, though their epochs end
	was := n.st.logState
	st.logState = logState{cursor: was.cursor, nonce: was.nonce, logEpoch: was.logEpoch, position: was.position, siteState: site}
	n.setState(st, db)
	n.dbIncomplete.Store(db == nil)
	n.builds.spoil()
}
