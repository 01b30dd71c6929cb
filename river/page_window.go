package river

import "amstel.dev/amstel/timeline"

// windowOf is the window of a page as composed just now.
func windowOf(rv *river, at At, v *View) (w Window) {
	w.High = at.upperBound()
	defer func() { w.clip(at) }()
	n := len(v.Entries)
	if n == 0 && at.Skip > 0 {
		w.High = timeline.Cursor{} // past the end: what the river has is on the pages above
	}
	if n > 0 {
		if at.Skip > 0 {
			first := v.Entries[0].Place
			w.High = timeline.Cursor{FreshAt: first.FreshAt, Post: first.Post + 1}
		}
		if v.Older != nil {
			w.Low = *v.Older
		}
	}
	return w
}

// clip leaves out of a window what a page is asked for without, and says how it is
// filled.
func (w *Window) clip(at At) {
	w.NoReplies, w.Count = at.NoReplies, at.count()
	if at.After != (timeline.Cursor{}) {
		w.Bottom = timeline.Cursor{FreshAt: at.After.FreshAt, Post: at.After.Post + 1}
	}
	if w.Low.Below(w.Bottom) {
		w.Low = w.Bottom
	}
}

// covers is whether an entry stands within the window's ends.
func (w Window) covers(e *entry) bool { return e.cursor.Below(w.High) && !e.cursor.Below(w.Low) }

// shows is whether an entry is in the window.
func (w Window) includes(e *entry) bool { return w.covers(e) && !(w.NoReplies && isReply(e.reasons)) }
