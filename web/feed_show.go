package web

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/cache"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/webfeed"
)

// A feedOwner is the person of a private address, with its secret.
type feedOwner struct {
	timeline.FeedOwner
	secret string
}

// handleFeed returns the handler of an action that answers with a web feed. It looks at no cookie and no
// token: a feed without a secret in its address shows what visitors see, whatever the client sends.
func (s *Server) handleFeed(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, words: s.config.Language, feed: feedOf(r)}
		ctx := turnstile.WithStranger(turnstile.WithClient(r.Context(), q.quotaKey()))
		q.Request = r.WithContext(ctx)
		err := s.charge(w, q) // of the address, also if the feed is a person's: a guess at a secret counts too
		if err == nil {
			err = do(w, q)
		}
		if err != nil {
			s.fail(w, q, err)
		}
	}
}

// showFeed serves the web feed of a page of a river that visitors can open.
func (s *Server) showFeed(w http.ResponseWriter, q *request) error {
	if q.feed == nil {
		return timeline.ErrNotFound
	}
	where, part, err := s.addresses.Find(q.Context(), 0, pagePath(q.Request), q.URL.Query())
	if err != nil {
		return err
	}
	return s.serveRiver(w, q, where, part)
}

// showPrivateFeed serves the web feed of a private address, as its owner sees the page. Each request asks
// the primary for the address, so no node serves an address after its revocation was answered.
func (s *Server) showPrivateFeed(w http.ResponseWriter, q *request) error {
	if q.feed == nil {
		return timeline.ErrNotFound
	}
	header := w.Header()
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	secret := q.param("secret")
	found, err := s.store.FeedOwner(q.Context(), secret)
	if err != nil {
		return err
	}
	q.owner, q.who = &feedOwner{found, secret}, visitor{Identity: found.Identity}
	if words, set := catalogue.Find(found.Language); set {
		q.words = words
	}
	at, err := url.Parse(found.Address.Page)
	if err != nil {
		return fmt.Errorf("page of feed address %d: %w", found.Address.ID, err)
	}
	query := q.URL.Query() // which part of the page; the page itself is that of the address
	maps.Copy(query, at.Query())
	ctx := turnstile.WithClient(q.Context(), q.quotaKey())
	for range 2 { // again by the present name, if the page's person or group was renamed
		r := q.Clone(ctx)
		r.URL.Path, r.URL.RawPath, r.URL.RawQuery = at.Path+q.feed.Ending, "", query.Encode()
		q.Request = r
		var where address.Address
		var part address.Range
		where, part, err = s.addresses.FindAgain(ctx, q.who.User, at.Path, query, river.Kind(found.Address.Kind), found.Address.TheirID)
		if err == nil {
			err = s.serveRiver(w, q, where, part)
		}
		moved, is := errors.AsType[*address.MovedError](err)
		if !is {
			return err
		}
		_, rest, more := strings.Cut(strings.TrimPrefix(at.Path, "/"), "/")
		if at.Path = "/" + moved.Name; more {
			at.Path += "/" + rest
		}
	}
	return timeline.ErrNotFound
}

// showFeedFile serves a file in the feed of a private address, if the owner of the address may read the
// post that the file is in.
func (s *Server) showFeedFile(w http.ResponseWriter, q *request) error {
	of, err := q.id("address")
	if err != nil {
		return err
	}
	id, err := q.id("id")
	if err != nil {
		return err
	}
	rendition, _, _ := strings.Cut(q.param("file"), ".")
	found, err := s.store.FeedFile(q.Context(), of, q.param("key"), timeline.AttachmentID(id), rendition)
	if err != nil {
		return err
	}
	if page.FeedFilePath(of, q.param("key"), timeline.AttachmentID(id), found.Rendition) != pagePath(q.Request) {
		return timeline.ErrNotFound
	}
	header := w.Header()
	header.Set("Cache-Control", "private, no-cache")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // feed readers are other sites
	header.Set("X-Robots-Tag", "noindex")
	return s.serveFile(w, q, found)
}

// sendFeed sends a web feed, or 304 if the client has it. Shared caches may keep a feed of a page that
// visitors can open, and ask each time whether it is current. So a post that was deleted, or that visitors
// may no longer read, is missing from the next answer.
func (s *Server) sendFeed(w http.ResponseWriter, q *request, v *riverPage, shown rendering) {
	header := w.Header()
	kept, of := "public, no-cache", v.hotAddress(q)
	if q.owner != nil {
		kept, of = "private, no-cache", fmt.Sprintf("%d %s", q.owner.Address.ID, of)
	}
	header.Set("Cache-Control", kept)
	header.Set("Vary", "Accept-Encoding")
	if shown.noindex {
		header.Set("X-Robots-Tag", "noindex")
	}
	modified, settled := s.feedTimes.modified(of, shown.etag, s.now())
	header.Set("Last-Modified", modified.Format(http.TimeFormat))
	switch since := q.Header.Get("If-Modified-Since"); {
	case confirm(w, q.Request, shown.etag):
		return
	case settled && q.Header.Get("If-None-Match") == "" && since == modified.Format(http.TimeFormat):
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", shown.kind)
	header.Set("Content-Language", shown.language)
	_, _ = w.Write(shown.body) // a client that disconnects is not a server error
}

// isOpenToVisitors reports whether visitors without an account can open the page.
func (v *riverPage) isOpenToVisitors() bool {
	switch v.address.Key.What {
	case river.KindEverything, river.KindBestOf, river.KindMostFaved, river.KindSearch, river.KindHashtag:
		return true
	case river.KindPost:
		return v.view.Entries[0].Public
	case river.KindUser, river.KindComments, river.KindLikes, river.KindPhotos, river.KindGroup, river.KindGroupPhotos, river.KindDay:
		return page.OpenTo(v.status()) == page.OpenToAll
	}
	return false
}

// feedLinks returns the links to the web feeds of the page; none if visitors can't open the page.
func (v *riverPage) feedLinks() (links []page.FeedLink) {
	if !v.isOpenToVisitors() {
		return nil
	}
	for _, format := range webfeed.Formats {
		links = append(links, page.FeedLink{Type: format.Type, Name: format.Name, Href: v.address.LinkAs(format.Ending, address.FirstPage)})
	}
	return links
}

// feedSettles is how long a feed must be unchanged before its Last-Modified is enough for a 304. Times in
// HTTP are whole seconds, so a feed that changes twice in a second would seem to be the same. All nodes
// show a change within less time, or report that they are behind.
const feedSettles = 10 * time.Second

// feedTimes remembers when this node first rendered the present content of each feed.
type feedTimes struct {
	held *cache.Cache[string, string] // the tags of the feeds, by hashes of their addresses
}

// feedTimesHeld bounds how many feeds have times.
const feedTimesHeld = 20_000

// modified returns the time for the Last-Modified of a feed. settled reports whether a client that sends
// this time back certainly has the present content. The time of the newest entry would not do, because the
// deletion of a post changes the feed, too.
func (t feedTimes) modified(of, etag string, now time.Time) (at time.Time, settled bool) {
	of = bodyTag([]byte(of)) // short, however long the address of a search is
	held, at, ok := t.held.Get(of)
	if !ok || held != etag {
		at = now
		t.held.Put(of, etag, now)
	}
	at = at.UTC().Truncate(time.Second)
	if now.Sub(at) < feedSettles {
		return at.Add(-time.Second), false // another time than when it has settled
	}
	return at, true
}
