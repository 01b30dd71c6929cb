package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// A State is the reason why a node can't serve, or [StateReady].
type State string

// The states of a node.
const (
	StateReady    State = "ready"
	StateStarting State = "starting" // the node has not read the primary yet
	StateBehind   State = "behind"   // the node can't follow the primary at the moment
	StateStopping State = "stopping" // the node was told to stop
)

// Readiness is a node's state, with the reasons in English.
type Readiness struct {
	State   State
	Why     string        // a clause: why the node is not ready, and its trouble; empty: all is well
	Trouble page.Trouble  // what is wrong, whether or not the node is ready
	Age     time.Duration // of what pages show
}

// Ready reports whether the node can serve.
func (r Readiness) Ready() bool { return r.State == StateReady }

// Readiness returns the state of the node. Readiness asks neither the primary nor
// another node.
func (s *Server) Readiness() Readiness {
	r := Readiness{State: StateReady, Age: s.rivers.Age()}
	if r.Age <= s.config.BehindAfter {
		s.began.Store(true)
	}
	if s.config.Trouble != nil {
		r.Trouble = s.config.Trouble()
	}
	trouble := r.Trouble.Clause(catalogue.English)
	switch {
	case s.stopping.Load():
		r.State, r.Why = StateStopping, "it is about to stop"
	case !s.began.Load():
		r.State, r.Why = StateStarting, "it has not looked at the primary yet"
	case r.Age > s.config.BehindAfter:
		r.State, r.Why = StateBehind, fmt.Sprintf("the last look at the primary was %.1f s ago", r.Age.Seconds())
	default:
		r.Why = trouble
		return r
	}
	if trouble != "" && r.State != StateStopping {
		r.Why += ": " + trouble
	}
	return r
}

// Stopping makes the node report that it is not ready, because it was told to stop. The node
// still answers requests.
func (s *Server) Stopping() { s.stopping.Store(true) }

// healthz reports that the process is running.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n"))
}

// readyz reports in English whether this node can serve, and why not.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	r := s.Readiness()
	if !r.Ready() {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintf(w, "not ready: %s: %s\n", r.State, r.Why)
		return
	}
	_, _ = fmt.Fprintf(w, "ready at position %d\n", s.rivers.Position())
	if r.Why != "" {
		_, _ = fmt.Fprintf(w, "but %s\n", r.Why)
	}
}

// ageHeader is the header with the age of the state that a page of a river shows, in
// milliseconds. The age is not in the page itself, because pages are cached as bytes,
// which must not depend on the time of the request.
const ageHeader = "Amstel-Age"

func setAge(w http.ResponseWriter, age time.Duration) {
	w.Header().Set(ageHeader, strconv.FormatInt(age.Milliseconds(), 10))
}
