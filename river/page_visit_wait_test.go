package river

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestWaitForATurnEnds checks that a wait for a turn, or for a build that a turn installs, ends
// with an error if the loop publishes no turns, or if the client disconnects.
func TestWaitForATurnEnds(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop() // no turn follows
	never := &build{done: make(chan struct{})}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.node.WaitApplied(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait for a turn of a client that disconnected: %v, want %v", err, context.Canceled)
	}
	if err := p.node.waitBuilt(gone, never); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait for a build of a client that disconnected: %v, want %v", err, context.Canceled)
	}
	p.node.cfg.Settings.Behind, p.node.cfg.Settings.Poll = time.Nanosecond, time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.node.WaitApplied(ctx); !errors.Is(err, ErrBehind) {
		t.Errorf("the wait for a turn that does not come: %v, want %v", err, ErrBehind)
	}
	if err := p.node.waitBuilt(ctx, never); !errors.Is(err, ErrBehind) {
		t.Errorf("the wait for a build that is not installed: %v, want %v", err, ErrBehind)
	}
}

// TestNoPageBeforeTheFirstTurn: even a page read from the primary waits for the first turn,
// because its order depends on the settings of the site, which the turn reads.
func TestNoPageBeforeTheFirstTurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.stop()
	p.faults.turn = func() error { return errors.New("made by the test") }
	p.set.Behind, p.set.Poll = time.Nanosecond, time.Millisecond
	node, err := Open(t.Context(), Config{Store: p.store, Path: p.path, Settings: p.set, Now: p.clock.now, hooks: &p.faults})
	p.must(err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	var wg sync.WaitGroup
	wg.Go(func() { _ = node.Run(ctx) })
	p.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	for _, at := range []At{{}, {Order: OrderCreated}} {
		if _, err := node.Visit(ctx, everything(0), at); !errors.Is(err, ErrBehind) {
			t.Errorf("a visit of %+v: %v, want %v", at, err, ErrBehind)
		}
	}
}

// TestDeepPageOfANodeThatIsBehind: a node that publishes no turns also refuses pages below its
// rivers, even while its held pages are recent enough.
func TestDeepPageOfANodeThatIsBehind(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	p.set.Deepest = 3
	p.start()
	for i := range 10 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	top, deep := At{Count: 2}, At{Skip: 5, Count: 2}
	v, err := p.node.Visit(t.Context(), everything(0), top)
	p.must(err)
	if v.Age <= 0 {
		t.Errorf("the page is %v old, want some time", v.Age)
	}
	want(t, "a page below what is held", p.asked(everything(0), deep), "4", "3")
	p.stop()
	p.node.cfg.Settings.Behind = time.Nanosecond
	want(t, "a page that is held", p.asked(everything(0), top), "9", "8")
	if _, err := p.node.Visit(t.Context(), everything(0), deep); !errors.Is(err, ErrBehind) {
		t.Errorf("a page below what is held, while the node is behind: %v, want %v", err, ErrBehind)
	}
}

// TestRefusedVisitTakesOneBuild: a visit that is refused after its build does not build again; only a
// build that was overtaken by a turn begins again.
func TestRefusedVisitTakesOneBuild(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.refused(single(0, p.post("ann", "one", "user_fyeo")), timeline.ErrNotFound)
	if s := p.node.Stats(); s.BuildsFailed != 1 {
		t.Errorf("a refused visit took %d builds, want 1", s.BuildsFailed)
	}
	p.refused(Key{What: KindHome, TheirID: int64(p.user("ann"))}, timeline.ErrNotFound)
	if s := p.node.Stats(); s.BuildsFailed != 1 {
		t.Error("a page that the viewer can't address took a build")
	}
}

// TestWaitForAPositionThatIsReached: a node with all changes up to the position waits for no
// turn; other nodes wait only a short time.
func TestWaitForAPositionThatIsReached(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	p.set.Answer, p.set.Poll = time.Millisecond, time.Millisecond
	p.start()
	p.post("ann", "one")
	p.sync()
	p.stop() // no turn follows
	whole, _ := p.node.whole()
	if err := p.node.WaitPosition(t.Context(), whole); err != nil {
		t.Errorf("a position that is reached: %v", err)
	}
	if err := p.node.WaitPosition(t.Context(), whole+1); !errors.Is(err, ErrBehind) {
		t.Errorf("a position that is not reached: %v, want %v", err, ErrBehind)
	}
}
