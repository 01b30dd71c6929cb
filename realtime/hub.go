package realtime

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A hub is an open river with the sockets of its pages.
type hub struct {
	server *Server
	key    river.Key
	ctx    context.Context            // ends when the last socket has left
	stop   context.CancelFunc         // ends it, and what is under way
	swap   chan struct{}              // another Watch is to be listened to, or a round is wanted; one waits
	heard  atomic.Pointer[attendance] // of a post's page; nil: nothing yet
	turns  atomic.Uint64              // how often the sockets were woken
	pace   atomic.Int32               // how far apart that is, in ms, as pages are told
	tested atomic.Int64               // the published counter at which it might be opened

	stretched atomic.Int64 // the pace that is kept

	renewal singleflight.Group // opens the river anew, once for all sockets that found it ended

	mu      sync.Mutex
	ended   bool
	watch   Watch
	sockets roster
	counter int64 // that the frames lead to
	frames  map[frameKey]*frame
	marks   map[view]marks
	bodies  map[string]*body
	drawn   map[drawnKey]drawing

	bodySize, drawnSize int // bytes

	poisoned map[timeline.PostID]bool // what is missing on its pages
}

func newHub(s *Server, key river.Key, w Watch) *hub {
	h := &hub{server: s, key: key, watch: w, swap: make(chan struct{}, 1), sockets: newRoster()}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.pace.Store(int32(s.config.Coalesce.Milliseconds()))
	return h
}

// run wakes the sockets: at once when the river changed after a silence, else
// when its pace allows. It ends with the hub.
func (h *hub) run() {
	config := &h.server.config
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	var (
		changed bool
		ready   time.Time // when the sockets may be woken again
		waited  bool      // for that
		pace    = newPace(config.Coalesce, config.Stretch)
		unseen  bool         // hidden pages were not told of something
		told    = time.Now() // when they were last told
		deaf    Watch        // ended, and its channel closed
	)
	for {
		now := time.Now()
		switch {
		case now.Before(ready):
		case changed:
			others, cost := h.round(false)
			if waited { // for a processor, too
				cost += now.Sub(ready)
			}
			unseen = unseen || others
			changed = h.keepPace(&pace, cost)
			ready = now.Add(pace.now)
		case pace.now > pace.least:
			changed = h.keepPace(&pace, 0)
			ready = now.Add(pace.now)
		}
		if unseen && now.Sub(told) >= config.HiddenEvery {
			h.round(true)
			unseen, told = false, now
		}

		var until time.Time
		if waited = changed; changed || pace.now > pace.least {
			until = ready
		}
		if late := told.Add(config.HiddenEvery); unseen && (until.IsZero() || late.Before(until)) {
			until = late
		}
		alarm.Stop()
		if !until.IsZero() {
			alarm.Reset(time.Until(until))
		}
		w := h.current()
		bell := w.C()
		if w == deaf {
			bell = nil
		}
		select {
		case <-h.ctx.Done():
			return
		case _, open := <-bell:
			changed = true
			if !open {
				deaf = w
			}
		case <-h.swap:
			changed = true
		case <-alarm.C:
		}
	}
}

// keepPace paces the hub after a round, and says whether there is to be another
// one that tells the pages so.
func (h *hub) keepPace(p *pace, cost time.Duration) (tell bool) {
	p.after(cost)
	h.stretched.Store(int64(p.now))
	if tell = p.news(); tell {
		h.pace.Store(int32(p.told.Milliseconds()))
	}
	return tell
}

// newest is the number of the last turn in which the sockets were woken.
func (h *hub) newest() uint64 { return h.turns.Load() }

func (h *hub) shutAll(why closure) {
	for _, one := range h.members() {
		one.shut(why)
	}
}

func (h *hub) members() []*socket {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sockets.members()
}

func (h *hub) add(one *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets.add(one)
}

// remove takes a socket out and says how many are left.
func (h *hub) remove(one *socket) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sockets.remove(one)
}

// end closes the hub for good.
func (h *hub) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.watch.Close()
	h.stop()
}

// current is the open river.
func (h *hub) current() Watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.watch
}

// adopt takes a newly opened Watch of the river, in place of one that ended or
// of another epoch; one that adds nothing is closed.
func (h *hub) adopt(w, ended Watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || h.watch != ended && h.watch.Epoch() == w.Epoch() {
		w.Close()
		return
	}
	h.watch.Close()
	h.watch = w
	h.marks = nil
	h.forget()
	select {
	case h.swap <- struct{}{}:
	default:
	}
}

// renew watches the river anew after the given Watch ended. Sockets that ask while
// the river is being opened share the result. If it can't be opened, all sockets of
// the hub are closed for the same reason.
func (h *hub) renew(ended Watch) error {
	_, err, _ := h.renewal.Do("", func() (any, error) {
		if h.current() != ended {
			return nil, nil // another call replaced it before this one began
		}
		ctx, cancel := context.WithTimeout(h.ctx, h.server.config.SubWithin)
		defer cancel()
		w, err := h.server.open(ctx, h.key, clientName(h.key.Viewer, ""))
		if err != nil {
			why, _ := closureOf(err)
			h.shutAll(why)
			return nil, err
		}
		h.adopt(w, ended)
		return nil, nil
	})
	return err
}
