package web

import (
	"net/http"
	"time"

	"amstel.dev/amstel/internal/turnstile"
)

// Lists are read from the primary anew for each request, some of them thousands of
// rows: so many at a time, so that a flood of them leaves connections to the loop
// and to writes.
const (
	listsAtATime = 4
	listsWaiting = 100 // of one client
	listsTotal   = 1000
	listsWait    = 10 * time.Second
)

func newLists() *turnstile.Turnstile {
	return turnstile.New(turnstile.Config{Slots: listsAtATime, Each: listsAtATime / 2, Waiting: listsWaiting, Total: listsTotal, Patience: listsWait})
}

// listing returns the action with its reads in the line of the client, and out of
// that line once the answer begins: a client that reads the answer slowly keeps no
// slot.
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

// answering calls begun when an answer begins.
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

// Unwrap returns the writer that [http.ResponseController] controls.
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }
