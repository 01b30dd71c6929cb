package river

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestTurnBegunBeforeALossDoesNotUnseal: a turn that began before a right was taken does not open the
// node again.
func TestTurnBegunBeforeALossDoesNotUnseal(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "bob")
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
	<-begun // the next has its snapshot, the one of the past was published
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
	p := newPlace(t, "bob")
	p.stop()
	p.set.Poll = time.Hour
	p.faults.turn = func() error { time.Sleep(20 * time.Millisecond); return nil }
	p.start()
	p.node.WaitRevoked()
	if p.node.sealed() {
		t.Error("sealed, though the loop comes through")
	}
}
