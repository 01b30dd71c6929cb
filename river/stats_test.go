package river

import (
	"testing"
	"time"
)

// TestStats checks each figure of Stats.
func TestStats(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "dan")
	p.stop()
	p.set.Marks = 1
	turns := make(chan Turn, 10_000)
	p.config = func(c *Config) { c.Turned = func(turn Turn) { turns <- turn } }
	p.start()
	p.follow("ann", "bob")
	p.follow("dan", "bob")
	p.post("bob", "one")
	if err := p.node.WaitApplied(t.Context()); err != nil { // otherwise a turn may overtake the first build, which then runs twice
		t.Fatal(err)
	}
	p.visit(p.home("ann"))
	p.visit(p.home("dan"))
	p.visit(everything(0))
	_, w := p.opened(p.home("ann"), At{})
	s := p.node.Stats()
	if s.Living[KindHome] != 2 || s.Open[KindHome] != 1 || s.Living[KindEverything] != 1 || s.Entries != 3 || s.Posts != 1 || s.Viewers != 3 {
		t.Errorf("of three rivers of one post: %+v", s)
	}
	if s.Builds != 3 || s.BuildsFailed != 0 || s.Building != 0 || s.Turns == 0 || s.TurnsFailed != 0 || s.Size == 0 {
		t.Errorf("after three builds: %+v", s)
	}
	marked := Stats{}
	p.node.mu.Lock()
	for _, rv := range p.node.st.rivers {
		if !rv.open() {
			rv.marked = time.Now().Add(-time.Minute)
			put(&rv.marks, 1, true)
		}
	}
	p.node.mu.Unlock()
	if marked = p.node.Stats(); marked.Marks != 2 || marked.Marked != 2 || marked.OldestMark < time.Minute {
		t.Errorf("with two marks: %+v", marked)
	}
	for len(turns) > 0 {
		<-turns
	}
	p.post("bob", "two")
	p.sync()
	changes, decided := 0, 0
	for len(turns) > 0 {
		turn := <-turns
		changes += turn.Changes
		decided += turn.Decided
		if turn.Err != nil || turn.Took <= 0 {
			t.Errorf("a turn: %+v", turn)
		}
	}
	if changes == 0 || decided == 0 {
		t.Errorf("turns followed %d changes and decided %d entries", changes, decided)
	}
	w.Close()
	p.clock.advance(48 * time.Hour)
	p.node.Expire()
	p.waitSettled()
	if s = p.node.Stats(); s.Expired != 3 || len(s.Living) != 0 || s.Evicted[evictedMemory] != 0 {
		t.Errorf("two days later: %+v", s)
	}
}
