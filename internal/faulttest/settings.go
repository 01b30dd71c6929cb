package faulttest

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Environment variables that set up a run. They are no flags, since the tests of several
// packages have scenarios.
const (
	seedEnv      = "FAULT_SEED"     // of the random load; without it, a new seed each time
	waitLimitEnv = "FAULT_PATIENCE" // of each wait, such as "20s"; without it, a minute
)

// seedOf returns the seed of the random load, from the environment or else from the clock.
func seedOf(t testing.TB) uint64 {
	text := os.Getenv(seedEnv)
	if text == "" {
		return uint64(time.Now().UnixNano()) % 1_000_000
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", seedEnv, err)
	}
	return n
}

// waitLimit returns how long a scenario waits for a condition: far longer than the condition takes
// even on a slow machine.
func waitLimit() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(waitLimitEnv)); err == nil {
		return d
	}
	return time.Minute
}
