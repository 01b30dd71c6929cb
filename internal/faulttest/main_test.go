package faulttest

import (
	"flag"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

// TestMain runs no test with -short, unless the race detector is on: all tests of the package
// take seconds.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() && !racetest.Detects {
		fmt.Println("All tests run nodes under load: none is short.")
		return
	}
	goleak.VerifyTestMain(pgtest.Runner(m))
}
