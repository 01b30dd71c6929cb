package river

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
)

// TestActedOnAStaleRiver: the answer to a write leaves out the people the actor
// banned, though the actor's river has not been swept yet.
func TestActedOnAStaleRiver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	var hold atomic.Bool
	on := make(chan struct{})
	p.faults.building = func() {
		if hold.Load() {
			<-on
		}
	}
	p.start()
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	p.comment("eve", post, "hello")
	p.like("ann", post)
	p.sync()
	p.visit(p.home("ann"))
	hold.Store(true)
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	p.sync()
	v, err := p.node.EntryAfterWrite(t.Context(), p.home("ann"), post)
	close(on)
	p.must(err)
	if n := len(v.Entries[0].Fold.Comments.Comments); n != 0 {
		t.Errorf("ann is shown %d comments of a person she banned, want 0", n)
	}
}

// TestWatchOfAStaleRiver: a page opened just then leaves them out too.
func TestWatchOfAStaleRiver(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.faults.building = func() { time.Sleep(3 * time.Millisecond) }
	p.start()
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	p.comment("eve", post, "hello")
	var over atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !over.Load() {
			_ = p.store.Ban(t.Context(), p.user("ann"), "eve")
			_ = p.store.Unban(t.Context(), p.user("ann"), "eve")
		}
	})
	bad, n := 0, 0
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		w, err := p.node.Watch(t.Context(), p.home("ann"))
		if err != nil {
			continue
		}
		patch, _, err := w.Resume(Resume{})
		w.Close()
		if err != nil {
			continue
		}
		n++
		if _, banned := patch.Sets.Bans[p.user("eve")]; banned && len(patch.Entries) > 0 && len(patch.Entries[0].Fold.Comments.Comments) > 0 {
			bad++
		}
	}
	over.Store(true)
	wg.Wait()
	if bad > 0 {
		t.Errorf("%d of %d pages show a comment of a banned person", bad, n)
	}
}
