package mokum

import (
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// A whyJSON is one reason why an entry is on a page, and the action that ends it.
type whyJSON struct {
	Kind string    `json:"kind"`
	ID   int64     `json:"id,omitempty"`
	Text string    `json:"text"`
	Undo *undoJSON `json:"undo,omitempty"`
}

// An undoJSON is a write of this API that ends the reason.
type undoJSON struct {
	Method string         `json:"method"`
	Path   string         `json:"path"`
	Body   map[string]any `json:"body,omitempty"`
}

// whyOf returns all reasons of an entry.
func whyOf(viewer *timeline.Sets, e *river.Entry, c Cards) []whyJSON {
	var all []whyJSON
	for _, w := range page.Whys(viewer, e, page.Cards{Users: c.Users, Groups: c.Groups}) {
		one := whyJSON{Kind: w.Kind, ID: w.ID, Text: w.Text()}
		if w.Undo != nil {
			one.Undo = &undoJSON{w.Undo.Method, w.Undo.Path, w.Undo.Body}
		}
		all = append(all, one)
	}
	return all
}

// AddWhy adds the reasons to each entry of the page.
func (p *Page) AddWhy(view *river.View) {
	c := Cards{Users: view.Users, Groups: view.Groups}
	for i := range p.Entries {
		p.Entries[i].Why = whyOf(view.Sets, &view.Entries[i], c)
	}
}
