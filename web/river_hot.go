package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/cache"
)

// A hotPages caches rendered pages by their [riverPage.hotAddress], so that a page in which nothing changed costs a
// look at its river and a write. All visitors without an account share a page. A member has pages of their own.
type hotPages struct {
	held *cache.Sized[string, *hotPage]
}

// A hotPage is a rendered page in one form.
type hotPage struct {
	address   string // of the page, and its form
	validator hotValidator
	rendering                 // with the whole body; of a member's page in pieces
	gzipped   []byte          // of a visitor's page; nil if that is not smaller
	top       timeline.Cursor // of a member's page: the place of its first entry
}

// A hotValidator is everything on which the bytes of a page depend, besides its address. A
// cached page is current if its validator equals the validator of a new rendering.
type hotValidator struct {
	page   river.CacheKey
	behind bool
	counts headCounts
	around string // the rest of the page above its entries; see headFacts.cacheKey
	member memberFacts
}

// memberFacts are the facts of which only members' pages tell.
type memberFacts struct {
	name, displayName string
	admin             bool
	groups            *timeline.GroupCard // the first of the groups that the member joined; the cards of another reading are other values
	previews          bool                // the form for a new post offers previews of links
	left              timeline.Cursor     // the end of the last visit
	leftAt            int64
	news              newsKey
}

// A newsKey is everything on which the news since the last visit depend.
type newsKey struct {
	told bool // the page tells them
	home river.News
	mine river.CacheKey // of the member's discussions
}

func newHotPages(most int) hotPages {
	return hotPages{cache.NewSized(most, func(_ string, page *hotPage) int { return page.size() })}
}

// get returns a cached page, which is current if its validator is that of now.
func (h hotPages) get(address string) (*hotPage, bool) { return h.held.Get(address) }

// put caches a page, replacing an older one with the same address.
func (h hotPages) put(page *hotPage) { h.held.Put(page.address, page) }

// size returns the bytes that the page takes, with those that it shares with others.
func (p *hotPage) size() int {
	size := len(p.body) + len(p.gzipped) + len(p.address) + 512
	for _, one := range p.pieces {
		size += one.size()
	}
	for _, packed := range p.packed {
		size += len(packed.bytes)
	}
	return size
}

// hotAddress returns the name under which a page is cached: its form, the language and the look of its HTML, the
// member with the session, and the address.
func (v *riverPage) hotAddress(q *request) string {
	form := "json "
	switch {
	case q.feed != nil:
		form = q.feed.Ending + " "
	case q.html:
		form = "html " + q.words.Code() + " "
	case q.wantsWhy():
		form = "why "
	}
	if q.who.signedIn() {
		form += strconv.FormatInt(int64(q.who.User), 10) + " " + string(q.who.Hash) + " "
		if q.html {
			look := q.look()
			form += look.Theme + " " + look.Density + " " + look.Zone + " "
		}
	}
	return form + v.address.Link(v.part.Pinned())
}

// keptForMembers reports whether the page is of a kind that is kept for members. Other pages depend on more facts than
// a memberFacts has.
func (v *riverPage) keptForMembers(q *request) bool {
	switch v.address.Key.What {
	case river.KindHome, river.KindList, river.KindDiscussions, river.KindMentions, river.KindFavs, river.KindEverything:
		return q.feed == nil && v.address.Owner.Name == "" && !(q.html && q.who.Newcomer)
	}
	return false
}

// kept reports whether the page is of a kind that is cached.
func (v *riverPage) kept(q *request) bool {
	if v.part.Order != river.OrderOwn || v.part.Run != 0 {
		return false
	}
	if q.who.signedIn() {
		return v.keptForMembers(q)
	}
	return v.address.Owner.Name == "" || v.address.Owner.Name == q.askedName()
}

// hotValidator returns the validator of a page, whose river has the key. ok is false if the page can't be cached. The
// facts and what the member is caught up with are known.
func (s *Server) hotValidator(q *request, v *riverPage, key river.CacheKey, sets *timeline.Sets) (of hotValidator, ok bool) {
	unread, followed := key.Unread, key.Followed
	key.Unread, key.Followed = river.Unread{}, 0
	if q.feed != nil {
		key.Versions = 0 // feeds do not show versions; pages as HTML have the entries as JSON, too, for extensions of browsers
	}
	of = hotValidator{page: key, behind: s.behind(), counts: v.facts.counts, around: v.facts.cacheKey()}
	if !q.who.signedIn() {
		return of, true
	}
	if !v.keptForMembers(q) {
		return of, false
	}
	m := &of.member
	m.name, m.displayName = q.who.Name, q.who.DisplayName
	if v.caught.left != nil {
		m.left, m.leftAt = v.caught.left.Cursor, v.caught.left.At.UnixNano()
	}
	if !q.html {
		of.page.Followed = followed // the cards tell who follows the member
		return of, true
	}
	of.page.Unread = unread
	m.admin, m.previews = q.who.Admin, s.rivers.Site().LinkPreviews
	if groups := s.joinedGroups.cards(q.Context(), q.who, sets); len(groups) > 0 {
		m.groups = groups[0]
	}
	if v.caught.news {
		m.news, ok = s.newsKey(q, v)
		return of, ok
	}
	return of, true
}

// newsKey returns the key of the news of a home. ok is false if the rivers must be visited to know it.
func (s *Server) newsKey(q *request, v *riverPage) (key newsKey, ok bool) {
	key.told = true
	if key.home, ok = s.rivers.Since(v.address.Key, v.caught.left.Cursor); !ok {
		return key, false
	}
	key.mine, _, ok = s.rivers.CacheKey(discussionsOf(q.who.User), river.At{Count: address.PageCount})
	key.mine.Unread, key.mine.Versions, key.mine.Followed = river.Unread{}, 0, 0
	return key, ok
}

// serveHot serves a current cached page, and reports whether it did.
func (s *Server) serveHot(w http.ResponseWriter, q *request, v *riverPage) bool {
	if !v.kept(q) {
		return false
	}
	held, is := s.hot.get(v.hotAddress(q))
	if !is {
		return false // the validator may need statements, which a page without entries does not need
	}
	key, sets, ok := s.rivers.CacheKey(v.address.Key, v.part.At)
	if !ok {
		return false
	}
	if !q.who.signedIn() {
		sets = nil
	}
	v.facts = s.factsFor(q, sets, v.address)
	if q.who.signedIn() {
		v.caught = s.caughtUp(q, v)
	}
	if validator, ok := s.hotValidator(q, v, key, sets); !ok || held.validator != validator {
		return false
	}
	if verifyHot != nil {
		verifyHot(s, q, *v, held)
	}
	setAge(w, s.rivers.Age())
	if q.html {
		setReader(w, q)
	}
	switch {
	case q.who.signedIn():
		s.recordVisit(q, v, held.top)
		s.sendOwn(w, q, held.rendering)
	case q.feed != nil:
		s.sendFeed(w, q, v, held.rendering)
	default:
		held.serve(w, q.Request)
	}
	return true
}

// verifyHot is nil, except in tests, where it compares a cached page with a new rendering.
var verifyHot func(s *Server, q *request, v riverPage, held *hotPage)

// newHotPage returns a visitor's page with its ETag and gzipped bytes. The tag is a hash of the address and the
// validator. A feed keeps the tag of its content, which is the same on all nodes.
func newHotPage(address string, validator hotValidator, build string, shown rendering) *hotPage {
	page := &hotPage{address: address, validator: validator, rendering: shown}
	if shown.feed {
		return page // the middleware compresses the answers with feeds
	}
	if shown.pieces != nil {
		page.body, page.pieces = wholeBody(shown.pieces), nil
	}
	page.etag = bodyTag(fmt.Appendf(nil, "%s\n%s\n%+v", build, address, validator))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(page.body)
	if err == nil && z.Close() == nil && packed.Len() < len(page.body) {
		page.gzipped = bytes.Clone(packed.Bytes())
	}
	return page
}

// serve serves the page, or with 304 if the client has it.
func (p *hotPage) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", varies)
	if confirm(w, r, p.etag) {
		return
	}
	header.Set("Content-Type", p.kind)
	if p.language != "" {
		header.Set("Content-Language", p.language)
	}
	body := p.body
	if p.gzipped != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		body = p.gzipped
	}
	_, _ = w.Write(body) // a client that disconnects is not a server error
}

// acceptsGzip reports whether a client accepts gzip.
func acceptsGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.TrimSpace(quality) != "q=0"
		}
	}
	return false
}
