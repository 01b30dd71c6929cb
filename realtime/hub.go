package realtime

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A hub is an open river with the sockets of its pages.
type hub struct {
	server    *Server
	key       river.Key
	ctx       context.Context            // ends when the last socket has left
	stop      context.CancelFunc         // ends ctx
	requested chan struct{}              // a round was requested, or the Watch was replaced; holds one value
	announced atomic.Pointer[attendance] // of a post's page: the attendance that pages were last told; nil: none
	rounds    atomic.Uint64              // how many rounds for visible pages there were
	pace      atomic.Int32               // the time between two rounds in ms, as pages are told
	tested    atomic.Int64               // the published counter at which access was last checked

	stretched atomic.Int64 // the time between two rounds, as it is kept

	renewal singleflight.Group // reopens the river once for all sockets that find it ended

	mu        sync.Mutex
	ended     bool
	watch     Watch
	sockets   socketSet
	listeners map[*Listener]struct{}

	// The following are caches of the river's state, shared by pages in the same state.
	counter     int64 // the published counter that the frames lead to
	frames      map[frameKey]*frame
	checkpoints map[view]checkpoints
	encoded     map[string]*encoded // by signature
	rendered    map[renderKey]rendering

	encodedSize, renderedSize int // bytes

	poisoned map[timeline.PostID]bool // posts that were left out because they can't be rendered
}

func newHub(s *Server, key river.Key, w Watch) *hub {
	h := &hub{server: s, key: key, watch: w, requested: make(chan struct{}, 1), sockets: newSocketSet(), listeners: map[*Listener]struct{}{}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.pace.Store(int32(s.config.Coalesce.Milliseconds()))
	return h
}

// run starts a round when the river changed: at once after a silence, otherwise when the
// pace allows. Hidden pages have rounds of their own, which are rarer. It returns when
// the hub ends.
func (h *hub) run() {
	config := &h.server.config
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	var (
		changed   bool
		ready     time.Time // when the next round may begin
		waited    bool      // a change waited for that time
		pace      = newPace(config.Coalesce, config.Stretch)
		hiddenDue bool         // hidden pages have missed a round
		hiddenAt  = time.Now() // when hidden pages had their last round
		over      Watch        // a Watch with a closed channel
	)
	for {
		now := time.Now()
		switch {
		case now.Before(ready):
		case changed:
			others, cost := h.round(false)
			if waited { // waiting for a processor is a cost too
				cost += now.Sub(ready)
			}
			hiddenDue = hiddenDue || others
			changed = h.keepPace(&pace, cost)
			ready = now.Add(pace.now)
		case pace.now > pace.least:
			changed = h.keepPace(&pace, 0)
			ready = now.Add(pace.now)
		}
		if hiddenDue && now.Sub(hiddenAt) >= config.HiddenEvery {
			h.round(true)
			hiddenDue, hiddenAt = false, now
		}

		var until time.Time
		if waited = changed; changed || pace.now > pace.least {
			until = ready
		}
		if late := hiddenAt.Add(config.HiddenEvery); hiddenDue && (until.IsZero() || late.Before(until)) {
			until = late
		}
		alarm.Stop()
		if !until.IsZero() {
			alarm.Reset(time.Until(until))
		}
		w := h.current()
		changes := w.C()
		if w == over { // a closed channel would be ready for ever
			changes = nil
		}
		select {
		case <-h.ctx.Done():
			return
		case _, open := <-changes:
			changed = true
			if !open {
				over = w
			}
		case <-h.requested:
			changed = true
		case <-alarm.C:
		}
	}
}

// keepPace sets the hub's pace after a round of the given cost. It reports whether another round
// must tell pages of the new pace.
func (h *hub) keepPace(p *pace, cost time.Duration) (tell bool) {
	p.adjust(cost)
	h.stretched.Store(int64(p.now))
	if tell = p.announce(); tell {
		h.pace.Store(int32(p.told.Milliseconds()))
	}
	return tell
}

// lastRound returns the number of the last round for visible pages.
func (h *hub) lastRound() uint64 { return h.rounds.Load() }

func (h *hub) closeAll(why closure) {
	for _, sock := range h.members() {
		sock.close(why)
	}
	for _, l := range h.listening() {
		l.end(why)
	}
}

func (h *hub) members() []*socket {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sockets.members()
}

func (h *hub) add(sock *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets.add(sock)
}

// remove removes a socket and returns how many sockets and listeners are left.
func (h *hub) remove(sock *socket) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sockets.remove(sock) + len(h.listeners)
}

// withWatch calls f with the open river. If the river has ended, withWatch reopens it and calls
// f again.
func (h *hub) withWatch(f func(w Watch) error) error {
	for range 5 {
		w := h.current()
		err := f(w)
		if !errors.Is(err, river.ErrGone) {
			return err
		}
		if err := h.renew(w); err != nil {
			return err
		}
	}
	return river.ErrBehind // the river ends as fast as it is opened
}

// end ends the hub, and closes its Watch.
func (h *hub) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.watch.Close()
	h.stop()
}

// current returns the open river.
func (h *hub) current() Watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.watch
}

// replaceWatch replaces a Watch that ended, or a Watch of another epoch, by the newly opened w. If
// the current Watch need not be replaced, w is closed.
func (h *hub) replaceWatch(w, ended Watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || h.watch != ended && h.watch.Epoch() == w.Epoch() {
		w.Close()
		return
	}
	h.watch.Close()
	h.watch = w
	h.checkpoints = nil
	h.dropFrames()
	h.requestRound()
}

// requestRound asks for a round though the river may not have changed.
func (h *hub) requestRound() {
	select {
	case h.requested <- struct{}{}:
	default:
	}
}

// renew opens the river anew after the given Watch ended. Sockets that ask while the
// river is being opened share the result. If it can't be opened, all sockets of the hub
// are closed for the same reason.
func (h *hub) renew(ended Watch) error {
	_, err, _ := h.renewal.Do("", func() (any, error) {
		if h.current() != ended {
			return nil, nil // another call replaced the Watch before this call began
		}
		ctx, cancel := context.WithTimeout(h.ctx, h.server.config.SubWithin)
		defer cancel()
		w, err := h.server.open(ctx, h.key, clientName(h.key.Viewer, ""))
		if err != nil {
			why, _ := closureOf(err)
			h.closeAll(why)
			return nil, err
		}
		h.replaceWatch(w, ended)
		return nil, nil
	})
	return err
}
