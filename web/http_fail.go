package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// fail answers a request whose action returned an error.
func (s *Server) fail(w http.ResponseWriter, q *request, err error) {
	if q.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the client disconnected
	}
	if moved, is := errors.AsType[*address.MovedError](err); is {
		redirectRenamed(w, q, moved.Name)
		return
	}
	f := explain(err)
	header := w.Header()
	if f.Status == http.StatusInternalServerError {
		header.Set(incidentHeader, newIncident())
		s.log.ErrorContext(q.Context(), "request failed", "method", q.Method, "route", routeOf(q.Request), "user", q.who.User,
			"incident", header.Get(incidentHeader), "err", err)
	}
	if s.config.Observer != nil {
		s.config.Observer.Refused(f.Code)
	}
	header.Del("ETag")
	header.Set("Cache-Control", "no-store")
	if f.Retry > 0 && header.Get("Retry-After") == "" {
		header.Set("Retry-After", strconv.Itoa(f.Retry))
	}
	if f.Status == http.StatusUnauthorized && q.token {
		header.Set("WWW-Authenticate", `Bearer realm="amstel"`)
	}
	if q.html {
		s.failPage(w, q, f, err)
		return
	}
	said := f.Sentence
	if q.Header.Get(languageHeader) != "" { // one of our pages, which shows the error
		said = f.inPage(q.words)
	}
	body := map[string]any{"error": said, "err": said, "code": f.Code}
	if f.Fields != nil {
		body["fields"] = f.Fields
	}
	if incident := header.Get(incidentHeader); incident != "" {
		body["incident"] = incident
	}
	s.json(w, q, f.Status, body)
}

// failPage serves an error page. The closed page of a person or group is no failure: the page
// shows the owner, whose status reveals that the owner exists.
func (s *Server) failPage(w http.ResponseWriter, q *request, f failure, err error) {
	m := page.ErrorModel{Shell: s.shell(q, page.ErrorTitle(q.words, f.Status)), Status: f.Status, Retry: f.Retry}
	status := f.Status
	switch f.Code {
	case "not_found", "forbidden", "unauthorized", "fault":
		// The page has better sentences for these.
	default:
		m.Message = f.inPage(q.words)
	}
	var closed *closedError
	if errors.As(err, &closed) {
		m.User, m.Group = s.closedHeads(q, closed.owner)
		if own := "/" + closed.owner.Name; pagePath(q.Request) == own && (m.User != nil || m.Group != nil) {
			status, m.Title = http.StatusOK, closed.owner.Name
		}
	}
	// A client that has disconnected needs no page.
	if err := s.page(w, q, status, page.Error(m)); err != nil && q.Context().Err() == nil {
		s.log.ErrorContext(q.Context(), "could not render an error page", "err", err)
		http.Error(w, f.inPage(q.words), f.Status)
	}
}

// closedHeads returns the head of a page that the visitor may not read: the card of its owner,
// and a way to ask for access. It returns nil for both if they can't be read.
func (s *Server) closedHeads(q *request, whose address.Owner) (*page.UserHead, *page.GroupHead) {
	sets, cards, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return nil, nil
	}
	signed, back := q.who.signedIn(), "/"+whose.Name
	counts := s.counts.headCounts(q.Context(), sets, whose).shown()
	if card := cards.Users[whose.User]; whose.User != 0 && card != nil {
		return &page.UserHead{Card: card, Counts: counts, Relation: s.relation(q, sets, whose), Signed: signed, Closed: true, ReturnTo: back}, nil
	}
	if card := cards.Groups[whose.Group]; whose.Group != 0 && card != nil {
		return nil, &page.GroupHead{Card: card, Counts: counts, Relation: s.relation(q, sets, whose), Signed: signed, Closed: true, ReturnTo: back}
	}
	return nil, nil
}

// closed returns why a page can't be opened. The existence of a private person or group is no
// secret, so the error names the owner, and the page offers to ask for access. If the owner is
// gone or renamed, closed returns the error of a missing or moved page instead, because a page
// that is not shown can't tell the visitor otherwise.
func (s *Server) closed(q *request, whose address.Owner, err error) error {
	if !errors.Is(err, timeline.ErrForbidden) || whose.Name == "" {
		return err
	}
	switch found, lost := s.addresses.Names.LookupNow(q.Context(), q.askedName()); {
	case errors.Is(lost, timeline.ErrNotFound):
		return lost
	case lost == nil && found.Name != q.askedName():
		return found.AskedAs(q.askedName())
	}
	return &closedError{whose, err}
}

// A closedError is the refusal of a person's or a group's page, with its owner.
type closedError struct {
	owner address.Owner
	error
}

func (e *closedError) Unwrap() error { return e.error }

func notFound(http.ResponseWriter, *request) error { return timeline.ErrNotFound }

func methodNotAllowed(http.ResponseWriter, *request) error { return errMethod }
