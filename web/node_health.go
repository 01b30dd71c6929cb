package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A State says whether a node can serve, and if not why.
type State string

// The states of a node.
const (
	StateReady    State = "ready"
	StateStarting State = "starting" // it has not come through yet
	StateBehind   State = "behind"   // it can't follow the primary just now
	StateStopping State = "stopping" // it has been told to
)

// Readiness is a node's state, with the reason where it can't serve.
type Readiness struct {
	State State
	Why   string        // a clause; where it is ready, what is wrong all the same, if anything is
	Age   time.Duration // of what pages show
}

// Ready says whether the node can serve.
func (r Readiness) Ready() bool { return r.State == StateReady }

// Readiness is how the node is now. It asks nobody else.
func (s *Server) Readiness() Readiness {
	r := Readiness{State: StateReady, Age: s.rivers.Age()}
	if r.Age <= s.config.BehindAfter {
		s.began.Store(true)
	}
	trouble := ""
	if s.config.Trouble != nil {
		trouble = s.config.Trouble()
	}
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

// Stopping has the node say that it is not ready: it has been told to stop, and
// answers what still comes.
func (s *Server) Stopping() { s.stopping.Store(true) }

// healthz says that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n"))
}

// readyz says whether this node can serve, and why not.
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

// ageHeader says of a page of a river how old what it shows is, in milliseconds. It
// stands beside the page, which is kept as bytes and doesn't depend on when it is
// shown.
const ageHeader = "Amstel-Age"

func setAge(w http.ResponseWriter, age time.Duration) {
	w.Header().Set(ageHeader, strconv.FormatInt(age.Milliseconds(), 10))
}
