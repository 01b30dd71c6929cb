package faulttest

import (
	"flag"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

// TestMain starts no server if all tests would be skipped: each of them runs nodes under load.
func TestMain(m *testing.M) {
	if flag.Parse(); racetest.Skips() {
		fmt.Println("All tests run nodes under load: see racetest.Long.")
		return
	}
	goleak.VerifyTestMain(pgtest.Runner(m))
}
