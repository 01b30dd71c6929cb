package jobs

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// measured returns the text of the metrics.
func measured(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	return w.Body.String()
}

func TestJobsRunAtOnceAndAtTicks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.Sleep(10 * time.Minute) // the test begins between two ticks
		begun := time.Now().UTC()
		var at, ticks []time.Duration
		good := Job{Name: "good", Every: time.Hour, Run: func(_ context.Context, tick time.Time) error {
			at = append(at, time.Since(begun))
			ticks = append(ticks, tick.Sub(begun))
			return nil
		}}
		var failed, panicked int
		bad := Job{Name: "bad", Every: time.Hour, Run: func(context.Context, time.Time) error { failed++; return errors.New("no") }}
		worse := Job{Name: "worse", Every: time.Hour, Run: func(context.Context, time.Time) error { panicked++; panic("no") }}
		slow := Job{Name: "slow", Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error { <-ctx.Done(); return ctx.Err() }}
		var soon []time.Duration
		later := Job{Name: "later", Every: time.Hour, After: 10 * time.Second, Run: func(context.Context, time.Time) error {
			soon = append(soon, time.Since(begun))
			return nil
		}}
		done := make(chan struct{})
		runs := NewRuns(metrics.New("test"))
		go func() {
			Run(ctx, slog.New(slog.DiscardHandler), runs, []Job{good, bad, worse, slow, later})
			close(done)
		}()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		for _, want := range []web.JobStatus{
			{Name: "good", Every: time.Hour, Last: begun.Add(110*time.Minute + late)},
			{Name: "bad", Every: time.Hour, Failed: true},
			{Name: "worse", Every: time.Hour, Failed: true},
			{Name: "slow", Every: time.Hour},
			{Name: "later", Every: time.Hour, Last: begun.Add(110*time.Minute + late)},
		} {
			if got := runs.All(); !slices.ContainsFunc(got, func(j web.JobStatus) bool {
				return j.Name == want.Name && j.Every == want.Every && j.Last.Equal(want.Last) && j.Failed == want.Failed
			}) {
				t.Errorf("of %v it is said %v", want, got)
			}
		}
		if said := measured(t, runs.metrics); !strings.Contains(said, `amstel_job_late_total{job="slow"} 2`) ||
			!strings.Contains(said, `amstel_job_failures_total{job="worse"} 3`) || !strings.Contains(said, `amstel_job_duration_seconds_count{job="good"} 3`) {
			t.Errorf("the metrics say %s", said)
		}
		cancel()
		<-done
		for i, want := range []time.Duration{0, 50*time.Minute + late, 110*time.Minute + late} {
			if i >= len(at) || at[i] != want {
				t.Fatalf("ran after %v", at)
			}
		}
		for i, want := range []time.Duration{-10 * time.Minute, 50 * time.Minute, 110 * time.Minute} {
			if ticks[i] != want {
				t.Fatalf("ran for the ticks %v", ticks)
			}
		}
		if len(soon) != 3 || soon[0] != 10*time.Second || soon[1] != 50*time.Minute+late {
			t.Errorf("what begins later ran after %v", soon)
		}
		if failed != 3 || panicked != 3 {
			t.Errorf("a job that fails ran %d times, one that panics %d", failed, panicked)
		}
	})
}

func TestOnceRunsEachTickInOneProcess(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var ran atomic.Int32
	tick := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 3 {
		store := timeline.New(pool, timeline.Options{})
		j := Once(store, Job{Name: "test", Every: time.Hour, Run: func(context.Context, time.Time) error { ran.Add(1); return nil }})
		if err := j.Run(t.Context(), tick); err != nil && (i == 0 || !errors.Is(err, ErrElsewhere)) {
			t.Fatal(err)
		}
		runs := NewRuns(metrics.New("test"))
		runs.add(j)
		runs.ran(j, time.Now(), ErrElsewhere)
		if said := measured(t, runs.metrics); runs.All()[0].Failed || runs.All()[0].Last.IsZero() || strings.Contains(said, "amstel_job_duration_seconds") {
			t.Errorf("what another process did counts as %v: %s", runs.All(), said)
		}
	}
	if n := ran.Load(); n != 1 {
		t.Errorf("three processes ran a tick %d times", n)
	}
}

func TestPrimaryJobsRun(t *testing.T) {
	t.Parallel()
	store := timeline.New(pgtest.New(t), timeline.Options{})
	for _, j := range OfPrimary(store) {
		if err := j.Run(t.Context(), time.Now().Truncate(j.Every)); err != nil {
			t.Errorf("%s: %v", j.Name, err)
		}
	}
}

// TestWorkIsDoneAtOnce: the work that a person's request leaves is done at once by the process that served
// the request, or by any other process that looks for work.
func TestWorkIsDoneAtOnce(t *testing.T) {
	t.Parallel()
	store := timeline.New(pgtest.New(t), timeline.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	leave := func(name string) {
		t.Helper()
		user, err := store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.CreatePost(ctx, user, timeline.NewPost{To: []string{"user"}, Text: "x"}); err != nil {
			t.Fatal(err)
		}
		if err := store.DeleteAccount(ctx, user, "correct horse"); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Pool().Exec(ctx, `update users set erase_at = 'epoch' where id = $1`, user); err != nil {
			t.Fatal(err)
		}
	}
	posts := func() (n int) {
		t.Helper()
		if err := store.Pool().QueryRow(ctx, `select count(*) from posts where deleted_at is null`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := store.SignUp(ctx, timeline.NewUser{Name: "first", Email: "first@example.org", NoPassword: true}); err != nil {
		t.Fatal(err) // and so the site's administrator
	}
	leave("anna")
	for _, j := range OfPrimary(store) {
		if err := j.Run(ctx, time.Now().Truncate(j.Every)); err != nil {
			t.Errorf("%s: %v", j.Name, err)
		}
	}
	if n := posts(); n != 0 {
		t.Errorf("the periodic job left %d posts", n)
	}
	working.Go(func() { WorkAtOnce(ctx, slog.New(slog.DiscardHandler), store) })
	bell, stop := store.Listen()
	defer stop()
	leave("bert")
	if err := store.EraseAccounts(ctx); err != nil {
		t.Fatal(err)
	}
	for posts() > 0 {
		select {
		case <-bell:
		case <-time.After(workEvery):
			t.Fatal("it was not worked off at once")
		}
	}
}
