package web

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

const (
	htmlType = "text/html; charset=utf-8"
	jsonType = "application/json; charset=utf-8"
)

// visited is a page of a river on its way to being shown.
type visited struct {
	address address.Address // which river
	part    address.Range   // which part of it
	view    *river.View
	facts   *headFacts // nil: not read yet
	caught  caughtUpWith
}

// showRiver answers with a page of a river: home, a person's, a group's, a
// post's, and so on, as the path says.
func (s *Server) showRiver(w http.ResponseWriter, q *request) error {
	s.reach(q.Request)
	where, part, err := s.addresses.Find(q.Context(), q.who.User, pagePath(q.Request), q.URL.Query())
	if err != nil {
		return err
	}
	v := &visited{address: where, part: part}
	if s.serveHot(w, q, v) {
		return nil
	}
	if v.view, err = s.rivers.Visit(q.Context(), where.Key, part.At); err != nil {
		return s.closed(q, where.Owner, err)
	}
	if where.Owner.Name != "" {
		name, gone := v.called()
		if err := s.addresses.Names.Settle(q.Context(), &v.address, q.askedName(), name, gone); err != nil {
			return err
		}
	}
	if v.facts == nil { // serveHot reads those that all share who are not signed in
		v.facts = s.pageFacts(q.Context(), v.view.Sets, v.address, q.html)
	}
	if where.Key.What == river.KindPost {
		if len(v.view.Entries) == 0 {
			return timeline.ErrNotFound
		}
		if to, elsewhere := v.movedTo(); elsewhere {
			if err := s.renamed(q, v); err != nil {
				return err
			}
			if !q.html {
				to += ".json"
			}
			http.Redirect(w, q.Request, to, http.StatusFound)
			return nil
		}
	}
	return s.answerRiver(w, q, v)
}

// hotAddress is what a page is kept under: its address, and its form.
func (v *visited) hotAddress(q *request) string {
	form := "json "
	if q.html {
		form = "html "
	}
	return form + v.address.Link(v.part.Pinned())
}

// serveHot answers with a page that everybody who is not signed in shares, if
// it was rendered before and is still good.
func (s *Server) serveHot(w http.ResponseWriter, q *request, v *visited) bool {
	if q.who.User != 0 || v.address.Owner.Name != "" && v.address.Owner.Name != q.askedName() || v.part.Order != river.OrderOwn || v.part.Run != 0 {
		return false
	}
	v.facts = s.pageFacts(q.Context(), nil, v.address, q.html)
	epoch, changed, ok := s.rivers.Stamp(v.address.Key, v.part.At)
	if !ok {
		return false
	}
	held, is := s.hot.get(v.hotAddress(q), hotStamp{epoch, changed, s.behind(), v.facts.counts, v.facts.around()})
	if is {
		setAge(w, s.rivers.Age())
		held.serve(w, q.Request)
	}
	return is
}

// answerRiver renders the page and writes it; what everybody who is not signed
// in shares is kept for the next of them.
func (s *Server) answerRiver(w http.ResponseWriter, q *request, v *visited) error {
	kind, render := jsonType, s.renderJSON
	if q.html {
		kind, render = htmlType, s.renderHTML
	}
	s.catchUp(q, v)
	stamp := hotStamp{v.view.Epoch, v.view.Changed, s.behind(), v.facts.counts, v.facts.around()}
	body, err := render(q, v)
	if err != nil {
		return err
	}
	setAge(w, v.view.Age)
	if q.who.User == 0 && v.view.Live && v.view.Epoch != "" {
		fresh := newHotPage(v.hotAddress(q), stamp, s.config.Build, kind, body)
		s.hot.put(fresh)
		fresh.serve(w, q.Request)
		return nil
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "private, no-cache")
	header.Set("Vary", varies)
	_, _ = w.Write(body) // who left is no error of ours
	return nil
}

// renderJSON makes the page in Mokum's shape.
func (s *Server) renderJSON(q *request, v *visited) ([]byte, error) {
	shown := s.pageOf(q.who, v)
	// The reasons are much, and few programs show them.
	if why, err := strconv.ParseBool(q.URL.Query().Get("why")); err == nil && why {
		shown.AddWhy(v.view)
	}
	return encode(shown)
}

// renderHTML makes the page for people.
func (s *Server) renderHTML(q *request, v *visited) ([]byte, error) {
	return renderPage(q, page.River(s.riverModel(q, v)))
}

func renderPage(q *request, component templ.Component) ([]byte, error) {
	var b bytes.Buffer
	if err := component.Render(q.Context(), &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// riverModel is what the page is made of.
func (s *Server) riverModel(q *request, v *visited) page.RiverModel {
	m := page.RiverModel{
		Shell: page.Shell{
			Title:       v.title(),
			Description: v.description(),
			Path:        v.address.Link(v.part.Pinned()), // by which an open page asks for what it shows again
			Viewer:      s.viewerOf(q.who, v.view),
			Behind:      s.behind(),
			NoIndex:     v.unindexed(),
		},
		View: v.view,
		Head: s.kindHead(v),

		Search:  s.searchHead(q, v),
		Suggest: s.suggestions(q, v),
	}
	if v.view.Live {
		m.UUID = s.rivers.Name(v.view.Key, q.who.Hash)
	}
	m.LeftOff, m.CatchUp, m.Keeps = v.caught.left, v.caught.box, v.caught.kept
	m.User, m.Group = s.heads(q, v)
	m.Form = s.postForm(q, v)
	if q.who.signedIn() {
		m.NewUUID = newUUID
	}
	if v.view.Older != nil {
		_, exact := v.older()
		m.Older = v.address.Link(exact.ForPeople())
	}
	if newer, there := v.part.Newer(); there {
		m.Newer = v.address.Link(newer)
	}
	return m
}

// older is what asks for the page below; see [address.Range.Older]. What follows a
// ranking's page is of the same run.
func (v *visited) older() (byNumber, exact address.Range) {
	from := v.part
	if v.address.Ranked() {
		from.Run = v.view.Run
	}
	return from.Older(*v.view.Older, !v.address.Ranked() && v.address.Key.What != river.KindDay && from.Order == river.OrderOwn)
}

// unindexed says whether search engines are asked to leave the page alone: it is
// of somebody who asks that, or has what somebody wrote who does; or it is one of
// a search, of which there is no end.
func (v *visited) unindexed() bool {
	return v.address.What() == river.KindSearch || v.status() == "disallow-robots" || slices.ContainsFunc(v.view.Entries, func(e river.Entry) bool {
		card := v.view.Users[e.Fold.Author]
		return card != nil && card.Status == "disallow-robots"
	})
}

// viewerOf is who is signed in, for the top of the page; nil: nobody.
func (s *Server) viewerOf(who visitor, view *river.View) *page.Viewer {
	if !who.signedIn() {
		return nil
	}
	viewer := &page.Viewer{Card: &timeline.UserCard{ID: who.User, Name: who.Name, DisplayName: who.DisplayName}}
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

// called is what the river says its owner is called, and whether the owner is gone;
// no name where the river doesn't say.
func (v *visited) called() (name string, gone bool) {
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	return "", false
}

// movedTo is the post's own address where the page was asked for under a name
// that the post is not found under: neither its author's nor its groups'.
func (v *visited) movedTo() (string, bool) {
	e := &v.view.Entries[0]
	c := mokum.Cards{Users: v.view.Users, Groups: v.view.Groups}
	name, _, _ := strings.Cut(strings.TrimPrefix(v.address.Path, "/"), "/")
	author := mokum.AuthorName(e, c)
	if name == author {
		return "", false
	}
	for _, t := range e.Places {
		if t.What != timeline.WhatGroup {
			continue
		}
		if card := c.Groups[timeline.GroupID(t.TheirID)]; card != nil && card.Name == name {
			return "", false
		}
	}
	if author == "-" {
		return "", false // who wrote it is not known: any name will do
	}
	return "/" + author + "/" + strconv.FormatInt(int64(e.Fold.Post), 10), true
}

// renamed is [address.MovedError] where the page of a post was asked for under an old name
// of its author's, or of a group that it is in.
func (s *Server) renamed(q *request, v *visited) error {
	found, err := s.addresses.Names.Lookup(q.Context(), q.askedName())
	if err != nil {
		return nil // nobody's name: any will do
	}
	e := &v.view.Entries[0]
	if found.User != 0 && found.User == e.Fold.Author || found.Group != 0 && slices.ContainsFunc(e.Places, func(t timeline.Timeline) bool {
		return t.What == timeline.WhatGroup && t.TheirID == int64(found.Group)
	}) {
		return found.AskedAs(q.askedName())
	}
	return nil
}

// closed says why a page can't be opened. That a private person or group is
// there is no secret, so the page says whose it is and offers to ask; unless he
// is there no more, or called otherwise, which nothing else would tell here.
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

// closedError is the refusal of somebody's page, which names whose it is.
type closedError struct {
	owner address.Owner
	error
}

func (e *closedError) Unwrap() error { return e.error }
