package river

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestWaitForATurnEnds holds that a wait for a turn, or for a build that a turn installs, ends
// with an error if the loop publishes no turns, or if the client disconnects.
func TestWaitForATurnEnds(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann")
	p.stop() // no turn follows
	never := &build{done: make(chan struct{})}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.node.WaitApplied(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait for a turn of a client that disconnected: %v, want %v", err, context.Canceled)
	}
	if err := p.node.waitBuilt(gone, never); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait for a build of a client that disconnected: %v, want %v", err, context.Canceled)
	}
	p.node.cfg.Settings.Behind, p.node.cfg.Settings.Poll = time.Nanosecond, time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.node.WaitApplied(ctx); !errors.Is(err, ErrBehind) {
		t.Errorf("the wait for a turn that does not come: %v, want %v", err, ErrBehind)
	}
	if err := p.node.waitBuilt(ctx, never); !errors.Is(err, ErrBehind) {
		t.Errorf("the wait for a build that is not installed: %v, want %v", err, ErrBehind)
	}
}
