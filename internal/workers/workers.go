// Package workers works off a queue in the primary: the loop that the workers of previews and of
// intakes share.
package workers

import (
	"context"
	"time"
)

// Run calls take again and again, and does the work that take returns, at most n pieces of it at
// the same time. If take returns nil, nothing is due, and Run waits for the bell, which rings when
// this process has queued something, for the tick, after which other processes may have queued
// something, or for the end of a piece of work. Run returns when the context has ended and all work
// that had begun is over.
func Run(ctx context.Context, n int, bell <-chan struct{}, tick <-chan time.Time, take func() (work func())) {
	running, over := 0, make(chan struct{})
	defer func() {
		for ; running > 0; running-- {
			<-over
		}
	}()
	for {
		for running < n && ctx.Err() == nil {
			work := take()
			if work == nil {
				break
			}
			running++
			go func() {
				work()
				over <- struct{}{}
			}()
		}
		select {
		case <-ctx.Done():
			return
		case <-bell:
		case <-tick:
		case <-over:
			running--
		}
	}
}
