package river

import (
	"errors"
	"testing"
	"time"
)

// TestTurnsHaveAnEnd: the node retries a turn that hangs. If the primary answers and still no
// turn succeeds, the node starts over.
func TestTurnsHaveAnEnd(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	forgot := make(chan struct{}, 1)
	p.set.Turn = time.Second
	p.config = func(c *Config) {
		c.Forgot = func() {
			select {
			case forgot <- struct{}{}:
			default: // a slow machine starts over more than once
			}
		}
	}
	p.start()
	p.follow("ann", "bob")
	p.post("bob", "one")
	want(t, "home", p.visit(p.home("ann")), "one")
	_, watch := p.opened(p.home("ann"), At{})
	tx, err := p.store.Pool().Begin(t.Context())
	p.must(err)
	_, err = tx.Exec(t.Context(), `lock table change_log`)
	p.must(err)
	for over := false; !over; <-time.After(time.Millisecond) {
		p.node.mu.RLock()
		over = p.node.st.logEpoch == brokenEpoch
		p.node.mu.RUnlock()
	}
	p.must(tx.Rollback(t.Context()))
	<-forgot
	p.sync()
	if _, err := watch.Patch(watch.Counter(), Window{}); !errors.Is(err, ErrGone) && !errors.Is(err, ErrBehind) {
		t.Errorf("a page that was open: %v", err)
	}
	p.post("bob", "two")
	p.sync()
	want(t, "afterwards", p.visit(p.home("ann")), "two", "one")
	p.compareAll()
}

// TestWaitPositionOfAnotherLogEnds: a page that carries a position of another log, as after a
// restore, is not sent away until the log has come so far.
func TestWaitPositionOfAnotherLogEnds(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.sync()
	before := p.node.Turns()
	p.must(p.node.WaitPosition(t.Context(), 1<<60))
	if p.node.Turns() == before {
		t.Error("no turn was waited for")
	}
	p.stop()
	p.node.cfg.Settings.Answer = time.Millisecond // without a loop the wait is in vain
	if err := p.node.WaitPosition(t.Context(), 1<<60); !errors.Is(err, ErrBehind) {
		t.Errorf("without a loop: %v, want %v", err, ErrBehind)
	}
}
