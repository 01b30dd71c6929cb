package web

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// shell is what a page that is not of a river has around its content.
func (s *Server) shell(q *request, title string) page.Shell {
	shell := page.Shell{
		Title: title, Path: q.ownAddress(), Viewer: s.viewerOf(q.who, nil), Behind: s.behind(), NoIndex: true,
	}
	if shell.Viewer != nil {
		shell.Viewer.Unread = s.unread(q)
		shell.Viewer.Lists = s.listNames(q)
	}
	return shell
}

// ownAddress is the path, with its query, that a page is asked for again by.
func (q *request) ownAddress() string {
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		return q.goesTo("")
	}
	address := pagePath(q.Request)
	if q.URL.RawQuery != "" {
		address += "?" + q.URL.RawQuery
	}
	if own, is := ownPath(address); is {
		return own
	}
	return "/"
}

// page answers with a page that is not of a river.
func (s *Server) page(w http.ResponseWriter, q *request, status int, component templ.Component) error {
	body, err := renderPage(q, component)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", htmlType)
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // who left is no error of ours
	return nil
}

// failPage answers a failure with a page.
func (s *Server) failPage(w http.ResponseWriter, q *request, f failure, err error) {
	m := page.ErrorModel{Shell: s.shell(q, http.StatusText(f.Status)), Status: f.Status, Retry: f.Retry}
	switch f.Code {
	case "not_found", "forbidden", "unauthorized", "fault":
		// The page's own words say it better.
	default:
		m.Message = f.Sentence
	}
	var closed *closedError
	if errors.As(err, &closed) {
		m.User, m.Group = s.closedHeads(q, closed.owner)
	}
	if err := s.page(w, q, f.Status, page.Error(m)); err != nil {
		s.log.ErrorContext(q.Context(), "an error page that can't be rendered", "err", err)
		http.Error(w, f.Sentence, f.Status)
	}
}

// closedHeads are the top of a page that its asker may not read: whose it is,
// and how to ask. They are left out where they can't be had.
func (s *Server) closedHeads(q *request, whose address.Owner) (*page.UserHead, *page.GroupHead) {
	sets, cards, err := s.regard(q.Context(), q.who.User, whose)
	if err != nil {
		return nil, nil
	}
	signed, back := q.who.signedIn(), "/"+whose.Name
	if card := cards.Users[whose.User]; whose.User != 0 && card != nil {
		return &page.UserHead{Card: card, Relation: s.relation(q, sets, whose), Signed: signed, Closed: true, ReturnTo: back}, nil
	}
	if card := cards.Groups[whose.Group]; whose.Group != 0 && card != nil {
		return nil, &page.GroupHead{Card: card, Relation: s.relation(q, sets, whose), Signed: signed, Closed: true, ReturnTo: back}
	}
	return nil, nil
}

// problems are the fields of a failure as a form shows them.
func problems(f failure) page.Problems {
	found := page.Problems{}
	for field, reason := range f.Fields {
		found[field] = reason
	}
	if len(found) == 0 {
		found[""] = f.Sentence
	}
	return found
}

// mendable says whether an error is of what was typed, so that the form is
// shown again rather than a page that says no.
func mendable(err error) (failure, bool) {
	f := explain(err)
	switch {
	case errors.Is(err, timeline.ErrUnauthorized), errors.Is(err, timeline.ErrNotFound):
		return f, false
	}
	return f, f.Status == http.StatusUnprocessableEntity || f.Status == http.StatusConflict || f.Status == http.StatusForbidden || f.Status == http.StatusTooManyRequests
}
