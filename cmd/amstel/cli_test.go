package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// mainEnv is the environment variable that makes the test binary run as amstel. Tests start the
// binary in this way to run amstel in a process of its own.
const mainEnv = "AMSTEL_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainEnv) != "" {
		mayKillItself()
		mayConnect()
		main()
	}
	pgtest.Main(m)
}

// long skips a test of a running node or job in short mode. TestServe is not skipped.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a node or a job")
	}
}

// written collects the output of a command. Several goroutines may write at the same time.
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

// command runs amstel in this process, and returns its output and its exit code.
func command(ctx context.Context, args ...string) (out, err string, code int) {
	return commandReading(ctx, "", args...)
}

// commandReading runs amstel as command does, with the text in on its standard input.
func commandReading(ctx context.Context, in string, args ...string) (out, err string, code int) {
	var stdout, stderr written
	code = run(ctx, args, streams{in: strings.NewReader(in), out: &stdout, err: &stderr})
	return stdout.String(), stderr.String(), code
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		args     []string
		code     int
		out, err string // parts of the output
		never    string // not in the output
	}{
		{"help", []string{"--help"}, 0, "migrate", "", ""},
		{"help of a command names flag and variable", []string{"migrate", "--help"}, 0, "$DATABASE_URL", "", "error"},
		{"version", []string{"version"}, 0, "amstel ", "", ""},
		{"no command", nil, exitUsage, "", "expected one of", ""},
		{"no such command", []string{"migrat"}, exitUsage, "", `did you mean "migrate"`, ""},
		{"no such flag", []string{"version", "--loud"}, exitUsage, "", "--loud", ""},
		{"no time at all", []string{"serve", "--grace=0", "--database=postgres://localhost:1/x"}, exitUsage, "", "--grace must be more than 0", ""},
		{"negative time", []string{"web", "--grace-home=-1h", "--database=postgres://localhost:1/x"}, exitUsage, "", "--grace-home must be more than 0", ""},
		{"negative depth", []string{"serve", "--deepest=-1", "--database=postgres://localhost:1/x"}, exitUsage, "", "--deepest must be more than 0", ""},
		{"no writes", []string{"web", "--writes=0", "--database=postgres://localhost:1/x"}, exitUsage, "", "--writes must be more than 0", ""},
		{"no files", []string{"web", "--file-size=0", "--database=postgres://localhost:1/x"}, exitUsage, "", "--file-size must be more than 0", ""},
		{"a bucket without a server", []string{"web", "--s3-bucket=x", "--database=postgres://localhost:1/x"}, exitUsage, "", "--s3-endpoint and --s3-bucket belong together", ""},
		{"two places for files", []string{"serve", "--files=x", "--s3-endpoint=http://x", "--s3-bucket=x", "--database=postgres://localhost:1/x"}, exitUsage, "", "give one of them", ""},
		{"bad database", []string{"migrate", "--database=postgres://u:hunter2@localhost:99999/x"}, exitUsage, "", "--database: ", "hunter2"},
		{"database that is not there", []string{"migrate", "--database=postgres://u:hunter2@localhost:1/x"}, exitFailed, "", "can't be reached", "hunter2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err, code := command(t.Context(), tt.args...)
			if code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			if !strings.Contains(out, tt.out) || !strings.Contains(err, tt.err) {
				t.Errorf("wrote %q and %q, want %q and %q", out, err, tt.out, tt.err)
			}
			if tt.never != "" && strings.Contains(out+err, tt.never) {
				t.Errorf("wrote %q and %q", out, err)
			}
			if code != 0 && strings.Contains(strings.TrimSpace(err), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
		})
	}
}

func TestMigrateGivenDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	for range 2 {
		out, err, code := command(t.Context(), "migrate", "--database", url)
		if code != 0 || !strings.Contains(out, "newest schema") {
			t.Errorf("exit %d, wrote %q and %q", code, out, err)
		}
	}
}

// TestShardOfIDs: migrate --shard sets the shard in the ids of new posts. The shard stays until
// it is set again.
func TestShardOfIDs(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, tt := range []struct {
		flags      []string
		code, want int
	}{
		{nil, 0, 0}, {[]string{"--shard", "11"}, 0, 11}, {nil, 0, 11}, {[]string{"--shard", "16"}, exitUsage, 11}, {[]string{"--shard", "0"}, 0, 0},
	} {
		if _, err, code := command(t.Context(), append([]string{"migrate", "--database", url}, tt.flags...)...); code != tt.code {
			t.Errorf("%v: exit %d, %s", tt.flags, code, err)
		}
		var id timeline.PostID
		if err := pool.QueryRow(t.Context(), `select next_id()`).Scan(&id); err != nil || id.Shard() != tt.want {
			t.Errorf("after %v the id %d has shard %d, want %d (%v)", tt.flags, id, id.Shard(), tt.want, err)
		}
	}
}

func TestStoppingIsNoFailure(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err, code := command(ctx, "migrate", "--database", pgtest.URL(t)); code != 0 || err != "" {
		t.Errorf("exit %d, wrote %q", code, err)
	}
}
