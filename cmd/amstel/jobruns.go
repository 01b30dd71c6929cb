package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// errElsewhere says that another process has done the job for this tick.
var errElsewhere = errors.New("done by another process")

// jobRuns know how the periodic jobs of this process fare.
type jobRuns struct {
	metrics *metrics.Metrics

	mu   sync.Mutex
	jobs []web.JobStatus
}

func newJobRuns(m *metrics.Metrics) *jobRuns { return &jobRuns{metrics: m} }

// add makes a job known.
func (r *jobRuns) add(j job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs = append(r.jobs, web.JobStatus{Name: j.name, Every: j.every})
}

// all are the jobs, as they are now.
func (r *jobRuns) all() []web.JobStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.jobs)
}

// ran is told of a run, and what it answered.
func (r *jobRuns) ran(j job, began time.Time, err error) {
	now := time.Now()
	if errors.Is(err, errElsewhere) {
		r.metrics.JobDone(j.name, now)
		err = nil
	} else {
		r.metrics.Job(j.name, now, now.Sub(began), err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.jobs {
		one := &r.jobs[i]
		if one.Name != j.name {
			continue
		}
		one.Failed = err != nil
		if err == nil {
			one.Last = now
		}
	}
}

// repeat makes of a job what is done at each of its ticks. A tick that comes while
// the run before is under way is left out.
func (r *jobRuns) repeat(ctx context.Context, log *slog.Logger, j job) func() {
	r.add(j)
	var running sync.Mutex
	return func() {
		if !running.TryLock() {
			r.metrics.JobLate(j.name)
			log.Warn("a job is late: its last run is still under way", "job", j.name)
			return
		}
		defer running.Unlock()
		began := time.Now()
		err := j.safely(ctx, began.UTC().Truncate(j.every))
		if ctx.Err() != nil {
			return // told to stop
		}
		r.ran(j, began, err)
		switch {
		case err == nil, errors.Is(err, errElsewhere):
		case errors.Is(err, timeline.ErrUnavailable): // it is said elsewhere, and the next run will do
			log.Warn("a job failed", "job", j.name, "err", err)
		default:
			log.Error("a job failed", "job", j.name, "took", time.Since(began), "err", err)
		}
	}
}

// safely runs the job; a panic in it fails that run alone.
func (j job) safely(ctx context.Context, tick time.Time) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return j.run(ctx, tick)
}
