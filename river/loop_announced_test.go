package river

import (
	"math"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestAnnouncementsKeepTheHighestPosition adds positions from several goroutines, and takes them.
func TestAnnouncementsKeepTheHighestPosition(t *testing.T) {
	t.Parallel()
	a := announcements{bell: make(chan struct{}, 1)}
	var wg sync.WaitGroup
	for i := range int64(8) {
		wg.Go(func() {
			for n := range int64(100) {
				a.add(n*8 + i)
			}
		})
	}
	wg.Wait()
	<-a.bell
	if highest := a.take(); highest != 799 {
		t.Errorf("the highest position is %d, want 799", highest)
	}
	if left := a.take(); left != 0 || len(a.bell) > 0 {
		t.Errorf("after that %d is left, and the bell has rung %d times", left, len(a.bell))
	}
	a.add(math.MaxInt64)
	a.add(800)
	if highest := a.take(); highest != math.MaxInt64 {
		t.Errorf("an unknown position counts as %d", highest)
	}
}

// TestWriteOfARequestTakesOneTurn writes as requests do, and waits for the node. The node hears of the position that its
// own sequencer gave out, and takes no turn for that, nor for a doorbell.
func TestWriteOfARequestTakesOneTurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	p.set.Poll = time.Hour
	p.start()
	p.sync()
	before := p.node.Turns()
	const writes = 5
	for range writes {
		ctx, effect := timeline.WithEffect(t.Context())
		if _, err := p.store.CreatePost(ctx, p.user("ann"), timeline.NewPost{To: []string{"user"}, Text: "hoi"}); err != nil {
			t.Fatal(err)
		}
		if !effect.Changed {
			t.Fatal("the post has no effect")
		}
		p.must(p.node.WaitApplied(t.Context()))
	}
	if turns := p.node.Turns() - before; turns > writes+1 { // the node may begin to listen only now, and looks once then
		t.Errorf("%d writes took %d turns", writes, turns)
	}
}

// TestTakenAskLeavesNoRing asks a node whose loop has ended for a turn, and takes the asks as the turn would.
func TestTakenAskLeavesNoRing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t)
	p.stop()
	p.node.wait(nil)
	if len(p.node.ring) != 1 {
		t.Fatal("the ask does not ring")
	}
	if taken := p.node.takeAsks(); len(taken.waiting) != 1 || len(p.node.ring) > 0 {
		t.Errorf("the turn takes %d asks, and the ring asks for another turn: %v", len(taken.waiting), len(p.node.ring) > 0)
	}
}
