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

// HubInterval is how often a hub wakes its pages at most (realtime.Limits.Coalesce).
const HubInterval = 200 * time.Millisecond

// A Watcher follows an open page as a socket does: the river wakes it at once after a silence,
// then at most once in 200 ms, and it applies each patch as a browser's script would. It records
// when the page began to show its present entries.
type Watcher struct {
	Node *river.Node
	Key  river.Key

	mu      sync.Mutex
	shown   []river.Have
	window  river.Window
	closed  error // it may not be opened
	moments []pageMoment
	fault   error
}

// A pageMoment is when a page came to show something else.
type pageMoment struct {
	At    time.Time
	Shown []river.Have // nil: the page is closed
}

// Follow opens the page and follows it until the context ends. It calls open when the page shows
// something, or may not be opened.
func (f *Watcher) Follow(ctx context.Context, open func()) {
	var opened sync.Once
	defer opened.Do(open)
	for ctx.Err() == nil {
		w, err := f.Node.Watch(ctx, f.Key)
		switch {
		case errors.Is(err, river.ErrBehind): // at once, maybe
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

// Refused reports whether an error says that a page may not be opened.
func Refused(err error) bool {
	return errors.Is(err, timeline.ErrForbidden) || errors.Is(err, timeline.ErrNotFound) || errors.Is(err, timeline.ErrUnauthorized)
}

// watched follows one watch until the watch ends.
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

// apply applies a patch to the entries that the page shows. The page then shows the window.
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

// noted notes the entries that the page shows now, and the time, if they changed.
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

// RightSince returns the time since when the page has shown the same as a fresh build of its
// river, in its window and as far as there is room for entries below. It returns an error if the
// page differs. A page that already showed the same before the last change counts as right from
// the last change on.
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
		if len(last.Shown) > 0 { // an empty page of a post says that the post is gone
			return time.Time{}, fmt.Errorf("%v shows %d entries, and should be closed", f.Key, len(last.Shown))
		}
		return last.At, nil
	}
	if last.Shown == nil {
		return time.Time{}, nil // a closed page is visited again, when its viewer likes to
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
