package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

const (
	htmlType = "text/html; charset=utf-8"
	jsonType = "application/json; charset=utf-8"
)

// json answers with a value as JSON.
func (s *Server) json(w http.ResponseWriter, q *request, status int, body any) {
	text, err := encode(body)
	if err != nil {
		s.log.ErrorContext(q.Context(), "an answer that can't be encoded", "route", routeOf(q.Request), "err", err)
		http.Error(w, `{"error":"Something broke on our side.","code":"fault"}`, http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // who left is no error of ours
}

// encode is JSON without the escapes that only a page's source needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// done answers a write that came to something: a form without script goes on
// where it asked to, or else to the address given, or back; a client gets JSON.
func (s *Server) done(w http.ResponseWriter, q *request, to string, body any) error {
	if !q.html {
		s.json(w, q, http.StatusOK, body)
		return nil
	}
	http.Redirect(w, q.Request, q.goesTo(to), http.StatusSeeOther)
	return nil
}

// goesTo is where a form's answer leads.
func (q *request) goesTo(otherwise string) string {
	asked, _ := q.body.text("return_to")
	if asked == "" {
		asked = q.URL.Query().Get("return_to")
	}
	if path, own := ownPath(asked); own {
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

// ownPath says whether an address is a path of this site and nothing else: one
// slash, as browsers take two, or a backslash, for another site.
func ownPath(text string) (string, bool) {
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == '\\' || c == 0x7f }) {
		return "", false
	}
	at, err := url.Parse(text)
	if err != nil || at.Host != "" || at.Scheme != "" || strings.HasPrefix(at.Path, "//") {
		return "", false // written again, what was escaped in it may not be
	}
	return at.String(), true
}

// prefersHTML says in which form to answer. Pages are HTML unless their path
// ends in .json; what a write answers goes by what the client accepts.
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

// pagePath is the path that a request is routed by: however many slashes it
// begins with, and without .json.
func pagePath(r *http.Request) string {
	return strings.TrimSuffix("/"+strings.TrimLeft(r.URL.Path, "/"), ".json")
}
