package web

import (
	"fmt"
	"net/http"
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

// doneOn is done for what ended a reason: a form of an entry names the post, and
// is told what became of that in the river on the screen.
func (s *Server) doneOn(w http.ResponseWriter, q *request, to, result string) error {
	return s.done(w, q, to, resultOf{result, s.actedAbout(w, q)})
}

// actedAbout is acted for the post that the body names, if it does.
func (s *Server) actedAbout(w http.ResponseWriter, q *request) effect {
	post, err := strconv.ParseInt(fmt.Sprint(q.body["post"]), 10, 64)
	if _, _, is := s.onScreen(q); err != nil || post <= 0 || q.html || !is {
		return effect{Entries: map[string]effectEntry{}}
	}
	return s.acted(w, q, timeline.PostID(post))
}
