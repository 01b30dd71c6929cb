package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// windowOf returns the window of a page that was just composed.
func windowOf(rv *river, at At, v *View) (w Window) {
	w.High = at.upperBound()
	defer func() { w.clip(at) }()
	n := len(v.Entries)
	if n == 0 && at.Skip > 0 {
		w.High = timeline.Cursor{} // the page lies past the end: all entries are on pages above
	}
	if n > 0 {
		if at.Skip > 0 {
			first := v.Entries[0].Cursor
			w.High = timeline.Cursor{FreshAt: first.FreshAt, Post: first.Post + 1}
		}
		if v.Older != nil {
			w.Low = *v.Older
		}
	}
	return w
}

// clip applies the options of a page to its window: which entries the page leaves out, and how
// many entries fill the page.
func (w *Window) clip(at At) {
	w.NoReplies, w.Count = at.NoReplies, at.count()
	if at.After != (timeline.Cursor{}) {
		w.Bottom = timeline.Cursor{FreshAt: at.After.FreshAt, Post: at.After.Post + 1}
	}
	if w.Low.Below(w.Bottom) {
		w.Low = w.Bottom
	}
}

// covers reports whether an entry stands between the window's ends.
func (w Window) covers(e *entry) bool { return e.cursor.Below(w.High) && !e.cursor.Below(w.Low) }

// includes reports whether an entry is in the window.
func (w Window) includes(e *entry) bool { return w.covers(e) && !(w.NoReplies && isReply(e.reasons)) }

// uppermost returns the ops without the entries below the first mostOps.
func uppermost(ops []Op) []Op {
	entries := 0
	return slices.DeleteFunc(ops, func(op Op) bool {
		if !op.Gone {
			entries++
		}
		return !op.Gone && entries > mostOps
	})
}
