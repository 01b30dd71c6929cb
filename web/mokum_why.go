package web

import (
	"strconv"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// whyJSON is one reason why an entry is on a page, and what undoes it.
type whyJSON struct {
	Kind string    `json:"kind"`
	ID   int64     `json:"id,omitempty"`
	Text string    `json:"text"`
	Undo *undoJSON `json:"undo,omitempty"`
}

// undoJSON is a write of this API.
type undoJSON struct {
	Method string         `json:"method"`
	Path   string         `json:"path"`
	Body   map[string]any `json:"body,omitempty"`
}

// whyOf are all the reasons of an entry.
func whyOf(viewer *timeline.Sets, e *river.Entry, c cards) []whyJSON {
	var all []whyJSON
	for _, w := range page.Whys(viewer, e, page.Cards{Users: c.users, Groups: c.groups}) {
		one := whyJSON{Kind: w.Kind, ID: w.ID, Text: w.Text()}
		if w.Undo != nil {
			one.Undo = &undoJSON{w.Undo.Method, w.Undo.Path, w.Undo.Body}
		}
		all = append(all, one)
	}
	return all
}

// withWhy tells the reasons with each entry where the address asks for them by
// why=1: they are much, and few programs show them.
func (p *pageJSON) withWhy(q *request, view *river.View) {
	if on, err := strconv.ParseBool(q.URL.Query().Get("why")); err != nil || !on {
		return
	}
	c := cards{view.Users, view.Groups}
	for i := range p.Entries {
		p.Entries[i].Why = whyOf(view.Sets, &view.Entries[i], c)
	}
}
