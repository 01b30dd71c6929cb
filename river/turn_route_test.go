package river

import (
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestWalksDoNotPileUp: opening and closing an account again and again causes one walk at a
// time.
func TestWalksDoNotPileUp(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	for range 450 {
		p.clock.advance(time.Second)
		_, err := p.store.CreatePost(t.Context(), p.user("bob"), timeline.NewPost{To: []string{"user"}, Text: "x"})
		p.must(err)
	}
	p.visit(everything(0))
	p.visit(p.page("ann", KindLikes, "ann")) // its floor is the bottom
	p.node.mu.RLock()                        // no turn can be published
	for range 10 {
		p.status("bob", "protected")
		p.status("bob", "public")
	}
	p.node.mu.RUnlock()
	p.sync()
	for range 10 {
		p.status("bob", "protected")
		p.status("bob", "public")
		p.sync()
		p.node.mu.RLock()
		n := len(p.node.st.jobs)
		p.node.mu.RUnlock()
		if n > 2 { // a walk and a sweep
			t.Fatalf("%d jobs", n)
		}
	}
	p.compareAll()
}
