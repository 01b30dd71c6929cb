package web

import (
	"sync"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
)

// NodeStatus has the facts that a node knows about itself without asking the primary.
type NodeStatus struct {
	Rivers  river.Stats
	Sockets realtime.Stats
	Began   time.Time // when the process started
	Jobs    []JobStatus
}

// JobStatus is the state of a periodic job of this process.
type JobStatus struct {
	Name   string
	Every  time.Duration
	Last   time.Time // when it last succeeded; zero: never
	Failed bool      // the last run failed
}

// A statuses caches the content of the status page, so that many requests for the page cost the
// node nothing.
type statuses struct {
	mu   sync.Mutex
	at   time.Time
	held NodeStatus
}

// statusFresh is how long a status is cached.
const statusFresh = time.Second

// get returns the status of the node, at most statusFresh old. It calls read for a newer one.
func (s *statuses) get(now time.Time, read func() NodeStatus) NodeStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at.IsZero() || now.Sub(s.at) >= statusFresh || now.Before(s.at) {
		s.at, s.held = now, read()
	}
	return s.held
}
