package realtime_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
)

// patience is the time limit for work that hangs, or that only a slow machine makes late. It is
// far longer than a busy machine ever stands still.
const patience = time.Minute

// patient sets the time limits of sockets in real time to patience, so that a slow
// machine changes no result. A test about a limit sets it to less.
func patient(l *realtime.Limits) {
	for _, limit := range []*time.Duration{&l.WriteWithin, &l.Slow, &l.SubWithin, &l.Behind, &l.Away} {
		*limit = patience
	}
}

func TestMain(m *testing.M) {
	if todo := os.Getenv(swarmed); todo != "" {
		if err := swarming(todo); err != nil {
			fmt.Fprintln(os.Stderr, "swarm:", err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(pgtest.Runner(m))
}
