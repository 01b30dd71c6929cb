package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// HubInterval is the shortest time between two patches that a hub sends to a page
// (realtime.Limits.Coalesce).
const HubInterval = 200 * time.Millisecond

// A Watcher follows an open page on a node in this process, as a socket does: it fetches a patch at
// once when the river changes, but at most one in 200 ms, and applies each patch as the script in a
// browser would. It records when the page began to show its present entries.
type Watcher struct {
	Node *river.Node
	Key  river.Key

	mu      sync.Mutex
	shown   []river.Have // what the page shows, from the top down
	window  river.Window
	closed  error        // why the viewer may not open the page; nil: the viewer may
	moments []pageMoment // each change of the page
	fault   error        // the first thing that went wrong, which must never happen
}

// A pageMoment is a moment in which a page came to show something else.
type pageMoment struct {
	At    time.Time
	Shown []river.Have // nil: the page is closed
}

// Follow opens the page and follows it until the context ends. It calls open once: when the page shows
// its first entries, or when Follow returns before that.
func (f *Watcher) Follow(ctx context.Context, open func()) {
	var opened sync.Once
	defer opened.Do(open)
	for ctx.Err() == nil {
		w, err := f.Node.Watch(ctx, f.Key)
		switch {
		case errors.Is(err, river.ErrBehind): // ErrBehind may be returned without any wait
			again := time.NewTimer(HubInterval)
			select {
			case <-again.C:
			case <-ctx.Done():
				again.Stop()
			}
			continue
		case Refused(err):
			f.close(err)
			return
		case err != nil:
			f.fail(err)
			return
		}
		err = f.watched(ctx, w, func() { opened.Do(open) })
		w.Close()
		if err != nil && !errors.Is(err, river.ErrGone) && !errors.Is(err, river.ErrBehind) {
			f.fail(err)
			return
		}
	}
}

// Refused reports whether an error says that the viewer may not open a page, or that there is no such
// page.
func Refused(err error) bool {
	return errors.Is(err, timeline.ErrForbidden) || errors.Is(err, timeline.ErrNotFound) || errors.Is(err, timeline.ErrUnauthorized)
}

// watched follows the page by one watch, until the watch ends.
func (f *Watcher) watched(ctx context.Context, w *river.Watch, open func()) error {
	f.mu.Lock()
	have := slices.Clone(f.shown)
	f.mu.Unlock()
	p, window, err := w.Resume(river.Resume{Have: have})
	if err != nil {
		return err
	}
	f.apply(p, window)
	counter := p.To
	open()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.C():
		}
		p, err := w.Patch(counter, window)
		if err != nil {
			return err
		}
		counter = p.To
		if p.Filled != nil {
			window = *p.Filled
		}
		f.apply(p, window)
		pause.Reset(HubInterval)
		select {
		case <-ctx.Done():
			return nil
		case <-pause.C:
		}
	}
}

// apply applies a patch to the entries that the page shows. window is the page's window afterwards.
func (f *Watcher) apply(p *river.Patch, window river.Window) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.window = window
	if p.Reset {
		f.shown = make([]river.Have, 0, len(p.Entries))
		for i := range p.Entries {
			f.shown = append(f.shown, river.Have{Post: p.Entries[i].Facts.ID, Tag: p.Entries[i].Tag})
		}
	}
	for _, op := range p.Ops {
		f.shown = slices.DeleteFunc(f.shown, func(h river.Have) bool { return h.Post == op.Post })
		if op.Gone {
			continue
		}
		at := 0
		if op.After != 0 {
			if at = 1 + slices.IndexFunc(f.shown, func(h river.Have) bool { return h.Post == op.After }); at == 0 && f.fault == nil {
				f.fault = fmt.Errorf("%v: post %d is to stand below %d, which is not there", f.Key, op.Post, op.After)
			}
		}
		f.shown = slices.Insert(f.shown, at, river.Have{Post: op.Post, Tag: op.Entry.Tag})
	}
	shown := slices.Clone(f.shown)
	if shown == nil {
		shown = []river.Have{} // an empty page is not a closed one
	}
	f.noted(shown)
}

// noted records the entries that the page shows now, with the time, unless they are the same as
// before. The caller holds mu.
func (f *Watcher) noted(shown []river.Have) {
	if n := len(f.moments); n > 0 && slices.Equal(f.moments[n-1].Shown, shown) && (f.moments[n-1].Shown == nil) == (shown == nil) {
		return
	}
	f.moments = append(f.moments, pageMoment{time.Now(), shown})
}

func (f *Watcher) close(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed, f.shown = err, nil
	f.noted(nil)
}

func (f *Watcher) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault == nil {
		f.fault = fmt.Errorf("%v: %w", f.Key, err)
	}
}

// RightSince compares the page with a fresh build of its river, and returns when the page began to show
// the entries that it should show: the entries in its window, and entries below the window up to the
// window's Count. It returns an error if the page differs. If the page is rightly closed, the time is
// that of its closing. If the page is closed and its viewer may open it again, the time is zero.
func (f *Watcher) RightSince(ctx context.Context) (time.Time, error) {
	f.mu.Lock()
	count := max(f.window.Count, len(f.shown)) + 1 // so that a missing last entry is noticed
	f.mu.Unlock()
	fresh, err := f.Node.FromPrimary(ctx, f.Key, river.At{Count: count})
	closed := Refused(err)
	if err != nil && !closed {
		return time.Time{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault != nil {
		return time.Time{}, f.fault
	}
	if len(f.moments) == 0 {
		return time.Time{}, fmt.Errorf("%v was never opened", f.Key)
	}
	last := f.moments[len(f.moments)-1]
	if closed {
		if len(last.Shown) > 0 { // a page without entries is right too: the page of a deleted post
			return time.Time{}, fmt.Errorf("%v shows %d entries, and should be closed", f.Key, len(last.Shown))
		}
		return last.At, nil
	}
	if last.Shown == nil {
		return time.Time{}, nil // it is the viewer who has to open the page again
	}
	want := []river.Have{}
	for i := range fresh.Entries {
		e := &fresh.Entries[i]
		at := e.Cursor
		if at.Below(f.window.High) && (len(want) < f.window.Count || !at.Below(f.window.Low)) {
			want = append(want, river.Have{Post: e.Facts.ID, Tag: e.Tag})
		}
	}
	if !slices.Equal(want, last.Shown) {
		return time.Time{}, fmt.Errorf("%v %s", f.Key, difference(last.Shown, want))
	}
	return last.At, nil
}

// difference describes the first difference between two lists of entries.
func difference(shown, want []river.Have) string {
	for i := range min(len(shown), len(want)) {
		if s, w := shown[i], want[i]; s != w {
			return fmt.Sprintf("shows post %d as %s at place %d, where %d should be as %s", s.Post, s.Tag, i, w.Post, w.Tag)
		}
	}
	return fmt.Sprintf("shows %d entries, %d should be", len(shown), len(want))
}
