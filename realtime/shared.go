package realtime

import (
	"encoding/json"
	"sync"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// How much a hub remembers of what it made: entries drawn, and frames of one
// counter (as many as there are places where its sockets stand).
const (
	drawnHeld  = 256
	framesHeld = 1024
)

// frameKey is what makes frames of one counter equal.
type frameKey struct {
	epoch  string
	from   int64
	window river.Window
	at     river.At
	anew   bool // a reset
	as     Form
}

// frame is what to send, encoded once for all who stand at the same place; no
// body where there is nothing to tell.
type frame struct {
	once   sync.Once
	hello  []byte // to a sub
	unread *int   // what that tells of it
	body   []byte
	then   place // where that leads to
	err    error
}

// drawnKey names a drawn entry: what has the same tag looks the same.
type drawnKey struct {
	post timeline.PostID
	tag  string
	as   Form
}

// shared is the frame of that key, composed by the first who asks. Frames are
// kept until something new is published, so none shows what was taken away.
func (h *hub) shared(w Watch, key frameKey, compose func(*frame)) *frame {
	published := w.Counter()
	h.mu.Lock()
	if h.counter != published {
		h.counter = published
		clear(h.frames)
	}
	f := h.frames[key]
	if f == nil {
		if len(h.frames) >= framesHeld {
			clear(h.frames)
		}
		f = &frame{}
		h.frames[key] = f
	}
	h.mu.Unlock()
	f.once.Do(func() { compose(f) })
	return f
}

// patch is the frame of what has changed in the place's window since its counter.
func (h *hub) patch(w Watch, at place) *frame {
	key := frameKey{epoch: at.epoch, from: at.counter, window: at.window, at: at.at, as: at.as}
	return h.shared(w, key, func(f *frame) {
		p, err := w.Patch(at.counter, at.window)
		if err != nil {
			f.err = err
			return
		}
		h.server.stats.composed.Add(1)
		f.then = at
		switch {
		case p.Reset:
			f.body = encodeReset(p, at.as, h.draw, h.cards)
		case len(p.Ops) > 0:
			f.body = encodePatch(p, at.counter, at.as, h.draw, h.cards)
		default:
			return
		}
		f.then.counter = p.To
	})
}

// anew is the reset for a page that can't be told what has changed; as
// [river.ErrGone] where it can be after all. There is no hello, which answers a
// sub: a page that has one under way takes nothing before its own.
func (h *hub) anew(w Watch, at place) *frame {
	key := frameKey{epoch: at.epoch, from: at.counter, at: at.at, anew: true, as: at.as}
	return h.shared(w, key, func(f *frame) {
		reset := h.greet(f, w, at.as, river.Resume{At: at.at, Epoch: at.epoch, Counter: at.counter})
		if f.hello = nil; f.err == nil && !reset {
			f.err = river.ErrGone
		}
	})
}

// greet composes the answer to a sub: a hello, and what the page has missed.
// The hello's counter is one that the next frame leads on from: the counter that
// the page came with, where the epoch is the same, or the new one, where it has
// missed nothing; and 0, where what comes leads from another epoch to this. If
// the frame after the hello is lost, the page comes back with that counter, and
// is told the same again: 0 is nobody's (see [message.resume]).
func (h *hub) greet(f *frame, w Watch, as Form, r river.Resume) (reset bool) {
	p, window, err := w.Resume(r)
	if err != nil {
		f.err = err
		return false
	}
	h.server.stats.composed.Add(1)
	f.then = place{at: r.At, as: as, epoch: p.Epoch, counter: p.To, window: window}
	from := int64(0)
	switch {
	case !p.Reset && len(p.Ops) == 0:
		from = p.To
	case p.Epoch == r.Epoch && r.Counter < p.To:
		from = r.Counter
	}
	switch {
	case p.Reset:
		f.body = encodeReset(p, as, h.draw, h.cards)
	case len(p.Ops) > 0:
		f.body = encodePatch(p, from, as, h.draw, h.cards)
	}
	if count, known := w.Unread(); known {
		f.unread = &count
	}
	f.hello = encodeHello(p.Epoch, from, h.server.config.Beat, h.server.config.Build, f.unread)
	return p.Reset
}

// draw is the drawn entry, remembered by its tag.
func (h *hub) draw(p *river.Patch, e *river.Entry, as Form) json.RawMessage {
	key := drawnKey{postOf(e), e.Tag, as}
	h.mu.Lock()
	drawn, held := h.drawn[key]
	h.mu.Unlock()
	if held {
		return drawn
	}
	drawn = h.server.draw(p, e, as)
	if e.Tag == "" {
		return drawn
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.drawn) >= drawnHeld {
		clear(h.drawn)
	}
	h.drawn[key] = drawn
	return drawn
}

func (h *hub) cards(p *river.Patch) (users, groups json.RawMessage) { return h.server.cards(p) }

// draw has an entry rendered, as a value of JSON.
func (s *Server) draw(p *river.Patch, e *river.Entry, as Form) json.RawMessage {
	s.stats.drawn.Add(1)
	if as == AsHTML {
		return encode(s.config.Render.EntryHTML(p.Sets, e, p.Users, p.Groups))
	}
	return s.checked(s.config.Render.EntryJSON(p.Sets, e, p.Users, p.Groups))
}

func (s *Server) cards(p *river.Patch) (users, groups json.RawMessage) {
	users, groups = s.config.Render.Cards(p.Sets, p.Users, p.Groups)
	return s.checked(users), s.checked(groups)
}

// checked keeps a renderer's fault from becoming a frame that no page can read.
func (s *Server) checked(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	s.config.Log.Error("a renderer made invalid JSON", "bytes", len(raw))
	return json.RawMessage("{}")
}
