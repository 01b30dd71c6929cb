package realtime

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A shutWatch is an open river that counts how often it was closed.
type shutWatch struct {
	Watch
	epoch  string
	closed int
}

func (w *shutWatch) Epoch() string { return w.epoch }
func (w *shutWatch) Close()        { w.closed++ }

// rivers opens rivers by a function.
type rivers struct {
	Rivers
	open func() (Watch, error)
}

func (r rivers) Watch(context.Context, river.Key) (Watch, error) { return r.open() }

// hubWith returns a hub whose river is first, and which opens the river anew by the function.
func hubWith(t *testing.T, first Watch, open func() (Watch, error)) *hub {
	t.Helper()
	h := newHub(New(Config{Rivers: rivers{open: open}}), river.Key{Viewer: 1, What: river.KindHome, TheirID: 1}, first)
	t.Cleanup(h.stop)
	return h
}

// asked reports whether the hub was asked for a round, and takes the request.
func (h *hub) asked() bool {
	select {
	case <-h.requested:
		return true
	default:
		return false
	}
}

func TestHubOpensAnEndedRiverAnew(t *testing.T) {
	t.Parallel()
	first, second := &shutWatch{epoch: "one"}, &shutWatch{epoch: "two"}
	opened := 0
	h := hubWith(t, first, func() (Watch, error) { opened++; return second, nil })
	h.checkpoints, h.frames = map[view]checkpoints{{}: {7}}, map[frameKey]*frame{{}: {}}
	var seen []Watch
	err := h.withWatch(func(w Watch) error {
		if seen = append(seen, w); w == Watch(first) {
			return river.ErrGone
		}
		return nil
	})
	if err != nil || !slices.Equal(seen, []Watch{first, second}) || opened != 1 {
		t.Errorf("%v; opened %d times, called with %v", err, opened, seen)
	}
	if first.closed != 1 || second.closed != 0 || h.current() != Watch(second) {
		t.Errorf("the ended river was closed %d times, the new one %d", first.closed, second.closed)
	}
	if h.checkpoints != nil || h.frames != nil || !h.asked() {
		t.Errorf("of the ended river are left %v and %v", h.checkpoints, h.frames)
	}
	// Another socket that found the first river ended does not open a third one.
	if err := h.renew(first); err != nil || opened != 1 || h.asked() {
		t.Errorf("%v; opened %d times", err, opened)
	}
}

func TestHubReturnsOtherErrorsAsTheyAre(t *testing.T) {
	t.Parallel()
	opened := 0
	h := hubWith(t, &shutWatch{}, func() (Watch, error) { opened++; return &shutWatch{}, nil })
	if err := h.withWatch(func(Watch) error { return river.ErrBehind }); !errors.Is(err, river.ErrBehind) || opened > 0 {
		t.Errorf("%v; opened %d times", err, opened)
	}
	// A river that ends as fast as it is opened is not opened for ever.
	if err := h.withWatch(func(Watch) error { return river.ErrGone }); !errors.Is(err, river.ErrBehind) || opened != 5 {
		t.Errorf("%v; opened %d times", err, opened)
	}
}

// TestHubThatMayNotOpenItsRiverClosesItsSockets: all sockets and listeners learn why, and the call returns why.
func TestHubThatMayNotOpenItsRiverClosesItsSockets(t *testing.T) {
	t.Parallel()
	h := hubWith(t, &shutWatch{}, func() (Watch, error) { return nil, timeline.ErrForbidden })
	sock, changed := &socket{server: h.server}, 0
	listener := &Listener{server: h.server, changed: func() { changed++ }, stop: func() {}}
	h.add(sock)
	h.addListener(listener)
	calls := 0
	err := h.withWatch(func(Watch) error { calls++; return river.ErrGone })
	if !errors.Is(err, timeline.ErrForbidden) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if sock.closing == nil || *sock.closing != closeForbidden {
		t.Errorf("the socket is closed with %v", sock.closing)
	}
	if why := listener.ended.Load(); why == nil || *why != closeForbidden || changed != 1 {
		t.Errorf("the listener ended with %v, and was told %d times", why, changed)
	}
}

func TestEndedHubKeepsNoRiverOpen(t *testing.T) {
	t.Parallel()
	first, late, same := &shutWatch{epoch: "one"}, &shutWatch{epoch: "two"}, &shutWatch{epoch: "one"}
	h := hubWith(t, first, nil)
	// A river of the same epoch as the current one, which has not ended, is closed again.
	h.replaceWatch(same, &shutWatch{})
	if same.closed != 1 || first.closed != 0 || h.current() != Watch(first) {
		t.Errorf("the second Watch was closed %d times, the first %d", same.closed, first.closed)
	}
	h.end()
	if first.closed != 1 || h.ctx.Err() == nil {
		t.Errorf("at the end the river was closed %d times; the context: %v", first.closed, h.ctx.Err())
	}
	h.replaceWatch(late, first)
	if late.closed != 1 || h.current() != Watch(first) {
		t.Errorf("a river that was opened after the end was closed %d times", late.closed)
	}
}

// An endedWatch is a river that has ended: its channel is closed.
type endedWatch struct {
	shutWatch
	looks atomic.Int32
	seen  chan struct{}
}

func (w *endedWatch) Counter() int64 { return 1 }

func (w *endedWatch) C() <-chan struct{} {
	w.looks.Add(1)
	select {
	case w.seen <- struct{}{}:
	default:
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}

// TestHubDoesNotRunForTheClosedChannelOfAnEndedRiver: a closed channel is always ready. The hub takes it as one change,
// and then waits for a request or a new river.
func TestHubDoesNotRunForTheClosedChannelOfAnEndedRiver(t *testing.T) {
	t.Parallel()
	w := &endedWatch{seen: make(chan struct{}, 1)}
	h := hubWith(t, w, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.run()
	}()
	const requests = 5
	<-w.seen
	for range requests {
		h.requestRound()
		<-w.seen
	}
	h.stop()
	<-done
	if looks := w.looks.Load(); looks > 3*requests+5 {
		t.Errorf("the hub looked at the river %d times", looks)
	}
}

// TestHubNotesThePaceThatPagesAreTold: under load the pace doubles, and pages are told; a lower cost within the known pace
// tells nothing.
func TestHubNotesThePaceThatPagesAreTold(t *testing.T) {
	t.Parallel()
	h := hubWith(t, &shutWatch{}, nil)
	p := newPace(h.server.config.Coalesce, h.server.config.Stretch)
	normal := h.pace.Load()
	if h.keepPace(&p, 0) || h.pace.Load() != normal {
		t.Errorf("without cost the pace is %d", h.pace.Load())
	}
	if !h.keepPace(&p, h.server.config.Stretch) || h.pace.Load() != 2*normal || h.stretched.Load() != int64(2*h.server.config.Coalesce) {
		t.Errorf("under load pages are told %d ms, the hub keeps %d ns", h.pace.Load(), h.stretched.Load())
	}
}
