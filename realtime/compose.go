package realtime

import (
	"errors"
	"slices"
	"sync"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
)

// The limits of a hub's cached frames.
const (
	renderedHeld = 256     // rendered entries
	framesHeld   = 1024    // frames of one counter: one for each state of a page
	bytesHeld    = 4 << 20 // bytes of either
)

// A frameKey is everything that a frame of one published counter depends on: the state of the page
// before the frame, or the address alone if the frame is a reset.
type frameKey struct {
	pageState
	reset bool
}

// A frame is the frame for all pages in one state. If nothing has to be sent it has no encoded
// form, and the page's state stays the same.
type frame struct {
	once      sync.Once
	published int64      // the published counter at its composition
	next      *pageState // the state to which it leads
	encoded   *encoded
	err       error
}

// checkpoints are the last few counters at which pages of a view were told of changes, in
// ascending order. A page that was opened between two checkpoints has missed the same changes as a
// page at the lower checkpoint, so both pages can be sent the frame that continues the lower
// checkpoint.
//
// For example, pages were told of changes at counter 10, other pages were opened at 12, 15 and 19,
// and the river changes next at 20. All these pages are sent the frame from 10 to 20.
type checkpoints []int64

// checkpointsHeld is the number of checkpoints of a view. A page that missed more changes gets a
// frame of its own.
const checkpointsHeld = 32

// before returns the highest checkpoint at or below the counter, or the counter itself without
// such a checkpoint.
func (c checkpoints) before(counter int64) int64 {
	for _, checkpoint := range slices.Backward(c) {
		if checkpoint <= counter {
			return checkpoint
		}
	}
	return counter
}

// with returns the checkpoints with one added; if there are too many, without the lowest.
func (c checkpoints) with(counter int64) checkpoints {
	at, found := slices.BinarySearch(c, counter)
	if !found {
		c = slices.Insert(c, at, counter)
	}
	return c[max(len(c)-checkpointsHeld, 0):]
}

// A lastFrame is the frame that a writer wrote last. The next socket is likely to be in
// the same state.
type lastFrame struct {
	watch Watch
	from  *pageState
	f     *frame
}

// frameFor returns the frame if it fits a page in the state from, or else nil.
func (l *lastFrame) frameFor(from *pageState) *frame {
	if l.f == nil || l.from != from || l.watch.Counter() != l.f.published {
		return nil
	}
	return l.f
}

// sharedFrame returns the frame of a key; the first caller composes the frame. Frames are kept
// until the node publishes something new. A kept frame is given out only while the river may be
// shown, so no frame outlives the right to see the river, or the time for which the node can vouch
// for the river.
func (h *hub) sharedFrame(w Watch, key frameKey, compose func(*frame)) (*frame, error) {
	published := w.Counter()
	h.mu.Lock()
	h.dropOutdated(published)
	f := h.frames[key]
	held := f != nil
	if !held {
		if len(h.frames) >= framesHeld {
			h.dropFrames()
		}
		if h.frames == nil {
			h.frames = map[frameKey]*frame{}
		}
		f = &frame{published: published}
		h.frames[key] = f
	}
	h.mu.Unlock()
	if held {
		if err := mayShow(w); err != nil {
			return nil, err
		}
	}
	f.once.Do(func() { compose(f) })
	if f.err != nil { // an error is not kept: the next caller composes again
		h.mu.Lock()
		if h.frames[key] == f {
			delete(h.frames, key)
		}
		h.mu.Unlock()
	}
	return f, f.err
}

// mayShow returns nil if the river may be shown to its viewer now.
func mayShow(w Watch) error {
	_, err := w.Patch(w.Counter(), river.Window{Still: true})
	return err
}

// dropOutdated drops the frames that were composed at another published counter; h.mu is held.
func (h *hub) dropOutdated(published int64) {
	if h.counter != published {
		h.counter = published
		h.dropFrames()
	}
}

// checkpointBefore returns the counter from which changes are sent to a page of the view at the
// given counter. The result is the same for all pages between two checkpoints, so these pages
// share one frame.
func (h *hub) checkpointBefore(v view, counter int64) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.checkpoints[v].before(counter)
}

// addCheckpoint notes that pages of the view were told of changes at a counter.
func (h *hub) addCheckpoint(v view, counter int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.checkpoints == nil || h.checkpoints[v] == nil && len(h.checkpoints) >= framesHeld {
		h.checkpoints = map[view]checkpoints{}
	}
	h.checkpoints[v] = h.checkpoints[v].with(counter)
}

// dropCheckpoints drops the checkpoints up to a counter, because the river no longer knows
// what has changed since.
func (h *hub) dropCheckpoints(v view, counter int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.checkpoints[v]; c != nil {
		h.checkpoints[v] = slices.DeleteFunc(c, func(checkpoint int64) bool { return checkpoint <= counter })
	}
}

// dropFrames drops the frames; h.mu is held.
func (h *hub) dropFrames() { h.frames, h.encoded, h.encodedSize = nil, nil, 0 }

// trimCaches drops all composed frames if the hub has only one page or listener, because then
// no other needs them.
func (h *hub) trimCaches() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sockets.all)+len(h.listeners) < 2 {
		h.dropFrames()
		h.rendered, h.renderedSize = nil, 0
		h.checkpoints = nil
	}
}

// catchUpFrame returns the frame with the changes that a page in the state from has missed: a
// patch, or a reset if the river does not know the changes. It returns [river.ErrGone] if the river
// has ended.
func (h *hub) catchUpFrame(w Watch, from *pageState) (*frame, error) {
	if w.Epoch() == from.epoch {
		f, err := h.patch(w, from)
		if !errors.Is(err, river.ErrGone) || mayShow(w) != nil {
			return f, err
		}
	}
	return h.reset(w, from)
}

// patch returns the frame with the changes in the page's window since its counter.
func (h *hub) patch(w Watch, page *pageState) (*frame, error) {
	from := h.checkpointBefore(page.view, page.counter)
	f, err := h.patchFrom(w, page.view, from)
	if from < page.counter && errors.Is(err, river.ErrGone) {
		h.dropCheckpoints(page.view, from)
		if f, err = h.patchFrom(w, page.view, page.counter); err == nil {
			h.addCheckpoint(page.view, page.counter)
		}
	}
	return f, err
}

// patchFrom returns the frame with the changes in a view since a counter.
func (h *hub) patchFrom(w Watch, v view, from int64) (*frame, error) {
	return h.sharedFrame(w, frameKey{pageState: pageState{v, from}}, func(f *frame) {
		asked := v.window
		if v.as == asPosts {
			asked.Single, asked.Count = true, 0
		}
		p, err := w.Patch(from, asked)
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		if p.Reset || len(p.Ops) > 0 {
			window := v.window
			if p.Filled != nil {
				window = *p.Filled
			}
			f.encoded, f.next, f.err = h.compose(w, p, from, window, v)
			h.addCheckpoint(v, p.To)
			if f.next != nil && f.next.view != v {
				h.addCheckpoint(f.next.view, f.next.counter)
			}
		}
	})
}

// reset returns a frame that replaces all entries of a page. The frame comes without a hello,
// because a hello answers a sub: a page that waits for the hello to its sub would take this one
// for the answer.
func (h *hub) reset(w Watch, page *pageState) (*frame, error) {
	key := frameKey{pageState: pageState{view: view{at: page.at, as: page.as, epoch: w.Epoch()}}, reset: true}
	return h.sharedFrame(w, key, func(f *frame) {
		p, window, err := w.Resume(river.Resume{At: page.at})
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		f.encoded, f.next, f.err = h.compose(w, p, 0, window, page.view)
	})
}

// A helloReply is the answer to a sub: a hello, and a frame with what the page has missed.
type helloReply struct {
	hello  []byte
	frame  *encoded      // nil: the page has missed nothing
	next   *pageState    // the state that the answer leads to
	unread *river.Unread // nil: viewer 0
	pace   int32
	behind bool

	present int32
}

// reply composes the answer to a sub. The counter in the hello is one that the next frame
// continues:
//
//   - the new counter, if the page has missed nothing;
//   - the counter that the page came with, if its epoch is still the river's;
//   - 0, if the page comes from another epoch.
//
// If the frame after the hello is lost, the page comes back with the counter of the hello
// and is sent the same again. No page has a state with counter 0 (see [message.resume]).
func (h *hub) reply(w Watch, as Form, r river.Resume) (*helloReply, error) {
	p, window, err := w.Resume(r)
	if err != nil {
		return nil, err
	}
	h.server.stats.composed.Add(1)
	reply := &helloReply{
		next: &pageState{view{r.At, as, p.Epoch, window}, p.To},
		pace: h.pace.Load(), behind: h.server.behind.Load(),
	}
	reply.present, _ = h.present(w)
	from := int64(0)
	switch {
	case !p.Reset && len(p.Ops) == 0:
		from = p.To
	case p.Epoch == r.Epoch && r.Counter < p.To:
		from = r.Counter
	}
	if p.Reset || len(p.Ops) > 0 {
		if reply.frame, reply.next, err = h.compose(w, p, from, window, reply.next.view); err != nil {
			return nil, err
		}
	}
	h.noteOpened(reply.next)
	config := &h.server.config
	hello := helloFrame{
		Type: "hello", Epoch: p.Epoch, Counter: from, Beat: config.Beat.Milliseconds(), Build: config.Build,
		Pace: int64(reply.pace), Behind: reply.behind, Present: reply.present,
	}
	if u, known := w.Unread(); known {
		reply.unread, hello.Unread, hello.Directs = &u, &u.Notices, &u.Directs
	}
	reply.hello = wirejson.MustEncode(hello)
	return reply, nil
}

// noteOpened adds a checkpoint for an opened page, unless an earlier checkpoint serves.
func (h *hub) noteOpened(page *pageState) {
	if h.checkpointBefore(page.view, page.counter) == page.counter {
		h.addCheckpoint(page.view, page.counter)
	}
}

// compose encodes a patch or a reset for pages with the window at the view's address, and returns
// the state of a page after the frame. If a patch can't be encoded, compose encodes a reset
// instead.
func (h *hub) compose(w Watch, p *river.Patch, from int64, window river.Window, v view) (*encoded, *pageState, error) {
	e := h.encode(p, from, v.as)
	if e == nil {
		var err error
		if p, window, err = w.Resume(river.Resume{At: v.at}); err != nil {
			return nil, nil, err
		}
		e = h.encode(p, 0, v.as)
	}
	return e, &pageState{view{v.at, v.as, p.Epoch, window}, p.To}, nil
}

// encode encodes a patch or a reset once for all pages that need the same content. It returns nil
// if a patch can't be encoded (see [encodePatch]).
func (h *hub) encode(p *river.Patch, from int64, as Form) *encoded {
	if as == asPosts {
		return &encoded{posts: h.encodePosts(p)}
	}
	key := signature(p, from, as)
	h.mu.Lock()
	e := h.encoded[key]
	h.mu.Unlock()
	if e != nil {
		return e
	}
	var message []byte
	if p.Reset {
		message = encodeReset(p, as, h)
	} else if message = encodePatch(p, from, as, h); message == nil {
		return nil
	}
	e = &encoded{text: framed(opText, message), private: h.key.Viewer != 0}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.encodedSize += len(message); h.encodedSize > bytesHeld || len(h.encoded) >= framesHeld {
		h.dropFrames()
		h.encodedSize = len(message)
	}
	if h.encoded == nil {
		h.encoded = map[string]*encoded{}
	}
	h.encoded[key] = e
	return e
}
