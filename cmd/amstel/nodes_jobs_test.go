package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/timeline"
)

// jobsEnv is the environment variable with the database of a process that
// TestEachTickRunsInOneProcess starts.
const jobsEnv = "AMSTEL_TEST_JOBS"

// jobsGate is the advisory lock for which the job waits in its middle.
const jobsGate = 4711

// TestJobsProcess is no test. It runs the job in the processes that TestEachTickRunsInOneProcess
// starts, and does nothing elsewhere.
func TestJobsProcess(t *testing.T) {
	url := os.Getenv(jobsEnv)
	if url == "" {
		return
	}
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	const begin, wait, end = `insert into ran (tick, pid) values ($1, $2)`,
		`select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)`,
		`update ran set done = true where tick = $1 and pid = $2`
	j := jobs.Job{Name: "test", Every: 500 * time.Millisecond, Run: func(ctx context.Context, tick time.Time) error {
		if _, err := pool.Exec(ctx, begin, tick, os.Getpid()); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, wait, jobsGate); err != nil {
			return err
		}
		_, err := pool.Exec(ctx, end, tick, os.Getpid())
		return err
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // so that the process ends even if the test was killed
	defer cancel()
	jobs.Run(ctx, slog.New(slog.NewTextHandler(os.Stderr, nil)), jobs.NewRuns(metrics.New("test")), []jobs.Job{jobs.Once(timeline.New(pool, timeline.Options{}), j)})
}

// TestEachTickRunsInOneProcess runs a periodic job in three processes, and kills one of them in
// the middle of a run. Each tick runs in at most one process, and the others run later ticks.
func TestEachTickRunsInOneProcess(t *testing.T) {
	long(t)
	t.Parallel()
	pool, db := fresh(t)
	exec1 := func(query string, args ...any) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	count := func(what string) (n int) {
		t.Helper()
		if err := pool.QueryRow(t.Context(), `select count(*) from ran where `+what).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	done := func(more int) {
		t.Helper()
		had := count(`done`)
		until(t, minute, func() string {
			if n := count(`done`); n < had+more {
				return fmt.Sprintf("%d ticks are done, want %d", n, had+more)
			}
			return ""
		})
	}
	exec1(`create table ran (tick timestamptz not null, pid int not null, done boolean not null default false)`)
	processes := make(map[int]*exec.Cmd)
	for range 3 {
		p := exec.Command(os.Args[0], "-test.run=^TestJobsProcess$")
		p.Env = append(os.Environ(), jobsEnv+"="+strings.TrimPrefix(db, "--database="))
		p.Stderr = os.Stderr
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		processes[p.Process.Pid] = p
		t.Cleanup(func() {
			_ = p.Process.Kill() // the process may have ended
			_ = p.Wait()
		})
	}
	done(4)

	gate, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Release()
	if _, err := gate.Exec(t.Context(), `select pg_advisory_lock($1)`, jobsGate); err != nil {
		t.Fatal(err)
	}
	until(t, minute, func() string {
		if count(`not done`) == 0 {
			return "no job begins"
		}
		return ""
	})
	var tick time.Time
	var pid int
	if err := pool.QueryRow(t.Context(), `select tick, pid from ran where not done order by tick limit 1`).Scan(&tick, &pid); err != nil {
		t.Fatal(err)
	}
	if err := processes[pid].Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = processes[pid].Wait() // it was killed
	if _, err := gate.Exec(t.Context(), `select pg_advisory_unlock($1)`, jobsGate); err != nil {
		t.Fatal(err)
	}
	done(4)
	var twice int
	if err := pool.QueryRow(t.Context(), `select count(*) from (select from ran group by tick having count(*) > 1) t`).Scan(&twice); err != nil {
		t.Fatal(err)
	}
	if twice > 0 {
		t.Errorf("%d ticks ran in two processes", twice)
	}
	var left bool
	if err := pool.QueryRow(t.Context(), `select not done from ran where tick = $1`, tick).Scan(&left); err != nil || !left {
		t.Errorf("the run of the killed process is marked as done: %v", err)
	}
}
