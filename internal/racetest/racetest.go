// Package racetest chooses the tests that run with the race detector. The detector doubles the
// cost of a test, so `make test` runs each long test once: with the detector if goroutines of the
// test share memory, and without it otherwise. Short tests run without the detector, and in packages
// that start goroutines with the detector too.
package racetest

import (
	"os"
	"testing"
)

// apartEnv is the variable that is set while the long tests that call [Long] run apart, in a
// program with the race detector.
const apartEnv = "RACED_APART"

// Long marks a long test in which goroutines share memory. With the race detector the test always
// runs. Without the detector Long skips the test in short mode, and if the variable
// RACED_APART says that it runs apart.
func Long(t testing.TB) {
	t.Helper()
	if Skips() {
		t.Skip("takes long, or runs apart with the race detector")
	}
}

// Skips reports whether [Long] skips tests.
func Skips() bool { return !Detects && (testing.Short() || os.Getenv(apartEnv) != "") }
