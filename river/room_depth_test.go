package river

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// TestReachFades: a reach is the greatest number of entries shown lately, also if many
// readers note theirs at a time.
func TestReachFades(t *testing.T) {
	t.Parallel()
	var r reach
	now := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC).UnixMilli()
	const day = 24 * 60 * 60 * 1000
	for i, want := range []int64{200, 150, 113, 85, 64, 48, 36, 27, 25, 25} {
		entries := 25
		if i == 0 {
			entries = 200
		}
		r.note(25, now) // the first page, and then the scrolled entries
		r.note(entries, now+1000)
		if got := r.entries.Load(); got != want {
			t.Errorf("day %d: reach %d, want %d", i, got, want)
		}
		now += day
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { r.note(100+i, now) })
	}
	all.Wait()
	if got := r.entries.Load(); got != 107 {
		t.Errorf("of 100 to 107 entries at once: reach %d", got)
	}
}

// TestDepthAdaptsToItsReader: if a reader views only the first page, the river is shortened to
// the minimum. A scrolled river holds as much as its reader scrolls, also after a restart. An
// open river is not shortened. The remaining entries equal a fresh build.
func TestDepthAdaptsToItsReader(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.Shallow, p.set.Deepest, p.set.Grace = 10, 100, 1000*time.Hour
	p.start()
	for i := range 110 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	bobs, eves := p.page("bob", KindUser, "ann"), p.page("eve", KindUser, "ann")
	look := func(key Key, entries int) {
		t.Helper()
		at := At{Count: 5}
		for shown := 0; ; {
			v, err := p.node.Visit(t.Context(), key, at)
			p.must(err)
			if shown += len(v.Entries); shown >= entries {
				return
			}
			at.Before = *v.Older
		}
	}
	// day lets a day pass, on which both read, and the node writes down the visits.
	day := func(bob, eve int) {
		t.Helper()
		p.clock.advance(24 * time.Hour)
		look(bobs, bob)
		look(eves, eve)
		p.clock.advance(2 * time.Minute)
		p.post("ann", "more")
		p.sync()
		p.sync()
	}
	held := func(key Key) int { _, _, _, n := p.of(key); return n }
	day(60, 60)
	if b, e := held(bobs), held(eves); b < 60 || e < 60 {
		t.Fatalf("after 60 entries were scrolled the rivers hold %d and %d", b, e)
	}
	_, w := p.opened(eves, At{Count: 5})
	for range 10 {
		day(5, 5)
	}
	if b, e := held(bobs), held(eves); b > 12 || e < 60 {
		t.Errorf("after ten days of first pages Bob's river holds %d entries, want 12 at most; Eve's, which is open, holds %d, want all 60", b, e)
	}
	w.Close()
	for range 2 {
		day(5, 40)
	}
	if b, e := held(bobs), held(eves); b > 12 || e > 72 || e < 40 {
		t.Errorf("Bob's river holds %d entries, want 12 at most; Eve's, scrolled for 40, holds %d", b, e)
	}
	if p.node.Stats().Shortened == 0 {
		t.Error("no river counts as shortened")
	}
	p.stop()
	p.start()
	reached := func(key Key) int64 { return p.node.st.byKey[key].reach.entries.Load() }
	if b, e := reached(bobs), reached(eves); b > 12 || e < 40 {
		t.Errorf("after a restart the reaches are %d and %d, want 12 at most and 40 at least", b, e)
	}
	day(5, 40)
	if e := held(eves); e < 40 {
		t.Errorf("after a restart Eve's river holds %d entries, want 40", e)
	}
	if wrong, rivers := p.compare(); len(wrong) > 0 || rivers != 2 {
		t.Errorf("of %d rivers: %v", rivers, wrong)
	}
}
