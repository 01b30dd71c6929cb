package river

import (
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// The build of a search reads no posts that its viewer may not read. If the viewer gets the
// right to read a post during the build, the river has the post anyway.
func TestSearchHasWhatWasOpenedWhileItWasBuilt(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.post("eve", "a harbour")
	p.status("bob", "private")
	p.post("bob", "another harbour")
	p.stop()
	var armed atomic.Bool
	p.faults.building = func() {
		if armed.CompareAndSwap(true, false) {
			p.status("bob", "public")
			p.sync()
			p.sync() // the walk through the opened timeline is over
		}
	}
	p.start()
	p.sync()
	armed.Store(true)
	key := p.search("ann", "harbour")
	want(t, "the search", p.visit(key), "another harbour", "a harbour")
	if armed.Load() {
		t.Error("nothing was opened while the river was built")
	}
	p.compareAll()
}
