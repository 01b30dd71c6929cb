package river

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// second starts another node on the site, with settings of its own.
func (p *testSite) second(set Settings) *testSite {
	p.t.Helper()
	q := &testSite{t: p.t, store: p.store, clock: p.clock, people: p.people, groups: p.groups, path: filepath.Join(p.t.TempDir(), "second.db"), set: set}
	p.t.Cleanup(func() { q.stop() })
	q.start()
	return q
}

// TestChunksOfAnySize: pages are the same whether a turn takes one post or a thousand.
func TestChunksOfAnySize(t *testing.T) {
	t.Parallel()
	p := flipping(t, 1)
	p.stop()
	p.start()
	set := p.set
	set.chunk = 1000
	nodes := []*testSite{p, p.second(set)}
	keys := p.flippingKeys()
	back := slices.Clone(flips)
	slices.Reverse(back) // in this order, because an excluded person can't subscribe
	for round, f := range append(slices.Clone(flips), back...) {
		for _, q := range nodes {
			for _, key := range keys {
				q.visitAny(key)
			}
		}
		do := f.there
		if round >= len(flips) {
			do = f.backAgain
		}
		p.must(do(p))
		// The nodes are compared with each other, and each every other time with the
		// primary.
		nodes[round%2].compareAll()
		nodes[1-round%2].waitSettled()
		for _, key := range keys {
			var tags [2][]Have
			for i, q := range nodes {
				if v, err := q.node.Visit(t.Context(), key, At{}); err == nil {
					tags[i] = haveOf(v)
				}
			}
			if diff := cmp.Diff(tags[0], tags[1]); diff != "" {
				t.Errorf("after %s, %+v (-by ones +by thousands):\n%s", f.name, key, diff)
			}
		}
	}
}

// sweeping makes a home of many entries, and stops its sweep before the second turn. The first
// turn swept one chunk; a chunk has two entries.
func sweeping(t *testing.T, n int) (*testSite, map[string]*gate) {
	p := newTestSite(t, "ann", "bob", "dan", "eve")
	p.set.chunk, p.set.Marks = 2, 2
	gates := p.gates()
	p.follow("ann", "bob")
	for i := range n {
		post := p.post("bob", fmt.Sprint("bob ", i))
		p.comment("eve", post, "hello")
		p.post("dan", fmt.Sprint("dan ", i))
	}
	p.sync()
	return p, gates
}

// turns lets the loop take n turns, and then stops it again.
func (p *testSite) turns(g *gate, n int) {
	p.t.Helper()
	for range n {
		g.release()
		g.arm(1)
		p.node.Ring()
		g.held(p.t)
	}
}

// of returns a living river, and how far its sweep came.
func (p *testSite) of(key Key) (rv *river, stale int64, swept timeline.Cursor, length int) {
	p.node.mu.RLock()
	defer p.node.mu.RUnlock()
	if rv = p.node.st.byKey[key]; rv == nil {
		return nil, 0, timeline.Cursor{}, 0
	}
	return rv, rv.stale, rv.swept, len(rv.order)
}

// TestSweepBeginsAgain: a second change of a viewer's rights, during the sweep for
// the first one, starts the sweep again.
func TestSweepBeginsAgain(t *testing.T) {
	long(t)
	t.Parallel()
	p, gates := sweeping(t, 12)
	_, watch := p.opened(p.home("ann"), At{})
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(t)
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	p.turns(g, 4)
	_, first, low, _ := p.of(p.home("ann"))
	if first == 0 || low == (timeline.Cursor{}) {
		t.Fatal("no sweep is under way")
	}
	p.follow("ann", "dan")
	p.turns(g, 1)
	if _, second, at, _ := p.of(p.home("ann")); second == first || !low.Below(at) {
		t.Errorf("the sweep is at %v, after it was at %v", at, low)
	}
	g.release()
	p.compareAll()
	patch, _, err := watch.Resume(Resume{})
	p.must(err)
	if n := len(patch.Entries); n != 24 {
		t.Errorf("%d entries, want 24", n)
	}
	for _, e := range patch.Entries {
		if e.Fold.Comments.Count != 0 {
			t.Errorf("%q shows a comment of a person the viewer banned", e.Fold.Text.Text)
		}
	}
}

// TestVisitWaitsForTheSweep: a visit in the middle of a sweep waits, and gets all posts that
// the change brings.
func TestVisitWaitsForTheSweep(t *testing.T) {
	t.Parallel()
	p, gates := sweeping(t, 8)
	p.opened(p.home("ann"), At{})
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(t)
	p.follow("ann", "dan")
	p.turns(g, 2)
	g.release()
	if n := len(p.visit(p.home("ann"))); n != 16 {
		t.Errorf("home has %d entries, want 16", n)
	}
}

// TestTimelineThatOpensDuringABuildIsInTheRiver: a timeline opens while a river is being built, and its walk ends
// before the build does. The posts of the timeline are in the river.
func TestTimelineThatOpensDuringABuildIsInTheRiver(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"before the builder's snapshot", "after the builder's snapshot"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			p, gates := sweeping(t, 8)
			p.follow("ann", "dan")
			p.status("dan", "fyeo")
			p.sync()
			g := gates[point]
			g.arm(1)
			n := make(chan int, 1)
			go func() {
				v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
				if err != nil {
					t.Error(err)
					v = new(View)
				}
				n <- len(v.Entries)
			}()
			g.held(t)
			p.status("dan", "public")
			for range 10 { // more than the walk takes
				p.sync()
			}
			g.release()
			if n := <-n; n != 16 {
				t.Errorf("home has %d entries, want 16", n)
			}
			p.compareAll()
		})
	}
}

// TestOlderWhileRenewed: the viewer's sets change while an older page is built; the page is right.
func TestOlderWhileRenewed(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	for _, point := range []string{"before the builder's snapshot", "after the builder's snapshot"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			p, gates := sweeping(t, 12)
			v, err := p.node.Visit(t.Context(), p.home("ann"), At{Count: 3})
			p.must(err)
			g := gates[point]
			g.arm(1)
			type answer struct {
				v   *View
				err error
			}
			answers := make(chan answer, 1)
			at := At{Count: 3, Before: *v.Older}
			go func() {
				v, err := p.node.Visit(t.Context(), p.home("ann"), at)
				answers <- answer{v, err}
			}()
			g.held(t)
			p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
			p.sync()
			g.release()
			older := <-answers
			p.must(older.err)
			fresh, err := p.node.FromPrimary(t.Context(), p.home("ann"), at)
			p.must(err)
			if diff := cmp.Diff(haveOf(fresh), haveOf(older.v)); diff != "" {
				t.Errorf("the older page (-want +got):\n%s", diff)
			}
			p.compareAll()
		})
	}
}

// TestDroppedWhileSwept: a river ends during its sweep, because its viewer may no longer open
// the page, or because it expired.
func TestDroppedWhileSwept(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	for name, drop := range map[string]func(p *testSite, w *Watch){
		"not to be opened": func(p *testSite, _ *Watch) { p.status("bob", "private") },
		"forgotten":        func(p *testSite, w *Watch) { w.Close(); p.clock.advance(5 * time.Hour); p.node.Expire() },
		"all are dropped": func(p *testSite, _ *Watch) {
			_, err := p.store.Pool().Exec(p.t.Context(), `update log_head set uuid = gen_random_uuid()`)
			p.must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, gates := sweeping(t, 8)
			key := p.page("dan", KindUser, "bob")
			_, watch := p.opened(key, At{})
			p.visit(everything(p.user("dan")))
			g := gates["a turn begins"]
			g.arm(1)
			p.node.Ring()
			g.held(t)
			p.must(p.store.Ban(t.Context(), p.user("dan"), "eve"))
			p.turns(g, 1)
			if _, stale, _, _ := p.of(key); stale == 0 {
				t.Fatal("it is not swept")
			}
			drop(p, watch)
			p.turns(g, 2)
			if rv, _, _, _ := p.of(key); rv != nil {
				t.Error("the river lives")
			}
			if _, err := watch.Patch(watch.Counter(), Window{High: timeline.Top}); !errors.Is(err, ErrGone) {
				t.Errorf("its open page: %v, want %v", err, ErrGone)
			}
			g.release()
			p.compareAll()
			p.must(p.store.Unban(t.Context(), p.user("dan"), "eve"))
			p.visit(everything(p.user("dan")))
			p.compareAll()
		})
	}
}

// TestClosedRiversKeepAChunk: a sweep keeps only a chunk of a closed river, and the
// river's page is complete all the same.
func TestClosedRiversKeepAChunk(t *testing.T) {
	long(t)
	t.Parallel()
	p, _ := sweeping(t, 10)
	want(t, "before", p.visit(p.home("ann"))[:2], "bob 9", "bob 8")
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	p.waitSettled()
	if _, _, _, n := p.of(p.home("ann")); n != p.set.chunk {
		t.Errorf("%d entries are held, want %d", n, p.set.chunk)
	}
	if n := len(p.visit(p.home("ann"))); n != 10 {
		t.Errorf("the page has %d entries, want 10", n)
	}
	p.compareAll()
}

// TestWalkUnderRiversOfStrangers: a walk lets posts in down to the bottom of
// finished rivers, of all viewers, however far down the posts stand.
func TestWalkUnderRiversOfStrangers(t *testing.T) {
	long(t)
	t.Parallel()
	p, gates := sweeping(t, 8)
	p.status("dan", "private")
	p.sync()
	for _, viewer := range []string{"", "ann", "eve"} {
		if n := len(p.visit(everything(p.user(viewer)))); n != 8 {
			t.Fatalf("%d entries, want 8", n)
		}
	}
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(t)
	p.status("dan", "public")
	p.turns(g, 2)
	if len(p.node.st.jobs) == 0 {
		t.Fatal("no walk is under way")
	}
	g.release()
	for _, viewer := range []string{"", "ann", "eve"} { // at once, and not when the walk is through
		if n := len(p.visit(everything(p.user(viewer)))); n != 16 {
			t.Errorf("everything for %q has %d entries, want 16", viewer, n)
		}
	}
	p.compareAll()
}

// TestShutAndOpenedWhileWalked: a timeline is closed and opened again within one turn. A walk
// under way still adds all posts that it has not reached.
func TestShutAndOpenedWhileWalked(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p, gates := sweeping(t, 8)
	p.status("dan", "private")
	p.sync()
	p.visit(everything(0))
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(t)
	p.status("dan", "public")
	p.turns(g, 2)
	p.status("dan", "private")
	p.status("dan", "public")
	p.turns(g, 1)
	g.release()
	p.compareAll()
	if n := len(p.visit(everything(0))); n != 16 {
		t.Errorf("everything has %d entries, want 16", n)
	}
}

// TestShutBeforeItsSweep: the turn that reads the closing of a timeline removes all its posts
// from an open page, though the job has only begun to sweep the timeline.
func TestShutBeforeItsSweep(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "bob")
	p.set.chunk = 1
	gates := p.gates()
	const n = 50
	for i := range n {
		p.post("bob", fmt.Sprint(i))
	}
	p.sync()
	at := At{Count: n}
	v, w := p.opened(everything(0), at)
	_, window, err := w.Resume(Resume{At: at, Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(t)
	from := w.Counter()
	p.status("bob", "private")
	p.turns(g, 1)
	if len(p.node.st.jobs) == 0 {
		t.Fatal("no job is under way")
	}
	patch, err := w.Patch(from, window)
	p.must(err)
	gone := 0
	for _, op := range patch.Ops {
		if op.Gone {
			gone++
		}
	}
	if len(v.Entries) != n || gone != n {
		t.Errorf("the page is told that %d of %d entries are gone, want %d", gone, len(v.Entries), n)
	}
	g.release()
	p.compareAll()
}

// TestJobOverDeletedPosts: posts that a job has not reached are deleted, rise and move.
func TestJobOverDeletedPosts(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"private", "public"} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob")
			p.set.chunk, p.set.Marks = 1, 1
			gates := p.gates()
			p.follow("ann", "bob")
			if to == "public" {
				p.status("bob", "private")
			}
			var posts []timeline.PostID
			for i := range 16 {
				posts = append(posts, p.post("bob", fmt.Sprint(i)))
			}
			p.sync()
			for _, viewer := range []string{"", "ann", "bob"} {
				p.visit(everything(p.user(viewer)))
			}
			p.visit(p.home("ann"))
			p.visit(p.home("bob"))
			g := gates["a turn begins"]
			g.arm(1)
			p.node.Ring()
			g.held(t)
			p.status("bob", to)
			for i := range 4 {
				p.turns(g, 1)
				p.must(p.store.DeletePost(t.Context(), p.user("bob"), posts[i]))
				p.must(p.store.EditPost(t.Context(), p.user("bob"), posts[4+i], timeline.PostEdit{To: []string{"user_fyeo"}}))
				p.comment("bob", posts[8+i], "up")
				p.must(p.store.DeletePost(t.Context(), p.user("bob"), posts[15-i]))
			}
			g.release()
			p.compareAll()
		})
	}
}
