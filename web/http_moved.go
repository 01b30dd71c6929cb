package web

import (
	"net/http"
	"net/url"
	"strings"
)

// askedName returns the name at the beginning of the request's path, in lower case.
func (q *request) askedName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	return strings.ToLower(name)
}

// redirectRenamed responds to a request under an old name with a redirect to the same address
// under the present name. The old name may be used again some day, so clients may not
// cache the redirect.
func redirectRenamed(w http.ResponseWriter, q *request, name string) {
	_, rest, more := strings.Cut(strings.TrimPrefix(pagePath(q.Request), "/"), "/")
	to := url.URL{Path: "/" + name, RawQuery: q.URL.RawQuery}
	if more {
		to.Path += "/" + rest
	}
	to.Path += formEnding(q.URL.Path)
	w.Header().Set("Cache-Control", "no-cache")
	http.Redirect(w, q.Request, to.String(), http.StatusMovedPermanently)
}
