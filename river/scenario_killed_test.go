package river

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestKilledAtAnyChunk: checklist FF11, FF12. What a change of rights leaves for later turns
// ends in the same, wherever a node is killed: before the turn with the change is
// published, or at any chunk after it.
func TestKilledAtAnyChunk(t *testing.T) {
	long(t)
	t.Parallel()
	changes := map[string]func(p *testSite, ann timeline.UserID){
		"a ban": func(p *testSite, ann timeline.UserID) { p.must(p.store.Ban(p.t.Context(), ann, "eve")) },
		"a subscription": func(p *testSite, ann timeline.UserID) {
			p.follow("ann", "dan")
		},
		"the end of one": func(p *testSite, ann timeline.UserID) {
			p.must(p.store.Unsubscribe(p.t.Context(), ann, timeline.FeedName{Name: "bob"}))
		},
		"going private":        func(p *testSite, _ timeline.UserID) { p.status("bob", "private") },
		"private and public":   func(p *testSite, _ timeline.UserID) { p.status("bob", "private"); p.status("bob", "public") },
		"public after private": func(p *testSite, _ timeline.UserID) { p.status("dan", "public") },
		"banned and not": func(p *testSite, ann timeline.UserID) {
			p.must(p.store.Ban(p.t.Context(), ann, "eve"))
			p.must(p.store.Unban(p.t.Context(), ann, "eve"))
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob", "dan", "eve")
			p.set.chunk = 3
			p.follow("ann", "bob")
			for i := range 14 {
				post := p.post("bob", fmt.Sprint("bob ", i))
				if i%3 == 0 {
					p.comment("eve", post, "hello")
					p.like("ann", p.post("dan", fmt.Sprint("dan ", i)))
				}
			}
			p.status("dan", "private")
			p.sync()
			keys := []Key{p.home("ann"), p.page("eve", KindUser, "bob"), everything(0), everything(p.user("ann")), p.page("bob", KindLikes, "ann")}
			for kill := int64(1); ; kill++ {
				p.stop()
				var armed atomic.Bool
				var turns atomic.Int64
				hit, on := make(chan struct{}), make(chan struct{})
				p.faults.written = func() error {
					if armed.Load() && turns.Add(1) == kill && armed.CompareAndSwap(true, false) {
						close(hit)
						<-on
						return errors.New("killed")
					}
					return nil
				}
				p.start()
				for _, key := range keys {
					if _, err := p.node.Visit(t.Context(), key, At{}); err != nil {
						t.Fatal(err)
					}
				}
				armed.Store(true)
				change(p, p.user("ann"))
				settled := make(chan struct{})
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					defer close(settled)
					for p.node.WaitApplied(ctx) == nil && !p.node.settled() {
					}
				}()
				over := false
				select {
				case <-hit:
				case <-settled:
					over = armed.CompareAndSwap(true, false)
				}
				if over {
					cancel()
					if kill == 1 {
						t.Fatal("no turn was killed")
					}
					p.compareAll()
					return
				}
				<-hit
				p.cancel()
				close(on)
				p.stop()
				cancel()
				<-settled
				p.faults.written = nil
				p.start()
				if n := p.compareAll(); n < len(keys)-1 { // eve may not open a private page any more
					t.Errorf("killed at %d: %d rivers live", kill, n)
				}
				undo(p)
			}
		})
	}
}

// undo restores the state before the changes.
func undo(p *testSite) {
	p.t.Helper()
	p.must(p.store.Unban(p.t.Context(), p.user("ann"), "eve"))
	p.must(p.store.Unsubscribe(p.t.Context(), p.user("ann"), timeline.FeedName{Name: "dan"}))
	p.follow("ann", "bob")
	p.status("bob", "public")
	p.status("dan", "private")
	p.sync()
}
