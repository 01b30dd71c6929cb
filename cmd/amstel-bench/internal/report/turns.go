package report

import (
	"context"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/river"
)

// Poll is how long the loop of a measured node waits for a doorbell before it takes a turn anyway. It is
// long, so that few turns find nothing to do: these would look like work. No change is shown later for
// it, because the doorbell rings after each commit.
const Poll = 10 * time.Second

// A loop without work is silent; a loop with work left takes its next turn at once. A loop counts as
// silent when its last turn ended longer ago than silence plus silenceTurns times its longest recent
// turn, or longer ago than silenceMost. Without silenceMost, which is shorter than Poll, a loop might
// never count as silent on a very busy machine: there a turn takes seconds, and by then the loop polls
// again.
const (
	silence      = 60 * time.Millisecond
	silenceTurns = 3
	silenceMost  = Poll / 2
)

// SilenceWithin is the longest wait until a loop is silent.
const SilenceWithin = 2 * time.Minute

// TurnTimes records how long the turns of a node's loop take.
type TurnTimes struct {
	mu    sync.Mutex
	ended time.Time     // when the last turn ended
	most  time.Duration // the time of the longest turn since the last call of Take
	count int           // the number of turns since then
}

// Turned records a turn. It is meant for river.Config.Turned.
func (l *TurnTimes) Turned(turn river.Turn) {
	if turn.Err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended, l.most = time.Now(), max(l.most, turn.Took)
	l.count++
}

// Take returns the time of the longest turn since the last call of Take, and the number of turns since
// then.
func (l *TurnTimes) Take() (most time.Duration, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, count = l.most, l.count
	l.most, l.count = 0, 0
	return most, count
}

// WaitSilence waits until the loop is silent, and returns when its last turn ended. It is an error if the
// loop is not silent within SilenceWithin.
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
