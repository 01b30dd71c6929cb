package river

import (
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
)

// Tests of pages that are shown while the work after a change of access is half done.

// TestPageAtTheBottomWaitsForAWalkToItsEnd: a page that ends with its river waits for the end of
// a walk, because the walk may add posts below the page's last entry.
func TestPageAtTheBottomWaitsForAWalkToItsEnd(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "bob", "dan")
	p.stop()
	p.set.chunk = 2
	b := p.brake()
	p.start()
	for i := range 6 {
		p.post("bob", fmt.Sprint("bob ", i))
	}
	p.post("dan", "dan")
	p.post("bob", "bob 6")
	p.post("bob", "bob 7")
	p.status("bob", "private")
	p.live(everything(0))
	want(t, "before", p.visit(everything(0)), "dan")
	b.hold()
	p.status("bob", "public")
	for range 3 { // the sweep's turn, and two of the walk's
		b.one(p)
	}
	if rv, _, _, n := p.of(everything(0)); len(p.node.st.jobs) != 1 || n != 5 || !rv.finished {
		t.Fatalf("the walk did not come by dan's post and no further: %v, %d entries", p.node.st.jobs, n)
	}
	v, todo, err := p.node.viewFromMemory(everything(0), At{})
	p.must(err)
	if v != nil || todo == nil {
		t.Errorf("in the middle of a walk the page shows %q", texts(v.Entries))
	}
	b.release()
	want(t, "in the end", p.visit(everything(0)), "bob 7", "bob 6", "dan", "bob 5", "bob 4", "bob 3", "bob 2", "bob 1", "bob 0")
	p.compareAll()
}

// TestPageIsShownOnceTheSweepHasPassedIt: a page waits for a sweep only down to the page's last
// entry. A page that ends with its river waits for the end of the sweep, because the sweep may
// add posts below the page.
func TestPageIsShownOnceTheSweepHasPassedIt(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "dan", "eve", "gil")
	p.stop()
	p.set.chunk = 1
	b := p.brake()
	p.start()
	p.follow("ann", "dan")
	p.follow("eve", "gil")
	p.post("dan", "dan 0")
	p.post("bob", "bob 0")
	p.post("dan", "dan 1")
	p.post("bob", "bob 1")
	p.post("gil", "gil")
	p.live(p.home("ann"), p.home("eve")) // the rivers of open pages are not cut down to a chunk
	want(t, "before", p.visit(p.home("ann")), "dan 1", "dan 0")
	shown := func(viewer string, count int) []string {
		t.Helper()
		v, todo, err := p.node.viewFromMemory(p.home(viewer), At{Count: count})
		p.must(err)
		if v == nil && todo == nil {
			t.Errorf("a page of %d entries is left to the primary", count)
		}
		if v == nil {
			return []string{"waits"}
		}
		return texts(v.Entries)
	}
	b.hold()
	p.follow("ann", "bob")
	b.one(p)
	want(t, "a page of one entry, which is swept", shown("ann", 1), "bob 1")
	want(t, "a page of two entries, one of which is swept", shown("ann", 2), "waits")
	b.one(p)
	want(t, "a page of two entries, which are swept", shown("ann", 2), "bob 1", "dan 1")
	want(t, "a page of three entries, two of which are swept", shown("ann", 3), "waits")
	b.release()
	want(t, "in the end", p.visit(p.home("ann")), "bob 1", "dan 1", "bob 0", "dan 0")

	want(t, "a river of one entry, before", p.visit(p.home("eve")), "gil")
	b.hold()
	p.follow("eve", "bob")
	b.one(p)
	if rv, stale, _, n := p.of(p.home("eve")); n != 1 || stale == 0 || !rv.finished {
		t.Fatalf("the sweep did not come to the only entry and no further: %d entries, stale since %d", n, stale)
	}
	want(t, "a page of the only entry", shown("eve", 1), "waits")
	b.release()
	want(t, "in the end", p.visit(p.home("eve")), "gil", "bob 1", "bob 0")
	p.compareAll()
}

// TestPageBelowWhatWasSweptIsOfTheRiver: after a sweep, a river is extended below the place at
// which the sweep ended.
func TestPageBelowWhatWasSweptIsOfTheRiver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	for i := range 40 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	top, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	p.follow("ann", "bob")
	p.waitSettled()
	below, err := p.node.Visit(t.Context(), p.home("ann"), At{Before: *top.Older, Count: 3})
	p.must(err)
	if want(t, "the page", texts(below.Entries), "14", "13", "12"); !below.Live {
		t.Error("the page is not of the river")
	}
}

// closing makes a site on which bob's feed becomes private in a turn that leaves
// all of bob's posts to later turns, because other posts come first; ann follows
// bob. The loop is then held up.
func closing(t *testing.T, before func(p *testSite)) (*testSite, *brake) {
	first := []string{"ada", "bea", "cyd", "deb"} // made first, so their timelines have lower ids
	p := newTestSite(t, append(first, "ann", "bob", "dan")...)
	p.stop()
	p.set.chunk, p.set.SaveAgain = 1, time.Millisecond
	b := p.brake()
	p.start()
	for _, name := range append(first, "bob") {
		p.follow("ann", name)
	}
	p.post("dan", "dan 0")
	p.post("dan", "dan 1")
	p.post("bob", "bob 0")
	p.post("bob", "bob 1")
	p.sync()
	p.visit(p.home("ann")) // so that the node knows their timelines
	before(p)
	p.waitSettled()
	b.hold()
	for _, name := range append(first, "bob") {
		p.status(name, "private")
	}
	b.one(p)
	return p, b
}

// sweptYet reports whether no job is left.
func (p *testSite) sweptYet() bool {
	p.node.mu.RLock()
	defer p.node.mu.RUnlock()
	return len(p.node.st.jobs) == 0
}

// TestResumeIgnoresEntriesTheViewerMayNoLongerRead: a page resumes with entries that its viewer
// may no longer read, before the job reaches these entries. They do not count for the page's
// window.
func TestResumeIgnoresEntriesTheViewerMayNoLongerRead(t *testing.T) {
	long(t)
	t.Parallel()
	var v *View
	var w *Watch
	p, b := closing(t, func(p *testSite) {
		v, w = p.opened(everything(0), At{Count: 2})
		want(t, "before", texts(v.Entries), "bob 1", "bob 0")
	})
	if _, _, _, n := p.of(everything(0)); p.sweptYet() || n < 4 {
		t.Fatal("a job came to bob's posts already")
	}
	patch, window, err := w.Resume(Resume{At: At{Count: 2}, Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	var told []string
	for _, op := range patch.Ops {
		if !op.Gone {
			told = append(told, op.Entry.Fold.Text.Text)
		}
	}
	want(t, "the page is told", told, "dan 1", "dan 0")
	if place := v.Entries[1].Cursor; !window.Low.Below(place) {
		t.Errorf("its window ends at %v, where the last of what may not be seen stands, or above: %v", window.Low, place)
	}
	b.release()
	p.compareAll()
}

// TestFlippedEntryIsDecidedWhenShownAfterAKill kills a node before its jobs come to a post whose
// access changed. The next node decides the post when it shows the post: the river of everything
// leaves out a post that is only private, even for a subscriber who may read it.
func TestFlippedEntryIsDecidedWhenShownAfterAKill(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		before func(*testSite)
	}{
		{"its river DB kept", func(*testSite) {}},
		{"its river DB lost and saved anew", func(p *testSite) { p.removeRiverDB() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var v *View
			p, b := closing(t, func(p *testSite) {
				var err error
				v, err = p.node.Visit(t.Context(), everything(p.user("ann")), At{})
				p.must(err)
			})
			test.before(p)
			b.one(p) // saves the lost rivers
			if p.sweptYet() || p.node.dbIncomplete.Load() {
				t.Fatal("the jobs are over, or the river DB is lost")
			}
			p.stop()
			b.left.Store(2) // turns of the next life: start may wait for the second
			p.start()
			b.hold()
			rv, _, _, _ := p.of(everything(p.user("ann")))
			if p.sweptYet() || rv == nil || rv.epoch != v.Epoch || len(rv.order) < 4 {
				t.Fatal("a job came to bob's posts already, or the river was made anew")
			}
			want(t, "everything", p.visit(everything(p.user("ann"))), "dan 1", "dan 0")
			b.release()
			p.compareAll()
		})
	}
}
