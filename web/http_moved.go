package web

import (
	"net/http"
	"net/url"
	"strings"
)

// askedName returns the name that the request's path begins with, as names are
// written.
func (q *request) askedName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	return strings.ToLower(name)
}

// redirectRenamed answers what was asked for under an old name with the same
// address under the present one. That may be the old one again some day, so no
// client is to remember the redirect for good.
func redirectRenamed(w http.ResponseWriter, q *request, name string) {
	_, rest, more := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	to := url.URL{Path: "/" + name, RawQuery: q.URL.RawQuery}
	if more {
		to.Path += "/" + rest
	}
	if strings.HasSuffix(q.URL.Path, ".json") {
		to.Path += ".json"
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.Redirect(w, q.Request, to.String(), http.StatusMovedPermanently)
}
