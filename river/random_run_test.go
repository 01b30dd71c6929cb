package river

import (
	"fmt"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestRunSettlesHoweverOftenTheRiverDBIsLost: when the river DB is lost again and again, a run
// waits for turns, not for the clock.
func TestRunSettlesHoweverOftenTheRiverDBIsLost(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	r := newRun(t, 1, faults{})
	for range 6 {
		r.removeRiverDB()
		r.waitSettled()
	}
}

// TestModelPageWaitsForTheBuildsItBegins: no build is under way after a model page received a
// patch or woke up, because only the run itself may race builds. A page is compared when it is
// full.
func TestModelPageWaitsForTheBuildsItBegins(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	r := &run{testSite: newTestSite(t, "ann", "bob"), did: make(map[string]int)}
	oldest := r.numbered("bob", 150)[0]
	r.stop()
	built := 0
	r.faults.building = func() {
		if built++; len(r.pages) > 0 { // the page is open
			_, err := r.store.AddComment(t.Context(), r.user("ann"), oldest, timeline.NewComment{Text: fmt.Sprint(built)})
			if err != nil {
				t.Error(err)
			}
		}
	}
	r.start()
	p := &page{run: r, key: everything(0), at: At{Skip: 40}}
	v, err := r.node.Visit(t.Context(), p.key, p.at)
	r.must(err)
	p.epoch, p.counter, p.shows = v.Epoch, v.Counter, haveOf(v)
	p.wakeUp()
	r.pages = append(r.pages, p)
	for _, does := range []struct {
		what string
		do   func()
	}{
		{"heard", p.applyPatch},
		{"woken up", func() { p.close(); p.wakeUp() }},
		{"not heard", func() {}},
	} {
		begun := built
		for _, h := range p.shows[1:] {
			r.erase("bob", h.Post)
		}
		r.sync()
		does.do()
		r.node.builds.mu.Lock()
		building := len(r.node.builds.under)
		r.node.builds.mu.Unlock()
		if building > 0 {
			t.Fatalf("%d builds are under way when the page has %s", building, does.what)
		}
		for _, line := range p.compare() {
			t.Errorf("when the page had %s: %s", does.what, line)
		}
		if built == begun || len(p.shows) != defaultCount {
			t.Errorf("after %d builds the page that had %s shows %d entries", built-begun, does.what, len(p.shows))
		}
	}
	p.close()
}
