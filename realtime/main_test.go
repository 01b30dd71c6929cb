package realtime_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

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
