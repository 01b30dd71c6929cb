// Package racetest chooses the tests that run with the race detector. The detector makes a test
// some five times slower, so `make test` runs all tests without it, and with it the short tests
// and the long tests of what goroutines share.
package racetest

import "testing"

// Long skips, in short mode and without the race detector, a long test in which goroutines share
// memory. With the detector the test runs in short mode too.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() && !Detects {
		t.Skip("takes long")
	}
}
