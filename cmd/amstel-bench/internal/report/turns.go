package report

import (
	"context"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/river"
)

// Poll is how long the loop of a measured node waits for a doorbell. It is long, so that a
// turn that finds nothing is not taken for work. The doorbell rings after each commit, so no
// change is shown any later.
const Poll = 10 * time.Second

// A loop without work is silent; a loop with work left takes its next turn at once. So a loop
// counts as silent after this time and a few times the longest recent turn. The time is always
// shorter than Poll: on a very busy machine a turn takes seconds, and without this limit the
// turns that poll would keep the loop from ever counting as silent.
const (
	silence      = 60 * time.Millisecond
	silenceTurns = 3
	silenceMost  = Poll / 2
)

// SilenceWithin is how long is waited for a loop to be silent.
const SilenceWithin = 2 * time.Minute

// A TurnTimes is told by a node how long its turns take.
type TurnTimes struct {
	mu    sync.Mutex
	ended time.Time     // of the last turn
	most  time.Duration // the longest turn since take was called
	count int
}

// Turned notes a turn, for river.Config.Turned.
func (l *TurnTimes) Turned(turn river.Turn) {
	if turn.Err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended, l.most = time.Now(), max(l.most, turn.Took)
	l.count++
}

// Take returns the longest turn since the last call and the number of turns, and starts again.
func (l *TurnTimes) Take() (most time.Duration, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, count = l.most, l.count
	l.most, l.count = 0, 0
	return most, count
}

// WaitSilence waits until all work is done, and returns when that was: the end of the last
// turn before a silence. A loop that never becomes silent is an error.
func (l *TurnTimes) WaitSilence(ctx context.Context) (time.Time, error) {
	begun := time.Now()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		l.mu.Lock()
		ended, most, count := l.ended, l.most, l.count
		l.mu.Unlock()
		if time.Since(ended) > min(silence+silenceTurns*most, silenceMost) {
			return ended, nil
		}
		if time.Since(begun) > SilenceWithin {
			return time.Time{}, fmt.Errorf("the loop takes turns without end: it took %d, the longest %v", count, most)
		}
		select {
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		case <-ticker.C:
		}
	}
}
