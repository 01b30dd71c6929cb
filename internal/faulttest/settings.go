package faulttest

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// What a run may be told, in the environment: the tests of several packages have
// scenarios.
const (
	seedEnv      = "FAULT_SEED"     // of what happens; none: another each time
	waitLimitEnv = "FAULT_PATIENCE" // for what must come, as "20s"
)

// seedOf decides what happens in a scenario.
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

// waitLimit is how long anything may take that must come: far longer than it does.
func waitLimit() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(waitLimitEnv)); err == nil {
		return d
	}
	return time.Minute
}
