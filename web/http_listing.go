package web

import (
	"net/http"
	"time"

	"amstel.dev/amstel/internal/turnstile"
)

// Lists are read from the primary for each request, some of them with thousands of rows.
// These limits leave connections for the loop and for writes when many lists are
// requested.
const (
	listsAtATime = 4
	listsWaiting = 100 // requests of one client
	listsTotal   = 1000
	listsWait    = 10 * time.Second
)

func newLists() *turnstile.Turnstile {
	return turnstile.New(turnstile.Config{Slots: listsAtATime, Each: listsAtATime / 2, Waiting: listsWaiting, Total: listsTotal, Patience: listsWait})
}

// listing returns the action with a limit on how many read lists at once. The action's
// slot is free again once the answer begins, so that a client that reads slowly holds
// none.
func (s *Server) listing(do action) action {
	return func(w http.ResponseWriter, q *request) error {
		leave, err := s.lists.Enter(q.Context(), q.quotaKey())
		if err != nil {
			return err
		}
		defer leave()
		return do(&answering{w, leave}, q)
	}
}

// An answering is a ResponseWriter that calls begun before each part of the answer.
type answering struct {
	http.ResponseWriter
	begun func()
}

func (a *answering) WriteHeader(status int) {
	a.begun()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answering) Write(data []byte) (int, error) {
	a.begun()
	return a.ResponseWriter.Write(data)
}

// Unwrap returns the underlying writer, for [http.ResponseController].
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }
