package river

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// living counts the rivers, posts, people and tombstones of the node.
func (p *testSite) living() (rivers, posts, people, tombs int) {
	p.node.mu.RLock()
	defer p.node.mu.RUnlock()
	for _, rv := range p.node.st.rivers {
		tombs += len(rv.tombs)
	}
	return len(p.node.st.rivers), len(p.node.st.held), len(p.node.st.users), tombs
}

// expire runs cron until cron finds nothing to drop.
func (p *testSite) expire() {
	for range 3 {
		p.node.Expire()
		p.sync()
	}
}

func TestIdleRiversGo(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	gone := p.post("bob", "two")
	p.visit(p.home("ann"))
	p.visit(everything(0))
	p.visit(single(0, post))
	_, w := p.opened(p.page("", KindUser, "bob"), At{})
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), gone))
	p.sync()
	p.expire()
	if rivers, posts, _, tombs := p.living(); rivers != 4 || posts != 1 || tombs == 0 {
		t.Errorf("at once: %d rivers, %d posts, %d tombstones", rivers, posts, tombs)
	}
	p.clock.advance(5 * time.Hour)
	p.expire()
	if rivers, _, _, _ := p.living(); rivers != 2 {
		t.Errorf("after 5 hours there are %d rivers, want the home and the open one", rivers)
	}
	p.clock.advance(20 * time.Hour)
	p.expire()
	if rivers, posts, _, tombs := p.living(); rivers != 1 || posts != 1 || tombs != 0 {
		t.Errorf("after a day: %d rivers, %d posts, %d tombstones; want the open one alone", rivers, posts, tombs)
	}
	w.Close()
	p.clock.advance(5 * time.Hour)
	p.expire()
	if rivers, posts, people, _ := p.living(); rivers != 0 || posts != 0 || people != 0 {
		t.Errorf("closed, and later: %d rivers, %d posts, %d people; want nothing", rivers, posts, people)
	}
	want(t, "home, made again", p.visit(p.home("ann")), "one")
	p.compareAll()
}

func TestVisitKeepsARiver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	first, err := p.node.Visit(t.Context(), everything(0), At{})
	p.must(err)
	for range 5 {
		p.clock.advance(3 * time.Hour)
		p.expire()
		v, err := p.node.Visit(t.Context(), everything(0), At{})
		p.must(err)
		if v.Epoch != first.Epoch {
			t.Fatal("a river that is visited was dropped")
		}
	}
	p.stop()
	p.start()
	v, err := p.node.Visit(t.Context(), everything(0), At{})
	p.must(err)
	if v.Epoch != first.Epoch {
		t.Error("a river that is visited was lost at a restart")
	}
}

func TestStuckLoopSealsTheNodeAfterALoss(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "eve")
	p.post("ann", "one")
	p.stop()
	p.set.Tight = time.Millisecond
	// The loop of this node does not run, though an earlier turn succeeded.
	shed := false
	node, err := Open(t.Context(), Config{Store: p.store, Path: p.path, Settings: p.set, Sealed: func() { shed = true }})
	p.must(err)
	defer func() { p.must(node.db.close(false)) }()
	node.lastBegan.Store(1)
	node.WaitRevoked()
	if !shed {
		t.Error("open pages were not let go of")
	}
	if _, err := node.Visit(t.Context(), everything(0), At{}); !errors.Is(err, ErrBehind) {
		t.Errorf("a visit before the loop is through: %v, want %v", err, ErrBehind)
	}
	if _, err := node.turn(t.Context(), node.takeAsks()); err != nil {
		t.Fatal(err)
	}
	if node.sealed() {
		t.Error("the loop came through, and nothing is shown")
	}
}

// TestDeletedCommentStaysDeleted: the page of a post expires and leaves rows in SQLite. A
// deleted comment among them does not return with the next page.
func TestDeletedCommentStaysDeleted(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	post := p.post("bob", "one")
	p.comment("ann", post, "stays")
	gone := p.comment("ann", post, "goes")
	p.visit(single(0, post))
	p.clock.advance(3 * time.Hour)
	p.visit(everything(0))
	p.clock.advance(2 * time.Hour)
	p.expire()
	if rivers, _, _, _ := p.living(); rivers != 1 {
		t.Fatalf("%d rivers", rivers)
	}
	p.must(p.store.DeleteComment(t.Context(), p.user("ann"), post, gone))
	p.sync()
	p.visit(single(0, post))
	p.compareAll()
}

// TestFaultWhilePublishing: a fault of ours half-way through publishing costs
// the rivers, and nothing else.
func TestFaultWhilePublishing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.stop()
	var fault atomic.Bool
	p.faults.apply = func() {
		if fault.CompareAndSwap(true, false) {
			panic("poison")
		}
	}
	p.start()
	want(t, "before", p.visit(everything(0)), "one")
	fault.Store(true)
	p.post("ann", "two")
	p.sync()
	want(t, "after", p.visit(everything(0)), "two", "one")
	p.compareAll()
}
