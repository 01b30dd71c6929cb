package faulttest

import (
	"flag"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

// TestMain runs no test with -short: all tests of the package take seconds.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		fmt.Println("All tests run nodes under load: none is short.")
		return
	}
	goleak.VerifyTestMain(pgtest.Runner(m))
}
