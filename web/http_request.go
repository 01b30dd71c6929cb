package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// request is one that is being answered: who asks, for what, and in which form
// the answer goes.
type request struct {
	*http.Request
	who   visitor
	token bool               // by a token, not by a cookie
	html  bool               // the answer is a page, not JSON
	words catalogue.Language // of pages, and of what our own pages are told
	body  input              // of a write
	wrote *timeline.Effect   // what its writes came to; nil: it is none that writes
}

// An action answers a request, or says why it can't.
type action func(http.ResponseWriter, *request) error

// quotaKey returns the key under which writes are counted, and in whose line pages
// wait: the person, or else the client's network.
func (q *request) quotaKey() string {
	if q.who.signedIn() {
		return "user " + strconv.FormatInt(int64(q.who.User), 10)
	}
	return "network " + ClientNetwork(q.Context()).String()
}

// param is a part of the path.
func (q *request) param(name string) string { return chi.URLParam(q.Request, name) }

// id reads a part of the path that is an id; what is none names nothing.
func (q *request) id(name string) (int64, error) {
	id, err := strconv.ParseInt(q.param(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, timeline.ErrNotFound
	}
	return id, nil
}

// post reads the id of a post from the path.
func (q *request) post() (timeline.PostID, error) {
	id, err := q.id("post")
	return timeline.PostID(id), err
}

// comment reads the ids of a comment and its post from the path.
func (q *request) comment() (timeline.PostID, timeline.CommentID, error) {
	post, err := q.post()
	if err != nil {
		return 0, 0, err
	}
	id, err := q.id("comment")
	return post, timeline.CommentID(id), err
}

// readsIn returns the language of a reader: that of the page that asks, which says so;
// else the reader's setting; else what the browser asks for; else the site's.
func (s *Server) readsIn(r *http.Request, who *visitor) catalogue.Language {
	if l, said := catalogue.Find(r.Header.Get(languageHeader)); said {
		return l
	}
	if who != nil {
		if l, set := catalogue.Find(who.Language); set {
			return l
		}
	}
	return catalogue.Accepted(r.Header.Get("Accept-Language"), s.config.Language)
}

// languageHeader is where a page of ours says in which language it is.
const languageHeader = "X-Amstel-Language"

// wantsFragments says whether the client is our own page, which applies HTML.
func (q *request) wantsFragments() bool {
	return strings.EqualFold(q.Header.Get("X-Amstel-As"), "html")
}

// routeOf is the pattern of the request's route.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil {
		return c.RoutePattern()
	}
	return ""
}
