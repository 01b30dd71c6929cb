package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/webfeed"
)

// A request is an HTTP request with its visitor, its body, and the form and language of its
// answer.
type request struct {
	*http.Request
	who   visitor
	token bool               // authenticated by a token, not by a cookie
	html  bool               // the answer is a page, not JSON
	feed  *webfeed.Format    // the answer is a web feed; nil: it is none
	owner *feedOwner         // of the private address that the request came to; nil: it came to another
	words catalogue.Language // of pages, and of answers to our own pages
	body  input              // of a write
	wrote *timeline.Effect   // the writes so far; nil: the method only reads
	shown bool               // this node shows the writes
	// unkept is why a file of the form was not stored. The action answers with it, because the
	// action knows the form.
	unkept error
}

// An action answers a request, or returns an error.
type action func(http.ResponseWriter, *request) error

// quotaKey returns the name under which limits count the request: the account, or else
// the client's network.
func (q *request) quotaKey() string {
	if q.who.signedIn() {
		return "user " + strconv.FormatInt(int64(q.who.User), 10)
	}
	return "network " + ClientNetwork(q.Context()).String()
}

// param returns a part of the path.
func (q *request) param(name string) string { return chi.URLParam(q.Request, name) }

// id returns the id in a part of the path, or [timeline.ErrNotFound].
func (q *request) id(name string) (int64, error) {
	id, err := strconv.ParseInt(q.param(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, timeline.ErrNotFound
	}
	return id, nil
}

// post returns the id of the post in the path.
func (q *request) post() (timeline.PostID, error) {
	id, err := q.id("post")
	return timeline.PostID(id), err
}

// comment returns the ids of the comment in the path and of its post.
func (q *request) comment() (timeline.PostID, timeline.CommentID, error) {
	post, err := q.post()
	if err != nil {
		return 0, 0, err
	}
	id, err := q.id("comment")
	return post, timeline.CommentID(id), err
}

// readsIn returns the language for a visitor: the language of the page that sends the request,
// else the account's setting, else the browser's, else the site's. who is nil before the visitor
// is known.
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

// languageHeader is the header in which our own pages send their language.
const languageHeader = "X-Amstel-Language"

// wantsFragments reports whether the client is our own page, which takes entries as HTML.
func (q *request) wantsFragments() bool {
	return strings.EqualFold(q.Header.Get("X-Amstel-As"), "html")
}

// routeOf returns the pattern of the request's route.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil {
		return c.RoutePattern()
	}
	return ""
}
