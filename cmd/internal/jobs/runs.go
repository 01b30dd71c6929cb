package jobs

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

// ErrElsewhere reports that another process has done the job for this tick.
var ErrElsewhere = errors.New("done by another process")

// Runs records when the periodic jobs of this process last ran, and whether they failed.
type Runs struct {
	metrics *metrics.Metrics

	mu   sync.Mutex
	jobs []web.JobStatus
}

// NewRuns returns the record of a process that has run no job yet. The metrics count the runs.
func NewRuns(m *metrics.Metrics) *Runs { return &Runs{metrics: m} }

// add adds a job that has not run yet.
func (r *Runs) add(j Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs = append(r.jobs, web.JobStatus{Name: j.Name, Every: j.Every})
}

// All returns the state of each job.
func (r *Runs) All() []web.JobStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.jobs)
}

// ran notes the end of a run of a job, and its error.
func (r *Runs) ran(j Job, began time.Time, err error) {
	now := time.Now()
	if errors.Is(err, ErrElsewhere) {
		r.metrics.JobDone(j.Name, now)
		err = nil
	} else {
		r.metrics.Job(j.Name, now, now.Sub(began), err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.jobs {
		one := &r.jobs[i]
		if one.Name != j.Name {
			continue
		}
		one.Failed = err != nil
		if err == nil {
			one.Last = now
		}
	}
}

// repeat returns the function that runs a job at each of its ticks. It skips a tick if the
// previous run has not ended.
func (r *Runs) repeat(ctx context.Context, log *slog.Logger, j Job) func() {
	r.add(j)
	var running sync.Mutex
	return func() {
		if !running.TryLock() {
			r.metrics.JobLate(j.Name)
			log.Warn("a job is late: its last run is still under way", "job", j.Name)
			return
		}
		defer running.Unlock()
		began := time.Now()
		err := j.safely(ctx, began.UTC().Truncate(j.Every))
		if ctx.Err() != nil {
			return // the process was asked to stop
		}
		r.ran(j, began, err)
		switch {
		case err == nil, errors.Is(err, ErrElsewhere):
		case errors.Is(err, timeline.ErrUnavailable): // the node logs the loss of the primary, and the next run may succeed
			log.Warn("a job failed", "job", j.Name, "err", err)
		default:
			log.Error("a job failed", "job", j.Name, "took", time.Since(began), "err", err)
		}
	}
}

// safely runs the job. A panic in the job fails this run alone.
func (j Job) safely(ctx context.Context, tick time.Time) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return j.Run(ctx, tick)
}
