package river

import (
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestPrimaryRestartedInTheMiddle restarts PostgreSQL while a turn that sweeps and walks reads
// from it, and before the next turn.
func TestPrimaryRestartedInTheMiddle(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	server := pgtest.Server(t)
	p := &testSite{t: t, clock: &clock{}, path: t.TempDir() + "/river.db", people: make(map[string]timeline.UserID)}
	p.clock.ms.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixMilli())
	p.store = timeline.New(pgtest.Open(t, server.URL()), timeline.Options{Now: p.clock.now, Argon: pgtest.Argon})
	p.set.Poll, p.set.chunk, p.set.Marks = 20*time.Millisecond, 2, 2
	p.set.patient()
	t.Cleanup(func() { p.stop() })
	p.start()
	gates := p.gates()
	p.signUp("ann", "bob", "dan", "eve")
	p.follow("ann", "bob")
	for i := range 8 {
		p.comment("eve", p.post("bob", fmt.Sprint("bob ", i)), "hello")
		p.post("dan", fmt.Sprint("dan ", i))
	}
	p.visit(everything(0))
	_, watch := p.opened(p.home("ann"), At{})
	g := gates["a turn begins"]
	for _, point := range []string{"a turn begins", "after the snapshot"} {
		sweep := p.store.Ban
		if point != "a turn begins" {
			sweep = p.store.Unban
		}
		p.status("dan", "private")
		p.waitSettled()
		g.arm(1)
		p.node.Ring()
		g.held(t)
		p.must(sweep(t.Context(), p.user("ann"), "eve"))
		p.status("dan", "public") // a walk
		p.turns(g, 2)
		if _, stale, _, _ := p.of(p.home("ann")); stale == 0 || len(p.node.st.jobs) == 0 {
			t.Fatal("no sweep, or no walk, is under way")
		}
		if point != "a turn begins" {
			gates[point].arm(1)
			g.release()
			gates[point].held(t)
		}
		p.must(server.Kill())
		gates[point].release()
		p.must(server.Restart(t.Context()))
		p.compareAll()
	}
	watch.Close()
	if n := len(p.visit(everything(0))); n != 16 {
		t.Errorf("everything has %d entries, want 16", n)
	}
	if n := len(p.visit(p.home("ann"))); n != 8 {
		t.Errorf("home has %d entries, want 8", n)
	}
}
