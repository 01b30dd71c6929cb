package web

import (
	"net/http"
	"net/url"
	"strings"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/webfeed"
)

const (
	htmlType = "text/html; charset=utf-8"
	jsonType = "application/json; charset=utf-8"
)

// json serves a value as JSON. A successful answer to a read has an ETag, and is 304 if the client
// has it already.
func (s *Server) json(w http.ResponseWriter, q *request, status int, body any) {
	s.jsonWith(w, q, status, body, func(text []byte) string { return bodyTag(text) })
}

// jsonWith is json with the function that returns the ETag of the encoded value.
func (s *Server) jsonWith(w http.ResponseWriter, q *request, status int, body any, tag func(text []byte) string) {
	text, err := wirejson.Encode(body)
	if err != nil {
		s.log.ErrorContext(q.Context(), "could not encode an answer", "route", routeOf(q.Request), "err", err)
		http.Error(w, `{"error":"Something went wrong on our side.","code":"fault"}`, http.StatusInternalServerError)
		return
	}
	header := w.Header()
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	header.Set("Vary", varies)
	if confirmable(w, q.Request, status) && confirm(w, q.Request, tag(text)) {
		return
	}
	header.Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that disconnects is not a server error
}

// done responds to a write that succeeded. A form without script is redirected: to its
// return_to, else to the given path, else back. Other clients get the body as JSON.
func (s *Server) done(w http.ResponseWriter, q *request, to string, body any) error {
	if !q.html {
		s.json(w, q, http.StatusOK, body)
		return nil
	}
	http.Redirect(w, q.Request, q.goesTo(to), http.StatusSeeOther)
	return nil
}

// goesTo returns the path to which the answer to a form redirects. A return_to that ends with #
// means the entry of the form's post: one form serves all entries of a page.
func (q *request) goesTo(otherwise string) string {
	asked, _ := q.body.text("return_to")
	if asked == "" {
		asked = q.URL.Query().Get("return_to")
	}
	if path, own := ownPath(asked); own {
		if post, err := q.post(); err == nil && strings.HasSuffix(asked, "#") {
			path += "#p" + mokum.IDText(post)
		}
		return path
	}
	if otherwise != "" {
		return otherwise
	}
	if from, err := url.Parse(q.Referer()); err == nil && from.Host == q.Host {
		if path, own := ownPath(from.RequestURI()); own {
			return path
		}
	}
	return "/"
}

// formAddress returns the path to which a form was sent. For a form sent to the API, it returns
// the path to which the answer redirects.
func (q *request) formAddress() string {
	if path := q.sentFromPage(""); path != "" {
		return path
	}
	return q.goesTo("/")
}

// sentFromPage returns the path of the page to which a form was sent, with a fragment, or an
// empty string for a form sent to the API.
func (q *request) sentFromPage(fragment string) string {
	if path := pagePath(q.Request); !strings.HasPrefix(path, apiPath) {
		return path + fragment
	}
	return ""
}

// ownPath reports whether an address is a path of this site, and returns it normalized.
// Two slashes at the start, or a backslash, would be another site for browsers.
func ownPath(text string) (string, bool) {
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == '\\' || c == 0x7f }) {
		return "", false
	}
	at, err := url.Parse(text)
	if err != nil || at.Host != "" || at.Scheme != "" || strings.HasPrefix(at.Path, "//") {
		return "", false // decoding may have produced two slashes
	}
	return at.String(), true
}

// prefersHTML reports whether to answer with HTML. Pages are HTML unless their path ends
// in .json; the answer to a write is HTML if the client prefers it.
func prefersHTML(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	html := strings.Contains(accept, "text/html")
	api := strings.HasPrefix(pagePath(r), "/api/")
	switch read := r.Method == http.MethodGet || r.Method == http.MethodHead; {
	case read && (api || strings.HasSuffix(r.URL.Path, ".json")):
		return false
	case read:
		return html || !strings.Contains(accept, "json")
	}
	return html
}

// pagePath returns the path that decides a request's route: with one slash at the start, and
// without the ending that asks for another form of the page.
func pagePath(r *http.Request) string {
	path := "/" + strings.TrimLeft(r.URL.Path, "/")
	return strings.TrimSuffix(path, formEnding(path))
}

// formEnding returns the ending of a path that asks for another form of the page: JSON, or a web
// feed. The name of a list may end like a feed, because lists have no web feeds except at private
// addresses.
func formEnding(path string) string {
	if _, format := webfeed.Cut(path); format != nil && !strings.HasPrefix(path, listPath) {
		return format.Ending
	}
	if strings.HasSuffix(path, ".json") {
		return ".json"
	}
	return ""
}

// listPath begins the paths of lists.
const listPath = "/list/"

// feedOf returns the format of the web feed that a request asks for; nil: it asks for none.
func feedOf(r *http.Request) *webfeed.Format {
	_, format := webfeed.Cut(formEnding(r.URL.Path))
	return format
}
