package river

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestTurnBegunBeforeALossDoesNotUnseal: a turn that began before a right was taken does not open the
// node again.
func TestTurnBegunBeforeALossDoesNotUnseal(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "bob")
	p.stop()
	p.set.Tight = 50 * time.Millisecond
	var hold atomic.Bool
	begun, on := make(chan struct{}), make(chan struct{})
	p.faults.repeat = func() bool { // after the snapshot
		if hold.Load() {
			begun <- struct{}{}
			<-on
		}
		return false
	}
	p.start()
	p.post("bob", "private soon")
	want(t, "before", p.visit(everything(0)), "private soon")
	hold.Store(true)
	<-begun // a turn of the past
	p.status("bob", "private")
	p.node.WaitRevoked()
	before := p.node.Turns()
	on <- struct{}{}
	<-begun // the next turn has its snapshot; the turn before was published
	if p.node.Turns() == before {
		t.Fatal("no turn was published")
	}
	if v, err := p.node.Visit(t.Context(), everything(0), At{}); err == nil {
		t.Errorf("shown what was taken: %v", texts(v.Entries))
	}
	hold.Store(false)
	on <- struct{}{}
	p.sync()
	want(t, "after", p.visit(everything(0)))
}

// TestTurnInTimeSealsNothing: a write that takes a right away closes
// no page if a turn follows in time.
func TestTurnInTimeSealsNothing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "bob")
	p.stop()
	p.set.Poll = time.Hour
	p.faults.turn = func() error { time.Sleep(20 * time.Millisecond); return nil }
	p.start()
	p.node.WaitRevoked()
	if p.node.sealed() {
		t.Error("sealed, though the loop comes through")
	}
}

// TestSealedNodeWakesItsPages: a sealed node wakes its open pages, which show nothing until the
// node publishes the turn that ends the seal.
func TestSealedNodeWakesItsPages(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	p.set.Tight = time.Millisecond
	sealed := 0
	p.config = func(c *Config) { c.Sealed = func() { sealed++ } }
	p.start()
	p.post("ann", "one")
	_, w := p.opened(everything(0), At{})
	p.sync()
	p.stop() // no turn follows
	select {
	case <-w.C(): // of an earlier change
	default:
	}
	turn := p.node.asks.nextTurn()

	p.node.lastTurn.Store(turn) // as if the turn were published when the limit has just passed
	p.node.WaitRevoked()
	select {
	case <-w.C():
		t.Error("an open page is woken, though the turn was published")
	default:
	}
	if sealed != 0 {
		t.Errorf("the node says %d times that it is sealed, though the turn was published", sealed)
	}

	p.node.lastTurn.Store(turn - 1)
	p.node.WaitRevoked()
	select {
	case <-w.C():
	default:
		t.Error("an open page is not woken")
	}
	if sealed != 1 {
		t.Errorf("the node says %d times that it is sealed, want once", sealed)
	}
	if _, err := w.Patch(w.Counter(), Window{High: timeline.Top}); !errors.Is(err, ErrBehind) {
		t.Errorf("an open page: %v, want %v", err, ErrBehind)
	}
	p.refused(everything(0), ErrBehind)
	p.node.lastTurn.Store(turn)
	want(t, "after the turn", p.visit(everything(0)), "one")
}
