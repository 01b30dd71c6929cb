package river

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// startsOver makes the node start over, and stops the next turn at its beginning.
func startsOver(p *testSite, config func(*Config)) (begun <-chan struct{}, on chan<- struct{}) {
	p.t.Helper()
	p.stop()
	var falls atomic.Int64
	var hold atomic.Bool
	at, let := make(chan struct{}), make(chan struct{})
	p.faults.turn = func() error {
		if falls.Add(-1) >= 0 {
			panic("made by the test")
		}
		if hold.CompareAndSwap(true, false) {
			at <- struct{}{}
			<-let
		}
		return nil
	}
	p.config = func(c *Config) {
		if config != nil {
			config(c)
		}
		was := c.Forgot
		c.Forgot = func() {
			hold.Store(true)
			if was != nil {
				was()
			}
		}
	}
	p.start()
	falls.Store(maxPanics)
	p.node.Ring()
	return at, let
}

// TestTakenWhileStartingOver: a page is visited after the node started over and before its next
// turn, and a right is revoked before that turn's snapshot.
func TestTakenWhileStartingOver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("bob", "secret soon")
	begun, on := startsOver(p, nil)
	<-begun
	visited := make(chan struct{})
	go func() {
		defer close(visited)
		_, _ = p.node.Visit(t.Context(), everything(0), At{})
	}()
	waitUntil(t, "the build waits for its installation", func() bool { return p.node.asks.toInstall() > 0 })
	p.status("bob", "private")
	on <- struct{}{}
	<-visited
	p.node.WaitRevoked()
	if got := p.visit(everything(0)); len(got) != 0 {
		t.Errorf("visitors are shown %q of a private feed", got)
	}
	p.compareAll()
}

// TestEndWhileStartingOver: a session ends after the node started over and before its next turn.
func TestEndWhileStartingOver(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	session, err := p.store.NewSession(t.Context(), p.user("ann"), true, "")
	p.must(err)
	who, err := p.store.Session(t.Context(), session)
	p.must(err)
	var mu sync.Mutex
	var heard bool
	begun, on := startsOver(p, func(c *Config) {
		c.Ended = func(hash []byte) {
			mu.Lock()
			defer mu.Unlock()
			heard = heard || bytes.Equal(hash, who.Hash)
		}
		c.Forgot = func() {
			mu.Lock()
			defer mu.Unlock()
			// Earlier answers about sessions are forgotten; new ones are trusted
			// again.
		}
	})
	<-begun
	// A request asks the primary for its session: the session is valid, and the
	// answer is kept.
	_, err = p.store.Session(t.Context(), session)
	p.must(err)
	p.must(p.store.EndSession(t.Context(), session))
	var again atomic.Bool
	p.node.cfg.Forgot = func() { again.Store(true) }
	on <- struct{}{}
	p.sync()
	p.sync()
	mu.Lock()
	defer mu.Unlock()
	if !heard && !again.Load() {
		t.Error("no frame said that the session ended or that changes were missed")
	}
}

// TestEndInATornTurn: a session ends in a turn that can't be published.
func TestEndInATornTurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	bad := &poison{stage: "publish"}
	p.stop()
	p.faults.spoil = bad.panicOn
	var mu sync.Mutex
	var heard, forgot bool
	gate := &gate{}
	p.faults.turn = func() error { gate.pass(); return nil }
	p.config = func(c *Config) {
		c.Ended = func([]byte) { mu.Lock(); defer mu.Unlock(); heard = true }
		c.Forgot = func() { mu.Lock(); defer mu.Unlock(); forgot = true }
	}
	p.start()
	post := p.post("bob", "one")
	session, err := p.store.NewSession(t.Context(), p.user("ann"), true, "")
	p.must(err)
	p.visit(everything(0))
	gate.arm(1)
	p.node.Ring()
	gate.held(t)
	bad.put(post, true)
	p.like("ann", post)
	p.must(p.store.EndSession(t.Context(), session))
	gate.release()
	p.sync()
	p.sync()
	if bad.hit == 0 {
		t.Fatal("nothing was torn")
	}
	mu.Lock()
	defer mu.Unlock()
	if !heard && !forgot {
		t.Error("no frame said that the session ended")
	}
}

// TestCallbackPanics: a callback of the node's user panics, in a turn that installed a
// build.
func TestCallbackPanics(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("bob", "one")
	p.stop()
	var armed atomic.Bool
	p.config = func(c *Config) {
		c.Turned = func(turn Turn) {
			p.node.mu.RLock()
			n := len(p.node.st.rivers)
			p.node.mu.RUnlock()
			if n > 0 && armed.CompareAndSwap(true, false) {
				panic("a metric")
			}
		}
	}
	p.start()
	armed.Store(true)
	p.visit(everything(0))
	done := make(chan error, 1)
	go func() { done <- p.node.WaitApplied(t.Context()) }()
	select {
	case err := <-done:
		p.must(err)
	case <-time.After(patience):
		t.Errorf("no turn comes through any more; %d failed", p.node.Stats().TurnsFailed)
		p.node.takeAsks() // or the process panics when the test ends
	}
}

// TestEndedBeforeAnythingIsShown: the node reports the end of a session before it publishes any
// change made with the end or later.
func TestEndedBeforeAnythingIsShown(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	p.stop()
	shown := make(chan bool, 1)
	var node *Node
	p.config = func(c *Config) {
		c.Ended = func([]byte) {
			v, err := node.Visit(t.Context(), p.home("ann"), At{})
			shown <- err == nil && len(v.Entries) > 0
		}
	}
	var hold atomic.Bool
	at, on := make(chan struct{}), make(chan struct{})
	p.faults.turn = func() error {
		if hold.CompareAndSwap(true, false) {
			close(at)
			<-on
		}
		return nil
	}
	p.start()
	node = p.node
	session, err := p.store.NewSession(t.Context(), p.user("ann"), true, "")
	p.must(err)
	_, w := p.opened(p.home("ann"), At{})
	defer w.Close()
	hold.Store(true)
	p.node.Ring()
	<-at
	p.must(p.store.EndSession(t.Context(), session))
	p.post("bob", "after the end")
	close(on)
	if <-shown {
		t.Error("what came after the end of a session is shown before it is told of")
	}
	p.sync()
}
