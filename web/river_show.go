package web

import (
	"net/http"
	"slices"
	"strconv"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// showRiver serves a page of the river that the path means: home, a person's, a
// group's, a post's, and so on.
func (s *Server) showRiver(w http.ResponseWriter, q *request) error {
	s.waitForOwnWrites(q.Request)
	where, part, err := s.addresses.Find(q.Context(), q.who.User, pagePath(q.Request), q.URL.Query())
	if err != nil {
		return err
	}
	return s.serveRiver(w, q, where, part)
}

// serveRiver serves a part of a river in the form that the request asks for.
func (s *Server) serveRiver(w http.ResponseWriter, q *request, where address.Address, part address.Range) (err error) {
	v := &riverPage{address: where, part: part}
	if s.serveHot(w, q, v) {
		return nil
	}
	if v.view, err = s.rivers.Visit(q.Context(), where.Key, part.At); err != nil {
		return s.closed(q, where.Owner, err)
	}
	if where.Owner.Name != "" {
		name, gone := v.ownerName()
		if err := s.addresses.Names.CheckName(q.Context(), &v.address, q.askedName(), name, gone); err != nil {
			return err
		}
	}
	if v.facts == nil { // serveHot has read them if it had a page to validate
		v.facts = s.factsFor(q, v.view.Sets, v.address)
	}
	if where.Key.What == river.KindPost {
		if len(v.view.Entries) == 0 {
			return timeline.ErrNotFound
		}
		if to, elsewhere := v.movedTo(); elsewhere && q.owner == nil {
			if err := s.renamed(q, v); err != nil {
				return err
			}
			switch {
			case q.feed != nil:
				to += q.feed.Ending
			case !q.html:
				to += ".json"
			}
			http.Redirect(w, q.Request, to, http.StatusFound)
			return nil
		}
	}
	return s.answerRiver(w, q, v)
}

// A rendering is a page of a river as it is sent.
type rendering struct {
	pieces   []piece       // the body of a page
	packed   []packedPiece // the pieces compressed, of a page that is kept
	body     []byte        // the body of a feed
	kind     string        // its media type
	language string        // the language's code; empty: JSON has none
	etag     string        // empty: a member's HTML, which has new names for forms each time
	feed     bool          // a web feed
	noindex  bool          // search engines are asked not to index the feed
}

// answerRiver renders the page and sends it. It caches a page of a kind that is kept.
func (s *Server) answerRiver(w http.ResponseWriter, q *request, v *riverPage) error {
	render := s.renderJSON
	switch {
	case q.feed != nil:
		render = s.renderFeed
	case q.html:
		render = s.renderHTML
	}
	v.caught = caughtUpWith{} // serveHot may have read it for an earlier state of the page
	if q.feed == nil && len(v.view.Entries) > 0 {
		v.caught = s.caughtUp(q, v)
		s.recordVisit(q, v, v.view.Entries[0].Cursor)
	}
	validator, keeps := s.hotValidator(q, v, v.view.CacheKey(), v.view.Sets)
	if v.caught.news {
		v.caught.box = s.catchUpBox(q, v.address.Key, *v.caught.left)
	}
	shown, err := render(q, v)
	if err != nil {
		return err
	}
	setAge(w, v.view.Age)
	if q.html {
		setReader(w, q)
	}
	if keeps && v.view.Live && v.view.Epoch != "" {
		switch {
		case q.who.User == 0:
			fresh := newHotPage(v.hotAddress(q), validator, s.config.Build, shown)
			s.hot.put(fresh)
			if q.feed == nil {
				fresh.serve(w, q.Request)
				return nil
			}
		case v.keptForMembers(q) && len(v.view.Entries) > 0:
			shown.packed = s.packer.packPieces(shown.pieces)
			s.hot.put(&hotPage{address: v.hotAddress(q), validator: validator, rendering: shown, top: v.view.Entries[0].Cursor})
		}
	}
	if q.feed != nil {
		s.sendFeed(w, q, v, shown)
		return nil
	}
	s.sendOwn(w, q, shown)
	return nil
}

// sendOwn sends a page that is for one viewer only.
func (s *Server) sendOwn(w http.ResponseWriter, q *request, shown rendering) {
	header := w.Header()
	header.Set("Cache-Control", "private, no-cache")
	header.Set("Vary", varies)
	if shown.etag != "" && confirm(w, q.Request, shown.etag) {
		return
	}
	header.Set("Content-Type", shown.kind)
	if shown.language != "" {
		header.Set("Content-Language", shown.language)
	}
	s.packer.send(w, q.Request, shown.pieces, shown.packed)
}

// wantsWhy reports whether the request asks for the reasons of each entry. They are long, and few
// programs show them.
func (q *request) wantsWhy() bool {
	why, err := strconv.ParseBool(q.URL.Query().Get("why"))
	return err == nil && why
}

// renderJSON returns the page in Mokum's shape.
func (s *Server) renderJSON(q *request, v *riverPage) (rendering, error) {
	if q.wantsWhy() {
		shown := s.pageOf(q, v)
		shown.AddWhy(v.view)
		body, err := wirejson.Encode(shown)
		return rendering{pieces: []piece{{bytes: body}}, kind: jsonType, etag: pageTag(body, shown.River)}, err
	}
	shown := s.pageAround(q, v)
	body, err := wirejson.Encode(shown)
	if err != nil {
		return rendering{}, err
	}
	const begin = `{"entries":[`
	pieces := []piece{{bytes: body}}
	if len(v.view.Entries) > 0 {
		entries := run{separator: ","}
		for i := range v.view.Entries {
			entries.fragments = append(entries.fragments, s.jsonFragment(v.view, &v.view.Entries[i]))
		}
		pieces = []piece{{bytes: body[:len(begin)]}, {run: entries}, {bytes: body[len(begin):]}}
	}
	return rendering{pieces: pieces, kind: jsonType, etag: piecesTag(pieces, shown.River)}, nil
}

// renderHTML returns the page as HTML.
func (s *Server) renderHTML(q *request, v *riverPage) (rendering, error) {
	m, marks := s.riverModel(q, v), newMarks()
	if m.Form != nil {
		m.Form.UUID = marks.addUUID()
	}
	m.Store = s.storeOf(v.view, marks)
	ctx := s.pageContext(q)
	m.Fragment = func(e *river.Entry) (string, bool) {
		if e.Fold.Comments.All { // has a form for a comment, with a UUID of its own
			return "", false
		}
		return marks.add(s.htmlFragment(ctx, m, q.look(), e)), true
	}
	body, err := s.renderPage(q, page.River(m))
	return rendering{pieces: marks.pieces(body), kind: htmlType, language: q.words.Code()}, err
}

// riverModel returns the content of the page as HTML.
func (s *Server) riverModel(q *request, v *riverPage) page.RiverModel {
	m := page.RiverModel{
		Shell: page.Shell{
			Words:   q.words,
			Title:   v.title(q.words),
			Path:    v.address.Link(v.part.Pinned()), // the address by which an open page requests its content again
			Viewer:  s.viewerOf(q.who, v.view),
			Behind:  s.behind(),
			NoIndex: v.unindexed(),
			Offline: true,
		},
		View: v.view,
		Head: s.kindHead(q.words, v),

		Search: s.searchHead(q, v),
		Steps:  s.steps(q, v),
		Front:  s.front(q, v),
	}
	if m.Viewer != nil {
		m.Viewer.Groups = s.joinedGroups.newest(q.Context(), q.who, v.view.Sets)
	}
	m.Suggest = s.suggestions(q, v, m.Steps)
	m.Share, m.Description = s.share(q, v)
	if v.view.Live {
		m.UUID = s.rivers.Name(v.view.Key, q.who.Hash)
	}
	m.LeftOff, m.CatchUp, m.Keeps = v.caught.left, v.caught.box, v.caught.kept
	m.User, m.Group = s.heads(q, v)
	m.Form = s.postForm(q, v)
	m.Feeds = v.feedLinks()
	if q.who.signedIn() {
		if len(m.Feeds) == 0 {
			m.AskFeed = page.AskFeedPath(v.address.Top())
		}
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

// renamed returns an [address.MovedError] if the request names the author of a post, or one of
// its groups, by an old name; else nil.
func (s *Server) renamed(q *request, v *riverPage) error {
	found, err := s.addresses.Names.Lookup(q.Context(), q.askedName())
	if err != nil {
		return nil // no account has the name: the caller redirects
	}
	e := &v.view.Entries[0]
	if found.User != 0 && found.User == e.Fold.Author || found.Group != 0 && slices.ContainsFunc(e.Places, func(t timeline.Timeline) bool {
		return t.What == timeline.WhatGroup && t.TheirID == int64(found.Group)
	}) {
		return found.AskedAs(q.askedName())
	}
	return nil
}
