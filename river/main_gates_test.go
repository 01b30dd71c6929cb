package river

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A gate holds up the goroutines that pass a point of a protocol.
type gate struct {
	mu  sync.Mutex
	let int // how many more it lets pass
	n   int // how many it then holds up
	of  int
	hit chan struct{}
	on  chan struct{} // closed to let go
}

// arm holds up the next n.
func (g *gate) arm(n int) { g.armAfter(0, n) }

// armAfter holds up the next n but some.
func (g *gate) armAfter(let, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.let, g.n, g.of, g.hit, g.on = let, n, n, make(chan struct{}, n), make(chan struct{})
}

func (g *gate) pass() {
	g.mu.Lock()
	if g.n == 0 || g.let > 0 {
		g.let = max(0, g.let-1)
		g.mu.Unlock()
		return
	}
	g.n--
	hit, on := g.hit, g.on
	g.mu.Unlock()
	hit <- struct{}{}
	<-on
}

// held waits until the gate holds up all n.
func (g *gate) held(t testing.TB) {
	t.Helper()
	for range g.of {
		select {
		case <-g.hit:
		case <-time.After(patience):
			t.Fatal("no goroutine came to the gate")
		}
	}
}

func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.on != nil {
		close(g.on)
	}
	g.n, g.on = 0, nil
}

// gates puts a gate at every point where a worker can be held up, and starts the
// node again with them.
func (p *testSite) gates() map[string]*gate {
	p.t.Helper()
	p.stop()
	all := make(map[string]*gate)
	at := func(name string) func() {
		g := new(gate)
		all[name] = g
		return g.pass
	}
	turn, written, repeat := at("a turn begins"), at("between writing and publishing"), at("after the snapshot")
	p.faults.turn = func() error { turn(); return nil }
	p.faults.sequenced = at("before the snapshot")
	p.faults.repeat = func() bool { repeat(); return false }
	p.faults.written = func() error { written(); return nil }
	p.faults.apply = at("while publishing")
	p.faults.registered = at("before the builder's snapshot")
	p.faults.building = at("after the builder's snapshot")
	p.t.Cleanup(func() {
		for _, g := range all {
			g.release()
		}
	})
	p.start()
	return all
}

// loopPoints are the gates on the loop's way.
var loopPoints = []string{"a turn begins", "before the snapshot", "after the snapshot", "between writing and publishing", "while publishing"}

// holding does things while the loop waits to begin a turn: one turn reads them
// all.
func (p *testSite) holding(gates map[string]*gate, do func()) {
	p.t.Helper()
	g := gates["a turn begins"]
	g.arm(1)
	p.node.Ring()
	g.held(p.t)
	do()
	g.release()
}

// A killer ends a node between the writing and the publication of a turn.
type killer struct {
	armed   atomic.Bool
	hit, on chan struct{}
}

// mortal restarts the node with a killer.
func (p *testSite) mortal() *killer {
	long(p.t)
	p.t.Helper()
	k := new(killer)
	p.stop()
	p.faults.written = func() error {
		if !k.armed.CompareAndSwap(true, false) {
			return nil
		}
		close(k.hit)
		<-k.on
		return errors.New("killed")
	}
	p.start()
	return k
}

// kill runs do, kills the node in the next turn or the one under way, and starts another node on
// the files.
func (p *testSite) kill(k *killer, do func()) {
	p.t.Helper()
	k.hit, k.on = make(chan struct{}), make(chan struct{})
	k.armed.Store(true)
	do()
	p.node.Ring()
	<-k.hit
	p.cancel()
	close(k.on)
	p.stop()
	p.start()
}
