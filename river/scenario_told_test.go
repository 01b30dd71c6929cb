package river

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A brake lets the loop take so many turns more and then none.
type brake struct {
	left atomic.Int64
	held chan struct{} // has a value when a turn was refused
}

// brake puts a brake on the loop of a site that has not started.
func (p *testSite) brake() *brake {
	b := &brake{held: make(chan struct{}, 1)}
	b.release()
	p.faults.turn = func() error {
		if b.left.Add(-1) >= 0 {
			return nil
		}
		select {
		case b.held <- struct{}{}:
		default:
		}
		return errors.New("the brake is on")
	}
	return b
}

func (b *brake) release() { b.left.Store(1 << 40) }

// hold lets no turn begin any more, and returns when none is under way.
func (b *brake) hold() {
	b.left.Store(0)
	select {
	case <-b.held: // of an earlier time
	default:
	}
	<-b.held
}

// one lets the loop take one turn over all changes committed so far.
func (b *brake) one(p *testSite) {
	turns := p.node.Turns()
	b.left.Store(1)
	for p.node.Turns() == turns {
		<-b.held // a turn begun before the release of the brake, or after the one turn
	}
	b.hold()
}

// A reader is an open page that applies its patches.
type reader struct {
	p       *testSite
	watch   *Watch
	window  Window
	counter int64
	shows   map[timeline.PostID]*Entry
}

func (p *testSite) open(key Key) *reader {
	p.t.Helper()
	w, err := p.node.Watch(p.t.Context(), key)
	p.must(err)
	p.t.Cleanup(w.Close)
	first, window, err := w.Resume(Resume{})
	p.must(err)
	r := &reader{p, w, window, first.To, make(map[timeline.PostID]*Entry)}
	for _, e := range first.Entries {
		r.shows[e.Facts.ID] = &e
	}
	return r
}

// applyPatch applies the changes since the last call, and returns the number of entries that are
// shown then.
func (r *reader) applyPatch() int {
	r.p.t.Helper()
	patch, err := r.watch.Patch(r.counter, r.window)
	r.p.must(err)
	for _, op := range patch.Ops {
		if r.shows[op.Post] = op.Entry; op.Gone {
			delete(r.shows, op.Post)
		}
	}
	r.counter = patch.To
	return len(r.shows)
}

// TestTakenAndGivenBackAmidASweep: an open page gets the effect of a ban, and then of the ban's
// end, though the sweep had not reached its entries in between.
func TestTakenAndGivenBackAmidASweep(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.chunk = 2
	b := p.brake()
	p.start()
	p.follow("ann", "bob")
	for i := range 20 {
		p.comment("eve", p.post("bob", fmt.Sprint(i)), "hello")
	}
	p.sync()
	page := p.open(p.home("ann"))
	b.hold()
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	b.one(p)
	if n := page.applyPatch(); n == 0 || n == 20 {
		t.Fatalf("after the first turn of the sweep %d of 20 entries are shown", n)
	}
	p.must(p.store.Unban(t.Context(), p.user("ann"), "eve"))
	b.release()
	p.compareAll()
	if n := page.applyPatch(); n != 20 {
		t.Errorf("in the end %d of 20 entries are shown", n)
	}
}

// TestBanWithoutVisibleEffectKeepsEntries: a ban concerns entries, but changes no part of them that is
// shown. None of them disappears.
func TestBanWithoutVisibleEffectKeepsEntries(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve", "mal")
	p.stop()
	p.set.chunk = 2
	p.start()
	p.follow("ann", "bob")
	for i := range 20 {
		post := p.post("bob", fmt.Sprint(i))
		p.must(p.store.LikeComment(t.Context(), p.user("mal"), post, p.comment("eve", post, "hello")))
	}
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	p.sync()
	page := p.open(p.home("ann"))
	p.compareAll()
	p.must(p.store.Ban(t.Context(), p.user("ann"), "mal"))
	p.node.WaitRevoked()
	page.applyPatch()
	p.compareAll()
	if n := page.applyPatch(); n != 20 {
		t.Errorf("%d of 20 entries are shown", n)
	}
}

// TestTrimmedAsAPostSinks: a post that sinks below the floor in the same turn in which the floor
// rises leaves the page.
func TestTrimmedAsAPostSinks(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.Deepest, p.set.OpenMost = 10, 20
	b := p.brake()
	p.start()
	p.follow("ann", "bob")
	sunk := p.post("bob", "sunk")
	for i := range 8 {
		p.post("bob", fmt.Sprint("old ", i))
	}
	p.sync()
	p.open(p.home("ann"))
	for i := range 10 {
		p.post("bob", fmt.Sprint("new ", i))
		p.sync()
	}
	c := p.comment("ann", sunk, "up")
	p.sync()
	b.hold()
	for i := range 3 {
		p.post("bob", fmt.Sprint("last ", i))
	}
	b.one(p)
	p.must(p.store.DeleteComment(t.Context(), p.user("ann"), sunk, c))
	b.release()
	p.compareAll()
}

// TestDeletedCommentOfAHiddenPersonLeavesTheFold: the line about a hidden comment disappears
// with the comment.
func TestDeletedCommentOfAHiddenPersonLeavesTheFold(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve", "zoe")
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	c := p.comment("eve", post, "first")
	p.comment("zoe", post, "second")
	p.must(p.store.HideUser(t.Context(), p.user("ann"), "eve", timeline.HiddenParts{Comments: true}))
	p.sync()
	p.visit(p.home("ann"))
	p.must(p.store.DeleteComment(t.Context(), p.user("eve"), post, c))
	p.compareAll()
}

// TestWalksOfOthers: while the feed of a person is walked, pages that do not depend on the
// feed are shown from memory.
func TestWalksOfOthers(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "zoe")
	p.stop()
	p.set.chunk = 2
	b := p.brake()
	p.start()
	for i := range 40 {
		p.post("ann", fmt.Sprint(i))
	}
	post := p.post("zoe", "mine")
	p.status("ann", "private")
	p.waitSettled()
	keys := []Key{single(p.user("zoe"), post), single(0, post), p.page("bob", KindUser, "zoe")}
	for _, key := range keys {
		p.visit(key)
	}
	b.hold()
	p.status("ann", "public")
	b.one(p)
	if len(p.node.st.jobs) == 0 {
		t.Fatal("no walk is under way")
	}
	for _, key := range keys {
		done := make(chan struct{})
		go func() {
			defer close(done)
			v, err := p.node.Visit(t.Context(), key, At{})
			if err != nil || !v.Live {
				t.Errorf("%v is not shown from memory: %v", key, err)
			}
		}()
		for waiting := true; waiting; {
			select {
			case <-done:
				waiting = false
			case <-b.held:
				b.left.Store(1)
			}
		}
		if len(p.node.st.jobs) == 0 {
			t.Fatal("the walk was over before")
		}
		if _, _, ok := p.node.CacheKey(key, At{}); !ok {
			t.Errorf("%v has no key", key)
		}
	}
	b.release()
	p.compareAll()
}

// TestMissedChangesAreReported: a node that missed changes reports the gap, because ends of
// sessions may be among the changes. A node that only lost its river DB missed none.
func TestMissedChangesAreReported(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	b := p.brake()
	forgot, ended := make(chan struct{}, 9), make(chan struct{}, 9)
	p.config = func(c *Config) {
		c.Forgot = func() { forgot <- struct{}{} }
		c.Ended = func([]byte) { ended <- struct{}{} }
	}
	p.start()
	ends := func() {
		t.Helper()
		secret, err := p.store.NewSession(t.Context(), p.user("ann"), true, "test")
		p.must(err)
		p.must(p.store.EndSession(t.Context(), secret))
	}
	b.hold()
	ends()
	p.removeRiverDB()
	b.release()
	p.sync()
	p.sync()
	if len(forgot) != 0 || len(ended) != 1 {
		t.Errorf("a lost river DB: %d times forgot, told of %d ends", len(forgot), len(ended))
	}
	b.hold()
	ends()
	_, err := p.store.Pool().Exec(t.Context(), `update log_head set uuid = gen_random_uuid()`)
	p.must(err)
	b.release()
	p.sync()
	if len(forgot) != 1 {
		t.Error("a node that missed changes does not say so")
	}
}
