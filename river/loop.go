package river

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// asks are the requests for the loop's next turn. A turn takes the requests before its snapshot
// begins, so the snapshot contains all commits from before the requests.
type asks struct {
	mu      sync.Mutex
	waiting []chan struct{} // closed when a turn that took them was published
	refresh map[*river]bool // rivers to bring up to date first
	resweep map[*river]bool // rivers to sweep, so that they need not wait for a walk
	built   []*build        // builds to install
	expire  bool
	turn    int64     // the number of the turn that last took the asks
	rung    time.Time // when waitSoon last rang

	published bool // set by the turn that took them
}

// wait asks for a turn, and returns a channel that is closed once a turn that began after the
// call is published. If rv is not nil, that turn brings rv up to date.
func (n *Node) wait(rv *river) <-chan struct{} {
	done := make(chan struct{})
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	n.asks.waiting = append(n.asks.waiting, done)
	if rv != nil {
		put(&n.asks.refresh, rv, true)
	}
	n.Ring()
	return done
}

// waitSoon is wait for requests that any client can cause: all calls together ask for at most
// one turn in each [Limits.Poll]. The other calls wait for the next turn, which begins at most
// one such interval later.
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

// waitSwept is wait for a river to which an unfinished walk may still add posts. The turn sweeps
// the river from the top, so that the visit need not wait for the walk.
func (n *Node) waitSwept(rv *river) <-chan struct{} {
	n.asks.mu.Lock()
	put(&n.asks.resweep, rv, true)
	n.asks.mu.Unlock()
	return n.wait(rv)
}

// nextTurn returns the number of the first turn that begins after the call.
func (a *asks) nextTurn() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.turn + 1
}

// takeAsks empties the node's asks and returns them; putBack puts them back after a turn that failed. A ring that
// has come by now stands for something that the turn finds when it begins, and asks for no turn after it.
func (n *Node) takeAsks() *asks {
	a := &n.asks
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-n.ring:
	default:
	}
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

// Run is the loop. It takes turns until the context ends, and then closes the river DB. A failed
// turn changes nothing; it is logged and tried again.
func (n *Node) Run(ctx context.Context) error {
	bell, stop := n.store.Listen()
	defer stop()
	var announced announcements
	announced.bell = make(chan struct{}, 1)
	var wg sync.WaitGroup
	wg.Go(func() { n.store.Announced(ctx, announced.add) })
	defer func() {
		n.end()
		n.builds.wait()
		wg.Wait()
		for _, b := range n.takeAsks().built {
			n.fail(b, ErrBehind)
		}
		n.saveRest(context.WithoutCancel(ctx))
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.db == nil {
			return
		}
		if err := n.db.close(true); err != nil {
			n.log.Warn("the river DB was not closed cleanly", "err", err)
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
			n.log.Info("turns succeed again")
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
		if failing { // do not retry at full speed while the primary is away
			select {
			case <-ctx.Done():
			case <-poll.C:
			}
			continue
		}
		for waits := true; waits; {
			waits = false
			select {
			case <-ctx.Done():
			case <-bell:
			case <-announced.bell:
				// The node's own turns run the sequencer, and have read what they hear of afterwards.
				waits = announced.take() <= n.st.cursor
			case <-n.ring:
			case <-poll.C:
			}
		}
	}
}

// announcements hold the highest position of the log of which the node was told since it last asked.
type announcements struct {
	highest atomic.Int64
	bell    chan struct{}
}

// add adds a position, and rings the bell.
func (a *announcements) add(position int64) {
	for {
		was := a.highest.Load()
		if a.highest.CompareAndSwap(was, max(was, position)) {
			break
		}
	}
	select {
	case a.bell <- struct{}{}:
	default: // an earlier ring has not been heard yet, and stands for this one too
	}
}

// take returns the highest position since the last call.
func (a *announcements) take() int64 { return a.highest.Swap(0) }

// safeTurn takes a turn. A panic fails only that turn.
func (n *Node) safeTurn(ctx context.Context) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			more, err = n.recoverTurn(ctx, p)
		}
	}()
	n.draft = nil
	taken := n.takeAsks()
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
		n.resetLog("the state is inconsistent", err)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	n.panics = 0
	return more, nil
}

// maxPanics is the number of turns in a row that may panic for unknown reasons
// before the node drops all rivers.
const maxPanics = 3

// recoverTurn handles the panic of a turn. If a post caused the panic, the post is
// quarantined and the next turn goes on without it. Else the turn is tried again,
// and after maxPanics panics in a row the node drops all rivers and skips the
// changes that may have caused the panics.
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

// maxTimeouts is the number of turns in a row that may exceed [Limits.Turn]. If the
// primary does not answer, the node waits for it. If the primary answers, but has
// more changes than a turn can follow, the node would stay behind for ever, so it
// drops all rivers.
const maxTimeouts = 3

// mustResetLog reports whether the node must give up following the log, and go on
// at its head.
func (n *Node) mustResetLog(ctx, within context.Context, err error) bool {
	if err == nil || within.Err() == nil || ctx.Err() != nil {
		n.timeouts = 0
		return false
	}
	n.timeouts++
	n.store.Pool().Reset() // one connection hangs, and others may hang for the same reason
	if n.timeouts < maxTimeouts {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, n.cfg.Settings.Behind)
	defer cancel()
	return n.store.Pool().Ping(ctx) == nil
}

// resetLog asks the next turn to drop all rivers and go on at the head of the log, as after a
// restore of the primary. Everything that was read or built before that turn may lack a
// change.
func (n *Node) resetLog(why string, err error) {
	n.log.Error("all rivers are dropped: "+why, "err", err)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.st.logEpoch = brokenEpoch
}

// brokenEpoch is an epoch that no log has: with it, the next turn finds the log broken.
const brokenEpoch = "lost"

// dropRivers drops all rivers and the river DB, and goes on with an empty state and
// a new river DB at the same position of the change log. Jobs and tombstones are
// dropped too.
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
	st.counter = n.st.counter // never below the counters that pages have, though their epochs end
	was := n.st.logState
	st.logState = logState{cursor: was.cursor, nonce: was.nonce, logEpoch: was.logEpoch, position: was.position, siteState: site}
	n.setState(st, db)
	n.dbIncomplete.Store(db == nil)
	n.builds.restartAll()
}
