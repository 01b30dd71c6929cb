package web

import (
	"net/http"

	"amstel.dev/amstel/web/page"
)

// mostPoisoned is how many posts that can't be drawn one page is tried without.
const mostPoisoned = 10

// avoiding serves a request, and where an entry of the page can't be drawn has its
// post left out of all rivers and serves it again: the page has all others. Pages are
// drawn before any of them is sent, so nothing was. What changes something is not
// done twice.
func (s *Server) avoiding(next http.Handler, w http.ResponseWriter, r *http.Request) {
	again := r.Method == http.MethodGet || r.Method == http.MethodHead
	for try := 1; ; try++ {
		poisoned := served(next, w, r)
		if poisoned == nil {
			return
		}
		s.rivers.Quarantine(poisoned.Post, poisoned)
		if !again || try == mostPoisoned || s.rivers.WaitApplied(r.Context()) != nil {
			panic(poisoned)
		}
	}
}

// served serves a request; of panics it answers those that an entry is to blame for.
func served(next http.Handler, w http.ResponseWriter, r *http.Request) (poisoned *page.Poisoned) {
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
