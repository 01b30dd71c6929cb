package river

import (
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// A night is a page that slept, and wakes up in its old state.
type night struct {
	*testSite
	watch *Watch
	knew  Resume
	names map[timeline.PostID]string
}

// sleeps opens a page of everything, so that its river lives on, and keeps only the content of
// the page.
func (p *testSite) sleeps(t *testing.T, at At, names map[timeline.PostID]string, shows ...string) *night {
	t.Helper()
	v, w := p.opened(everything(0), at)
	want(t, "the page", texts(v.Entries), shows...)
	return &night{p, w, Resume{At: at, Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)}, names}
}

// wantOps fails the test unless the page gets these ops at its waking.
func (n *night) wantOps(t *testing.T, wanted ...string) {
	t.Helper()
	patch, _, err := n.watch.Resume(n.knew)
	n.must(err)
	if patch.Reset {
		t.Error("the page is reset, and should be told what changed")
	}
	want(t, "the page is told", ops(patch, n.names), wanted...)
}

// named writes posts with the given names.
func (p *testSite) named(author string, texts ...string) map[timeline.PostID]string {
	p.t.Helper()
	names := make(map[timeline.PostID]string)
	for _, text := range texts {
		names[p.post(author, text)] = text
	}
	p.sync()
	return names
}

// idOf is the post of a name.
func idOf(names map[timeline.PostID]string, name string) timeline.PostID {
	for id, is := range names {
		if is == name {
			return id
		}
	}
	return 0
}

// TestPostThatSankBelowTheFloorLeavesAPageThatSlept checks that a tombstone keeps the old place
// of a post, even if an extension of the river brings the post back further down.
func TestPostThatSankBelowTheFloorLeavesAPageThatSlept(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprint(i))
	}
	names := p.named("bob", texts...)
	up := p.comment("ann", idOf(names, "0"), "up")
	p.sync()
	p.visit(everything(0))
	asleep := p.sleeps(t, At{Count: 2}, names, "0", "59")
	p.must(p.store.DeleteComment(t.Context(), p.user("ann"), idOf(names, "0"), up))
	p.sync()
	if rv, _, _, n := p.of(everything(0)); rv.finished || n >= 60 {
		t.Fatalf("the river holds all %d posts: none sank below its floor", n)
	}
	at := At{}
	for {
		v, err := p.node.Visit(t.Context(), everything(0), at)
		p.must(err)
		if v.Older == nil {
			break
		}
		at.Before = *v.Older
	}
	if rv, _, _, n := p.of(everything(0)); !rv.finished || n != 60 {
		t.Fatalf("the river holds %d posts of 60", n)
	}
	asleep.wantOps(t, "58 after 59", "0 gone")
}

// TestPageThatSleptLongerThanTombstonesIsToldWhatLeft: if a page's counter is older than a
// dropped tombstone, the page is compared entry by entry.
func TestPageThatSleptLongerThanTombstonesIsToldWhatLeft(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "bob")
	names := p.named("bob", "a", "b", "c")
	asleep := p.sleeps(t, At{}, names, "c", "b", "a")
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), idOf(names, "b")))
	p.sync()
	p.clock.advance(25 * time.Hour)
	p.expire()
	if _, _, _, tombs := p.living(); tombs != 0 {
		t.Fatalf("there are %d tombstones after a day", tombs)
	}
	asleep.wantOps(t, "b gone")
	p.stop()
	p.start() // so does the next life of the node
	w, err := p.node.Watch(t.Context(), everything(0))
	p.must(err)
	defer w.Close()
	asleep.watch = w
	asleep.wantOps(t, "b gone")
}

// TestTombstoneIsSavedAnew: after the loss of the river DB, even the node's next life removes
// the entries that left a sleeping page before the loss.
func TestTombstoneIsSavedAnew(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "bob")
	p.stop()
	p.set.SaveAgain = time.Millisecond
	p.start()
	names := p.named("bob", "a", "b", "c")
	asleep := p.sleeps(t, At{}, names, "c", "b", "a")
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), idOf(names, "b")))
	p.sync()
	p.removeRiverDB()
	p.waitSettled()
	if s := p.node.Stats(); s.Renewed != 1 || s.RiverDBIncomplete {
		t.Fatalf("%d river DBs were made, adrift %v", s.Renewed, s.RiverDBIncomplete)
	}
	asleep.watch.Close()
	p.stop()
	p.start()
	w, err := p.node.Watch(t.Context(), everything(0))
	p.must(err)
	defer w.Close()
	if w.Epoch() != asleep.knew.Epoch {
		t.Fatal("the river was made anew")
	}
	asleep.watch = w
	asleep.wantOps(t, "b gone")
}
