package faulttest

import (
	"flag"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

// TestMain runs none of the tests where they are to be short: all of them put a scenario
// under fire.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		fmt.Println("All tests put a scenario under fire: none is short.")
		return
	}
	goleak.VerifyTestMain(pgtest.Runner(m))
}
