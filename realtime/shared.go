package realtime

import (
	"errors"
	"slices"
	"sync"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// How much a hub remembers of what it made: entries drawn, and frames of one
// counter (as many as there are places where its sockets stand), and how many
// bytes of each.
const (
	drawnHeld  = 256
	framesHeld = 1024
	bytesHeld  = 4 << 20
)

// frameKey is what makes frames of one published counter equal: what it is
// composed for and since when, or an address alone, for a reset.
type frameKey struct {
	place
	anew bool
}

// frame is what to send to all who stand at the same place; no body where there
// is nothing to tell, and the page stays where it is.
type frame struct {
	once      sync.Once
	published int64  // the counter that it is of
	then      *place // where it leads to
	body      *body
	err       error
}

// Marks are the counters up to which pages of a view were told of changes, in
// their order, the last few. Pages that were opened between two of them stand at
// as many counters as the node has had meanwhile, and yet miss the same.
type marks []int64

// marksHeld is how many: who has missed more changes is alone.
const marksHeld = 32

// before is the last of the marks that is not above the counter, or that itself.
func (m marks) before(counter int64) int64 {
	for _, mark := range slices.Backward(m) {
		if mark <= counter {
			return mark
		}
	}
	return counter
}

// with are the marks and one more.
func (m marks) with(counter int64) marks {
	at, there := slices.BinarySearch(m, counter)
	if !there {
		m = slices.Insert(m, at, counter)
	}
	return m[max(len(m)-marksHeld, 0):]
}

// drawnKey names a drawn entry. Version and place stand beside the tag because tags leave
// both out: a post that shows again what it showed before has the tag that it had, and a
// page must not be told an older version or place.
type drawnKey struct {
	post    timeline.PostID
	version int
	place   timeline.Cursor
	tag     string
	as      Form
}

// drawnKeyOf returns the key of an entry, drawn in a form.
func drawnKeyOf(e *river.Entry, as Form) drawnKey {
	return drawnKey{postOf(e), versionOf(e), e.Place, e.Tag, as}
}

// memo is the frame that a hand of a round wrote last, for the next socket is
// likely to stand at the same place.
type memo struct {
	watch Watch
	at    *place
	f     *frame
}

// frame is the one to write to who stands at that place, if it is known.
func (m *memo) frame(at *place) *frame {
	if m.f == nil || m.at != at || m.watch.Counter() != m.f.published {
		return nil
	}
	return m.f
}

// shared is the frame of that key, composed by the first who asks. Frames are
// kept until something new is published, and are only given out while the river
// would still answer: what was taken away is in none, and what the node can't
// vouch for any more is not either.
func (h *hub) shared(w Watch, key frameKey, compose func(*frame)) (*frame, error) {
	published := w.Counter()
	h.mu.Lock()
	h.follow(published)
	f := h.frames[key]
	held := f != nil
	if !held {
		if len(h.frames) >= framesHeld {
			h.forget()
		}
		if h.frames == nil {
			h.frames = map[frameKey]*frame{}
		}
		f = &frame{published: published}
		h.frames[key] = f
	}
	h.mu.Unlock()
	if held {
		if err := vouch(w); err != nil {
			return nil, err
		}
	}
	f.once.Do(func() { compose(f) })
	if f.err != nil { // which is not kept: the next asks again
		h.mu.Lock()
		if h.frames[key] == f {
			delete(h.frames, key)
		}
		h.mu.Unlock()
	}
	return f, f.err
}

// vouch asks whether the river may be shown now.
func vouch(w Watch) error {
	_, err := w.Patch(w.Counter(), river.Window{Still: true})
	return err
}

// follow drops what was made for an older state; h.mu is held.
func (h *hub) follow(published int64) {
	if h.counter != published {
		h.counter = published
		h.forget()
	}
}

// since is the counter from which a page of the view that stands at a counter is
// told what has changed: the same for all who miss the same.
func (h *hub) since(v view, counter int64) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.marks[v].before(counter)
}

// mark notes a counter up to which pages of the view were told of what changed.
func (h *hub) mark(v view, counter int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.marks == nil || h.marks[v] == nil && len(h.marks) >= framesHeld {
		h.marks = map[view]marks{}
	}
	h.marks[v] = h.marks[v].with(counter)
}

// unmark drops a mark from which nothing can be told any more.
func (h *hub) unmark(v view, counter int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.marks[v]; m != nil {
		h.marks[v] = slices.DeleteFunc(m, func(mark int64) bool { return mark <= counter })
	}
}

// forget drops the frames; h.mu is held.
func (h *hub) forget() { h.frames, h.bodies, h.bodySize = nil, nil, 0 }

// rest drops what a hub with one page has no use for until the river changes.
func (h *hub) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sockets.all) < 2 {
		h.forget()
		h.drawn, h.drawnSize = nil, 0
		h.marks = nil
	}
}

// missed is the frame of what the page has missed: what has changed, or where
// that is not known all that there is. [river.ErrGone]: the river has ended.
func (h *hub) missed(w Watch, at *place) (*frame, error) {
	if w.Epoch() == at.epoch {
		f, err := h.patch(w, at)
		if !errors.Is(err, river.ErrGone) || vouch(w) != nil {
			return f, err
		}
	}
	return h.anew(w, at)
}

// patch is the frame of what has changed in the place's window since its counter.
func (h *hub) patch(w Watch, at *place) (*frame, error) {
	from := h.since(at.view, at.counter)
	f, err := h.patchFrom(w, at.view, from)
	if from < at.counter && errors.Is(err, river.ErrGone) {
		h.unmark(at.view, from)
		if f, err = h.patchFrom(w, at.view, at.counter); err == nil {
			h.mark(at.view, at.counter)
		}
	}
	return f, err
}

func (h *hub) patchFrom(w Watch, v view, from int64) (*frame, error) {
	return h.shared(w, frameKey{place: place{v, from}}, func(f *frame) {
		p, err := w.Patch(from, v.window)
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
			f.body, f.then, f.err = h.told(w, p, from, window, v)
			h.mark(v, p.To)
			if f.then != nil && f.then.view != v {
				h.mark(f.then.view, f.then.counter)
			}
		}
	})
}

// anew is the reset for a page that can't be told what has changed. There is no
// hello, which answers a sub: a page that has one under way takes nothing before
// its own.
func (h *hub) anew(w Watch, at *place) (*frame, error) {
	key := frameKey{place: place{view: view{at: at.at, as: at.as, epoch: w.Epoch()}}, anew: true}
	return h.shared(w, key, func(f *frame) {
		p, window, err := w.Resume(river.Resume{At: at.at})
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		f.body, f.then, f.err = h.told(w, p, 0, window, at.view)
	})
}

// greeting is the answer to a sub.
type greeting struct {
	hello  []byte
	body   *body
	then   *place
	unread *int
	pace   int32
	behind bool

	present int32
}

// greet composes the answer to a sub: a hello, and what the page has missed.
// The hello's counter is one that the next frame leads on from: the counter that
// the page came with, where the epoch is the same, or the new one, where it has
// missed nothing; and 0, where what comes leads from another epoch to this. If
// the frame after the hello is lost, the page comes back with that counter, and
// is told the same again: 0 is nobody's (see [message.resume]).
func (h *hub) greet(w Watch, as Form, r river.Resume) (*greeting, error) {
	p, window, err := w.Resume(r)
	if err != nil {
		return nil, err
	}
	h.server.stats.composed.Add(1)
	g := &greeting{
		then: &place{view{r.At, as, p.Epoch, window}, p.To},
		pace: h.pace.Load(), behind: h.server.behind.Load(),
	}
	g.present, _ = h.present(w)
	from := int64(0)
	switch {
	case !p.Reset && len(p.Ops) == 0:
		from = p.To
	case p.Epoch == r.Epoch && r.Counter < p.To:
		from = r.Counter
	}
	if p.Reset || len(p.Ops) > 0 {
		if g.body, g.then, err = h.told(w, p, from, window, g.then.view); err != nil {
			return nil, err
		}
	}
	h.open(g.then)
	if count, known := w.Unread(); known {
		g.unread = &count
	}
	config := &h.server.config
	g.hello = encode(helloFrame{
		Type: "hello", Epoch: p.Epoch, Counter: from, Beat: config.Beat.Milliseconds(), Build: config.Build,
		Pace: int64(g.pace), Unread: g.unread, Behind: g.behind, Present: g.present,
	})
	return g, nil
}

// open notes that a page begins with a view: as one of those that know it.
func (h *hub) open(at *place) {
	if h.since(at.view, at.counter) == at.counter { // there is none before
		h.mark(at.view, at.counter)
	}
}

// told is the body of a patch or a reset for a page with that window at the
// view's address, and where it leads to.
func (h *hub) told(w Watch, p *river.Patch, from int64, window river.Window, v view) (*body, *place, error) {
	b := h.body(p, from, v.as)
	if b == nil {
		var err error
		if p, window, err = w.Resume(river.Resume{At: v.at}); err != nil {
			return nil, nil, err
		}
		b = h.body(p, 0, v.as)
	}
	return b, &place{view{v.at, v.as, p.Epoch, window}, p.To}, nil
}

// body encodes a patch or a reset, once for all of whom it says the same; nil
// where a patch can't say it.
func (h *hub) body(p *river.Patch, from int64, as Form) *body {
	key := signature(p, from, as)
	h.mu.Lock()
	b := h.bodies[key]
	h.mu.Unlock()
	if b != nil {
		return b
	}
	var message []byte
	if p.Reset {
		message = encodeReset(p, as, h)
	} else if message = encodePatch(p, from, as, h); message == nil {
		return nil
	}
	b = &body{text: framed(opText, message), secret: h.key.Viewer != 0}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bodySize += len(message); h.bodySize > bytesHeld || len(h.bodies) >= framesHeld {
		h.forget()
		h.bodySize = len(message)
	}
	if h.bodies == nil {
		h.bodies = map[string]*body{}
	}
	h.bodies[key] = b
	return b
}
