package river

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A river waiting in the queue is opened during a turn that leaves a mark in it.
func TestOvertakenInTheQueue(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve", "dan", "fay", "gus", "hal")
	p.stop()
	p.set.Poll = time.Hour
	p.set.Marks = 1
	var armed atomic.Bool
	at, on := make(chan struct{}), make(chan struct{})
	hold := func() error {
		if armed.Load() {
			at <- struct{}{}
			<-on
		}
		return nil
	}
	p.faults.turn, p.faults.written = hold, hold
	p.start()
	p.follow("ann", "bob")
	p.post("bob", "one")
	p.sync()
	_, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	names := []string{"", "eve", "dan", "fay", "gus", "hal"}
	for _, name := range names {
		_, err := p.node.Visit(t.Context(), p.page(name, KindUser, "bob"), At{})
		p.must(err)
		_, err = p.node.Visit(t.Context(), everything(p.user(name)), At{})
		p.must(err)
	}
	next := func() { on <- struct{}{}; <-at }
	armed.Store(true)
	p.node.Ring()
	<-at               // a turn begins
	for i := range 6 { // and each river gets marks
		p.post("bob", fmt.Sprint("two ", i))
	}
	next() // written
	next() // the next turn begins: all are marked and in the queue
	q := func() int {
		return slices.IndexFunc(p.node.queue, func(rv *river) bool { return rv.key == p.home("ann") })
	}
	t.Log("place in the queue:", q(), "of", len(p.node.queue))
	// A visit brings the home up to date in the next turn; the home stays in the queue.
	looked := make(chan *View)
	go func() {
		v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
		if err != nil {
			t.Error(err)
		}
		looked <- v
	}()
	waitUntil(t, "the visit asks for a refresh", func() bool {
		p.node.asks.mu.Lock()
		defer p.node.asks.mu.Unlock()
		return len(p.node.asks.refresh) > 0
	})
	next() // written
	next() // begins
	next() // written: home is right
	next() // begins
	v := <-looked
	t.Log("place in the queue:", q(), "of", len(p.node.queue), "home:", texts(v.Entries)[:1])
	p.post("bob", "three")
	next() // written: the turn treats the home as closed
	w, err := p.node.Watch(t.Context(), p.home("ann"))
	p.must(err)
	defer w.Close()
	_, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	turns := p.node.Turns()
	for range 40 {
		next()
		if patch, err := w.Patch(v.Counter, window); err == nil && len(patch.Ops) > 0 {
			break
		}
	}
	armed.Store(false)
	on <- struct{}{}
	if n := p.node.Turns() - turns; n > 2 {
		t.Errorf("the open page is told of it after %d turns, of which the second was to bring it", n)
	}
}

// TestHealedWhileATurnFails: the loop is about to release a post from quarantine when its turn
// fails. It must remember the release, even if other readers read the post meanwhile.
func TestHealedWhileATurnFails(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "dan")
	bad := &poison{stage: "fold"}
	p.stop()
	p.faults.spoil = bad.panicOn
	var fail atomic.Bool
	failed, on := make(chan struct{}), make(chan struct{})
	p.faults.written = func() error {
		if fail.CompareAndSwap(true, false) {
			close(failed)
			<-on
			return errors.New("failed")
		}
		return nil
	}
	begin := &gate{}
	p.faults.turn = func() error { begin.pass(); return nil }
	p.start()
	p.follow("ann", "bob")
	one := p.post("bob", "one")
	p.post("bob", "two")
	p.sync()
	bad.put(one, true)
	want(t, "home", p.visit(p.home("ann")), "two")
	bad.put(one, false)
	begin.arm(1)
	p.node.Ring()
	begin.held(t)
	fail.Store(true)
	p.like("dan", one)
	begin.release()
	<-failed // the turn with the release fails
	_, err := p.node.FromPrimary(t.Context(), single(0, one), At{})
	close(on)
	p.must(err)
	p.sync()
	p.sync()
	want(t, "home", p.visit(p.home("ann")), "two", "one")
	p.compareAll()
}

// A viewer's sets are dropped with the viewer's last river.
func TestSetsAreDroppedWithTheLastRiver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("bob", "one")
	p.visit(p.home("ann"))
	p.visit(everything(p.user("ann")))
	p.clock.advance(48 * time.Hour)
	p.node.Expire()
	p.sync()
	p.sync()
	db, err := sql.Open("sqlite3", "file:"+p.path+"?mode=ro")
	p.must(err)
	defer db.Close()
	var rivers, sets int
	p.must(db.QueryRow(`select (select count(*) from rivers), (select count(*) from sets)`).Scan(&rivers, &sets))
	if rivers == 0 && sets != 0 {
		t.Errorf("no river is left, and %d sets", sets)
	}
}
