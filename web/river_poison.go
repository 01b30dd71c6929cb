package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/web/page"
)

// mostPoisoned is the most posts that one request may put into quarantine because they can't be
// rendered.
const mostPoisoned = 10

// retryWithoutPoisoned serves a request. If an entry can't be rendered, its post is
// quarantined, and the request is served again, so that the page has all other entries.
// Nothing was sent by then, because pages are rendered before any of their bytes are
// sent. A request that changes something is not served again.
func (s *Server) retryWithoutPoisoned(next http.Handler, w http.ResponseWriter, r *http.Request) {
	again := r.Method == http.MethodGet || r.Method == http.MethodHead
	route := chi.RouteContext(r.Context())
	unrouted := *route
	for try := 1; ; try++ {
		*route = unrouted // routing adds to the pattern and the parameters of an earlier try
		poisoned := serveOnce(next, w, r)
		if poisoned == nil {
			return
		}
		s.rivers.Quarantine(poisoned.Post, poisoned)
		if !again || try == mostPoisoned || s.rivers.WaitApplied(r.Context()) != nil {
			panic(poisoned)
		}
	}
}

// serveOnce serves a request. It returns the entry whose rendering panicked, or nil; other
// panics go on.
func serveOnce(next http.Handler, w http.ResponseWriter, r *http.Request) (poisoned *page.Poisoned) {
	defer func() {
		if cause := recover(); cause != nil {
			var is bool
			if poisoned, is = cause.(*page.Poisoned); !is {
				panic(cause)
			}
		}
	}()
	next.ServeHTTP(w, r)
	return nil
}
