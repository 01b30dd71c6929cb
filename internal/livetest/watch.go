package livetest

import (
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// watch implements [realtime.Watch]: one listener of a model river.
type watch struct {
	rivers *Rivers
	viewer timeline.UserID
	model  *model
	bell   chan struct{}
	closed bool
	ended  bool
}

func (w *watch) C() <-chan struct{} { return w.bell }

// ring signals to the watch that the river changed, unless a signal waits already.
func (w *watch) ring() {
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

func (w *watch) Epoch() string { return w.model.epoch() }

func (w *watch) Counter() int64 {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	return w.rivers.counter
}

func (w *watch) Unread() (river.Unread, bool) {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	return w.rivers.unread[w.viewer], w.viewer != 0
}

// Viewer returns the viewer's sets, which have only bans in the model, and whether the watch lives.
func (w *watch) Viewer() (*timeline.Sets, bool) {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	if w.rivers.sealed != nil || w.model.ended || w.ended || w.closed {
		return nil, false
	}
	return &timeline.Sets{User: w.viewer, Bans: w.rivers.bans[w.viewer]}, true
}

func (w *watch) Close() {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	if w.closed {
		panic("livetest: a watch is closed twice")
	}
	w.closed = true
	w.rivers.watches--
	delete(w.model.watches, w)
}

func (w *watch) Patch(from int64, window river.Window) (*river.Patch, error) {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	if err := w.rivers.sealed; err != nil {
		return nil, err
	}
	if w.model.ended || w.ended || w.closed || from < w.model.purged {
		return nil, river.ErrGone
	}
	filled := w.model.fill(window)
	p := w.patch(from, w.model.opsSince(from, nil, window, filled))
	if len(p.Ops) == 0 {
		p.To = p.From
	}
	if filled != window {
		p.Filled = &filled
	}
	return p, nil
}

func (w *watch) Resume(r river.Resume) (*river.Patch, river.Window, error) {
	w.rivers.mu.Lock()
	defer w.rivers.mu.Unlock()
	m := w.model
	if err := w.rivers.sealed; err != nil {
		return nil, river.Window{}, err
	}
	if m.ended || w.ended || w.closed {
		return nil, river.Window{}, river.ErrGone
	}
	var p *river.Patch
	old := m.window(r.At, r.Have)
	window := m.fill(old)
	switch {
	case r.Epoch == m.epoch() && r.Counter >= m.purged && r.Counter <= w.rivers.counter:
		if len(r.Have) == 0 && !r.Poll {
			old.Low = old.High // the page has nothing
		}
		p = w.patch(r.Counter, m.opsSince(r.Counter, r.Have, old, window))
		if r.Poll && slices.ContainsFunc(p.Ops, func(op river.Op) bool { return op.Gone }) {
			p = nil // which other posts the page has is not known
		}
	case len(r.Have) > 0:
		p = w.patch(0, m.opsByTags(r.Have, window))
	}
	if p != nil && len(p.Ops) <= tooMany {
		return p, window, nil
	}
	p = w.patch(0, nil)
	p.Reset = true
	var have []river.Have
	for _, s := range m.page(r.At) {
		e := s.entry()
		p.Entries = append(p.Entries, *e)
		have = append(have, river.Have{Post: s.at.Post, Tag: e.Tag})
	}
	return p, m.window(r.At, have), nil
}

// patch returns a patch from a counter to the present one.
func (w *watch) patch(from int64, ops []river.Op) *river.Patch {
	return &river.Patch{Epoch: w.model.epoch(), From: from, To: w.rivers.counter, Ops: ops}
}
