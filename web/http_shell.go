package web

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// shell returns the frame around the content of a page outside rivers.
func (s *Server) shell(q *request, title string) page.Shell {
	shell := page.Shell{
		Words: q.words, Title: title, Path: q.ownAddress(), Viewer: s.viewerOf(q.who, nil), Behind: s.behind(), NoIndex: true,
	}
	if shell.Viewer != nil {
		shell.Viewer.Unread = s.unread(q)
		shell.Viewer.Lists = s.listNames(q)
		shell.Viewer.Groups = s.newestGroups(q)
	}
	return shell
}

// ownAddress returns the path and query by which the page can be asked for again.
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

// page serves a page that is not of a river.
func (s *Server) page(w http.ResponseWriter, q *request, status int, component templ.Component) error {
	body, err := s.renderPage(q, component)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", htmlType)
	header.Set("Content-Language", q.words.Code())
	setReader(w, q)
	header.Set("Vary", varies)
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that disconnects is not a server error
	return nil
}

// renderPage returns a page as the visitor sees it.
func (s *Server) renderPage(q *request, component templ.Component) ([]byte, error) {
	var b bytes.Buffer
	if err := component.Render(s.pageContext(q), &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// pageContext returns the context in which pages are rendered for the visitor.
func (s *Server) pageContext(q *request) context.Context {
	site := s.rivers.Site()
	ctx := page.WithFace(q.Context(), page.Face{Name: site.Name, Rules: site.Rules != ""})
	return page.WithHost(page.WithLook(ctx, q.look()), s.host)
}

// siteName returns the name of the site.
func (s *Server) siteName() string { return cmp.Or(s.rivers.Site().Name, timeline.DefaultName) }

// look returns how the visitor sees every page.
func (q *request) look() page.Look {
	return page.Look{Theme: q.who.Theme, Density: q.who.Density, Zone: q.who.TimeZone}
}

// viewerOf returns the visitor for the top of a page; nil if not signed in. View is the
// page's river, which has newer data than the identity; it may be nil.
func (s *Server) viewerOf(who visitor, view *river.View) *page.Viewer {
	if !who.signedIn() {
		return nil
	}
	viewer := &page.Viewer{Card: &timeline.UserCard{ID: who.User, Name: who.Name, DisplayName: who.DisplayName}, Admin: who.Admin}
	if view == nil {
		return viewer
	}
	if card := view.Users[who.User]; card != nil {
		viewer.Card = card
	}
	viewer.Unread = view.Unread
	if view.Sets != nil {
		viewer.Requests = view.Sets.Incoming
		viewer.Lists = listNames(view.Sets)
	}
	return viewer
}

// countWithin is how long a page that is not of a river waits for the numbers of unread
// notices, and for the names of lists.
const countWithin = 500 * time.Millisecond

// unread returns the visitor's numbers of unread notices, for pages that show no river.
// They are 0 if the primary does not answer in time.
func (s *Server) unread(q *request) (u river.Unread) {
	if !q.who.signedIn() || s.behind() {
		return u
	}
	ctx, cancel := context.WithTimeout(q.Context(), countWithin)
	defer cancel()
	var err error
	if u.Notices, u.Directs, err = s.store.Unread(ctx, q.who.User); err != nil {
		s.log.DebugContext(q.Context(), "could not count unread notices", "user", q.who.User, "err", err)
	}
	return u
}

// listNames returns the names of the viewer's lists, sorted.
func listNames(sets *timeline.Sets) []string {
	names := make([]string, 0, len(sets.Lists))
	for _, list := range sets.Lists {
		names = append(names, list.Name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	})
	return names
}

// newestGroups returns the groups that the visitor joined last, for pages that show no river. If
// the primary does not answer in time, newestGroups returns the cached groups, or none.
func (s *Server) newestGroups(q *request) []*timeline.GroupCard {
	if !q.html || s.behind() {
		return nil
	}
	ctx, cancel := context.WithTimeout(q.Context(), countWithin)
	defer cancel()
	return s.joinedGroups.newest(ctx, q.who, nil)
}

// listNames returns the names of the visitor's lists, for pages that show no river. It
// returns none if the primary does not answer in time.
func (s *Server) listNames(q *request) []string {
	if !q.html || !q.who.signedIn() || s.behind() {
		return nil
	}
	ctx, cancel := context.WithTimeout(q.Context(), countWithin)
	defer cancel()
	names, err := s.store.ListNames(ctx, q.who.User)
	if err != nil {
		s.log.DebugContext(q.Context(), "could not read the names of lists", "user", q.who.User, "err", err)
	}
	return names
}
