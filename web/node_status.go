package web

import (
	"sync"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
)

// NodeStatus is what a node knows of itself, without asking anybody.
type NodeStatus struct {
	Rivers  river.Stats
	Sockets realtime.Stats
	Began   time.Time // when the process did
	Jobs    []JobStatus
}

// JobStatus is how a periodic job of this process fares.
type JobStatus struct {
	Name   string
	Every  time.Duration
	Last   time.Time // when it was last done; zero: not yet
	Failed bool      // the run after that
}

// statuses keep what the status page tells, so that looking at it often costs the
// node nothing.
type statuses struct {
	mu   sync.Mutex
	at   time.Time
	held NodeStatus
}

// statusFresh is how long it is kept.
const statusFresh = time.Second

// get returns how the node is, as of a moment ago; read asks the node.
func (s *statuses) get(now time.Time, read func() NodeStatus) NodeStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at.IsZero() || now.Sub(s.at) >= statusFresh || now.Before(s.at) {
		s.at, s.held = now, read()
	}
	return s.held
}
