package river

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestWatchOfALivingRiverTakesNoStatement: pages that reconnect find their river in memory, so a
// thousand reconnections at once need neither statements nor turns.
func TestWatchOfALivingRiverTakesNoStatement(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	p.post("bob", "one")
	v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	p.sync()
	p.stop() // the loop has ended and SQLite is closed: any caller of them fails
	before := p.store.Pool().Stat().AcquireCount()
	w, err := p.node.Watch(t.Context(), p.home("ann"))
	p.must(err)
	defer w.Close()
	patch, _, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	if err != nil || len(patch.Ops) != 0 || patch.Reset {
		t.Errorf("a page that missed nothing is told %+v (%v)", patch, err)
	}
	if n := p.store.Pool().Stat().AcquireCount() - before; n != 0 {
		t.Errorf("opening a river that is right took %d connections to the primary", n)
	}
}

// TestOpenedDuringATurn opens a river during a turn that treats it as closed and leaves a mark.
// The page gets the changes of that turn and of the next.
func TestOpenedDuringATurn(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve", "dan", "fay", "gus", "hal")
	p.stop()
	p.set.Poll = time.Hour // nothing comes to the marks by itself
	p.set.Marks = 1        // of many marks
	var armed, counting atomic.Bool
	reached, on := make(chan struct{}), make(chan struct{})
	p.faults.written = func() error {
		if armed.CompareAndSwap(true, false) {
			counting.Store(true)
			close(reached)
			<-on
		}
		return nil
	}
	// Earlier doorbells cause turns of their own, so count turns when they begin: the third one
	// waits until the test has read the page.
	begun := 0
	third, looked := make(chan struct{}), make(chan struct{})
	p.faults.turn = func() error {
		if counting.Load() {
			if begun++; begun == 2 {
				close(third)
				<-looked
			}
		}
		return nil
	}
	p.start()
	p.follow("ann", "bob")
	one := p.post("bob", "one")
	p.sync()
	v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	for _, name := range []string{"", "eve", "dan", "fay", "gus", "hal"} {
		_, err := p.node.Visit(t.Context(), p.page(name, KindUser, "bob"), At{})
		p.must(err)
	}
	armed.Store(true)
	p.post("bob", "two")
	<-reached
	w, err := p.node.Watch(t.Context(), p.home("ann"))
	p.must(err)
	defer w.Close()
	_, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	close(on)
	for told, late := false, false; !told; {
		select {
		case <-w.C():
		case <-third:
			late = true
		}
		patch, err := w.Patch(v.Counter, window)
		p.must(err)
		if told = len(patch.Ops) > 0; told && patch.Ops[0].Entry.Fold.Text.Text != "two" {
			t.Errorf("the page is told of %q first", patch.Ops[0].Entry.Fold.Text.Text)
		}
		if late && !told {
			t.Error("two turns have not brought it")
			break
		}
	}
	close(looked)
	p.like("ann", one)
	p.sync()
	p.compareAll()
}

// TestLikeOfAMarkedPostIsTold has a turn change the shared fold of a post, and mark
// the post in a river that is opened during the turn. The watch gets the like when
// the mark is decided, though the decision itself changes nothing.
func TestLikeOfAMarkedPostIsTold(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.Poll = time.Hour
	// While armed, each turn waits at its beginning and before its publication.
	var armed atomic.Bool
	at, on := make(chan string), make(chan struct{})
	hold := func(stage string) func() error {
		return func() error {
			if armed.Load() {
				at <- stage
				<-on
			}
			return nil
		}
	}
	p.faults.turn, p.faults.written = hold("beginning"), hold("written")
	// An earlier doorbell may have started a turn.
	reach := func(stage string) {
		for <-at != stage {
			on <- struct{}{}
		}
	}
	p.start()
	_, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "birds"})
	p.must(err)
	p.follow("ann", "bob")
	one := p.post("bob", "one", "user", "group:birds")
	p.sync()
	v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	armed.Store(true)
	p.node.Ring()
	reach("beginning")
	p.like("eve", one)
	p.must(p.store.RemoveFromGroup(t.Context(), p.user("bob"), one, "birds"))
	on <- struct{}{}
	reach("written") // the turn has all changes, and has treated the home as closed
	w, err := p.node.Watch(t.Context(), p.home("ann"))
	p.must(err)
	defer w.Close()
	_, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	on <- struct{}{}
	reach("beginning") // the next is about to work the mark off
	<-w.C()
	patch, err := w.Patch(v.Counter, window)
	if err != nil || len(patch.Ops) > 0 || patch.To != v.Counter {
		t.Errorf("before the mark is worked off it is told %+v (%v)", patch, err)
	}
	armed.Store(false)
	on <- struct{}{}
	<-w.C()
	if patch, err = w.Patch(v.Counter, window); err != nil || len(patch.Ops) != 1 || len(patch.Ops[0].Entry.Fold.Likes.Users) != 1 {
		t.Errorf("after that it is told %+v (%v)", patch, err)
	}
}

// TestBelowTheEndOfAPage opens a page that shows its river to the end. The river is rebuilt, and
// the page connects again: it gets the entries that came in below its last entry.
func TestBelowTheEndOfAPage(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "dan")
	p.follow("ann", "bob")
	p.post("dan", "old")
	p.post("bob", "new")
	p.sync()
	v, w := p.opened(p.home("ann"), At{})
	want(t, "home", texts(v.Entries), "new")
	p.follow("ann", "dan")
	p.waitSettled()
	patch, window, err := w.Resume(Resume{Epoch: "of another node", Counter: 7, Have: haveOf(v)})
	p.must(err)
	if len(patch.Ops) != 1 || patch.Ops[0].Gone || patch.Ops[0].Entry.Fold.Text.Text != "old" {
		t.Errorf("the page is told %+v", patch.Ops)
	}
	if (window.Low != timeline.Cursor{}) {
		t.Errorf("and shows what is above %v", window.Low)
	}
}

// TestTooMuchForAPatch: if a whole feed enters a page, the page is reset.
func TestTooMuchForAPatch(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	for i := range mostOps + 20 {
		p.post("bob", fmt.Sprint("bob ", i))
	}
	v, w := p.opened(p.home("ann"), At{})
	p.follow("ann", "bob")
	p.waitSettled()
	if patch, err := w.Patch(v.Counter, Window{High: timeline.Top}); !errors.Is(err, ErrGone) {
		t.Errorf("the page is told %+v (%v)", patch, err)
	}
	patch, _, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter})
	if err != nil || !patch.Reset || len(patch.Entries) != defaultCount {
		t.Errorf("the page is reset to %d entries (%v)", len(patch.Entries), err)
	}
}
