package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

// mainEnv is the environment variable that makes the test binary run as amstel-bench.
const mainEnv = "AMSTEL_BENCH_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainEnv) != "" {
		main()
	}
	os.Exit(pgtest.Runner(m).Run())
}

// A written collects the output of the command. Several processes may write at the same time.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// command runs the command in this process, and returns its output and its exit code.
func command(ctx context.Context, args ...string) (out, err string, code int) {
	var stdout, stderr written
	code = run(ctx, args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
	return stdout.String(), stderr.String(), code
}
