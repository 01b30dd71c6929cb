package realtime

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/river"
)

// vouchEvery is how often a hub tests that its node is up to date.
const vouchEvery = time.Second

// A hub is an open river with the sockets of its pages.
type hub struct {
	server *Server
	key    river.Key
	over   <-chan struct{}    // closed when the last socket has left
	stop   context.CancelFunc // closes it, and ends what is under way
	ctx    context.Context
	swap   chan struct{} // another Watch is to be listened to; one waits
	turns  atomic.Uint64 // how often the sockets were woken

	renewal sync.Mutex // held while the river is watched anew

	mu      sync.Mutex
	ended   bool
	watch   Watch
	sockets map[*socket]struct{}
	counter int64 // that the frames lead to
	frames  map[frameKey]*frame
	drawn   map[drawnKey]json.RawMessage
}

func newHub(s *Server, key river.Key, w Watch) *hub {
	ctx, stop := context.WithCancel(context.Background())
	return &hub{
		server: s, key: key, watch: w,
		ctx: ctx, stop: stop, over: ctx.Done(), swap: make(chan struct{}, 1),
		sockets: map[*socket]struct{}{},
		frames:  map[frameKey]*frame{}, drawn: map[drawnKey]json.RawMessage{},
	}
}

// run wakes the sockets: at once when the river changed after a silence, else
// when the time for coalescing is over. It ends with the hub.
func (h *hub) run() {
	config := &h.server.config
	vouch := time.NewTicker(vouchEvery)
	defer vouch.Stop()
	rested := time.NewTimer(0) // when the sockets may be woken again
	defer rested.Stop()
	var (
		changed, resting = false, true
		unseen           bool         // hidden pages were not told of something
		told             = time.Now() // when they were last told
		deaf             Watch        // ended, and its channel closed
	)
	for {
		w := h.current()
		bell := w.C()
		if w == deaf {
			bell = nil
		}
		select {
		case <-h.over:
			return
		case _, open := <-bell:
			changed = true
			if !open {
				deaf = w
			}
		case <-h.swap:
			changed = true
		case <-rested.C:
			resting = false
		case <-vouch.C:
			if config.Rivers.Age() > config.Away {
				h.shutAll(closeBehind)
			}
		}
		late := time.Since(told) >= config.HiddenEvery
		if changed && !resting {
			unseen = h.wakeSeen() || unseen
			changed, resting = false, true
			rested.Reset(config.Coalesce)
		}
		if unseen && late {
			h.wakeHidden()
			unseen, told = false, time.Now()
		}
	}
}

// newest is the number of the last turn in which the sockets were woken.
func (h *hub) newest() uint64 { return h.turns.Load() }

// wakeSeen begins a turn: it wakes the sockets of pages that somebody looks at,
// and says whether there are others.
func (h *hub) wakeSeen() (others bool) {
	turn := h.turns.Add(1)
	for _, one := range h.members() {
		if one.unseen() {
			others = true
			continue
		}
		one.wake(turn)
	}
	return others
}

// wakeHidden has the others follow.
func (h *hub) wakeHidden() {
	for _, one := range h.members() {
		if one.unseen() {
			one.wake(h.newest())
		}
	}
}

func (h *hub) shutAll(why closure) {
	for _, one := range h.members() {
		one.shut(why)
	}
}

func (h *hub) members() []*socket {
	h.mu.Lock()
	defer h.mu.Unlock()
	return keys(h.sockets)
}

func (h *hub) add(one *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets[one] = struct{}{}
}

// remove takes a socket out and says how many are left.
func (h *hub) remove(one *socket) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sockets, one)
	return len(h.sockets)
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
	clear(h.frames)
	select {
	case h.swap <- struct{}{}:
	default:
	}
}

// renew watches the river anew after it ended, once for all who found it so;
// where that fails, all sockets are told the same.
func (h *hub) renew(ended Watch) error {
	h.renewal.Lock()
	defer h.renewal.Unlock()
	if h.current() != ended {
		return nil
	}
	ctx, cancel := context.WithTimeout(h.ctx, h.server.config.SubWithin)
	defer cancel()
	w, err := h.server.config.Rivers.Watch(ctx, h.key)
	if err != nil {
		why, _ := closureOf(err)
		h.shutAll(why)
		return err
	}
	h.adopt(w, ended)
	return nil
}
