package web

import (
	"fmt"
	"net/http"
)

// healthz says that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n"))
}

// readyz says whether this node can serve, and why not.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if age := s.rivers.Age(); age > s.config.BehindAfter {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintf(w, "not ready: the last look at the primary was %.1f s ago\n", age.Seconds())
		return
	}
	_, _ = fmt.Fprintf(w, "ready at position %d\n", s.rivers.Position())
}
