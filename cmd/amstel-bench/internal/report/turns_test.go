package report

import (
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/river"
)

func TestTurnsAreNoted(t *testing.T) {
	t.Parallel()
	var l TurnTimes
	l.Turned(river.Turn{Took: time.Millisecond})
	l.Turned(river.Turn{Took: 2 * time.Millisecond})
	l.Turned(river.Turn{Took: time.Millisecond})
	if most, count := l.Take(); most != 2*time.Millisecond || count != 3 {
		t.Errorf("%v in %d turns", most, count)
	}
	ended, err := l.WaitSilence(t.Context())
	if err != nil || time.Since(ended) < silence {
		t.Errorf("worked off at %v (%v), too soon", ended, err)
	}
}

// TestSilenceAfterAnyTurn: a loop whose doorbell never rings takes a turn in every Poll. It counts as silent,
// however long one of its turns took.
func TestSilenceAfterAnyTurn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		every time.Duration
		took  time.Duration
		never bool
	}{
		{"a turn of nothing", Poll, 0, false},
		{"a turn of seconds", Poll, 4 * time.Second, false},
		{"a turn longer than a poll", Poll, 20 * time.Second, false},
		{"a loop that is never done", silence / 2, time.Millisecond, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var l TurnTimes
				l.Turned(river.Turn{Took: test.took})
				polls := time.NewTicker(test.every)
				defer polls.Stop()
				over := make(chan struct{})
				defer close(over)
				go func() {
					for {
						select {
						case <-polls.C:
							l.Turned(river.Turn{Took: time.Microsecond})
						case <-over:
							return
						}
					}
				}()
				_, err := l.WaitSilence(t.Context())
				if (err != nil) != test.never {
					t.Errorf("silent: %v", err)
				}
			})
		})
	}
}
