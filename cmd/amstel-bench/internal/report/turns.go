package report

import (
	"context"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/river"
)

// Poll is how long the loop of a measured node waits for a bell, so
// that a turn that does nothing is not taken for one that works something off. A
// bell rings after each commit: nothing is any later for it.
const Poll = 10 * time.Second

// A loop that has nothing left is silent; one that has takes the next turn at
// once. So it is said to be silent after this much, and a few of the longest
// turns of late more. It is less than poll in any case: the turns that come of
// that would else have a loop never be silent again after a turn of seconds, as
// there is on a machine that is very busy.
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

// Turned is the node's river.Config.Turned.
func (l *TurnTimes) Turned(turn river.Turn) {
	if turn.Err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended, l.most = time.Now(), max(l.most, turn.Took)
	l.count++
}

// Take answers the longest turn since it was last asked, and how many there
// were, and begins anew.
func (l *TurnTimes) Take() (most time.Duration, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, count = l.most, l.count
	l.most, l.count = 0, 0
	return most, count
}

// WaitSilence waits until all is worked off, and answers when that was: the end of
// the last turn before a silence. A loop that does not come to one has a fault,
// which is an error.
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
