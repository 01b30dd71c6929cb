package realtime

import (
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

// frameKey is what makes frames of one counter equal.
type frameKey struct {
	place
	anew bool // a reset
}

// frame is what to send to all who stand at the same place; no body where there
// is nothing to tell.
type frame struct {
	once      sync.Once
	published int64  // the counter that it is of
	then      *place // where it leads to
	body      *body
	err       error
}

// drawnKey names a drawn entry: what has the same tag looks the same.
type drawnKey struct {
	post timeline.PostID
	tag  string
	as   Form
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
	if h.counter != published {
		h.counter = published
		h.forget()
	}
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

// forget drops the frames; h.mu is held.
func (h *hub) forget() { h.frames, h.bodies, h.bodySize = nil, nil, 0 }

// rest drops what a hub with one page has no use for until the river changes.
func (h *hub) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sockets.all) < 2 {
		h.forget()
		h.drawn, h.drawnSize = nil, 0
	}
}

// patch is the frame of what has changed in the place's window since its counter.
func (h *hub) patch(w Watch, at *place) (*frame, error) {
	return h.shared(w, frameKey{place: *at}, func(f *frame) {
		p, err := w.Patch(at.counter, at.window)
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		f.then = at
		if !p.Reset && len(p.Ops) == 0 {
			return
		}
		f.body, f.then, f.err = h.told(w, p, at.counter, place{at.at, at.as, p.Epoch, p.To, at.window})
	})
}

// anew is the reset for a page that can't be told what has changed; as
// [river.ErrGone] where it can be after all. There is no hello, which answers a
// sub: a page that has one under way takes nothing before its own.
func (h *hub) anew(w Watch, at *place) (*frame, error) {
	key := frameKey{place: *at, anew: true}
	key.window = river.Window{}
	return h.shared(w, key, func(f *frame) {
		p, window, err := w.Resume(river.Resume{At: at.at, Epoch: at.epoch, Counter: at.counter})
		if err == nil && !p.Reset {
			err = river.ErrGone
		}
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		f.body, f.then, f.err = h.told(w, p, 0, place{at.at, at.as, p.Epoch, p.To, window})
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
		then: &place{r.At, as, p.Epoch, p.To, window},
		pace: h.pace.Load(), behind: h.server.behind.Load(), present: h.present(),
	}
	from := int64(0)
	switch {
	case !p.Reset && len(p.Ops) == 0:
		from = p.To
	case p.Epoch == r.Epoch && r.Counter < p.To:
		from = r.Counter
	}
	if p.Reset || len(p.Ops) > 0 {
		if g.body, g.then, err = h.told(w, p, from, *g.then); err != nil {
			return nil, err
		}
	}
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

// told is the body of a patch or a reset, and where it leads to.
func (h *hub) told(w Watch, p *river.Patch, from int64, then place) (*body, *place, error) {
	if b := h.body(p, from, then.as); b != nil {
		return b, &then, nil
	}
	p, window, err := w.Resume(river.Resume{At: then.at})
	if err != nil {
		return nil, nil, err
	}
	return h.body(p, 0, then.as), &place{then.at, then.as, p.Epoch, p.To, window}, nil
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
