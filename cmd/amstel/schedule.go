package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// A job is something that is done again and again.
type job struct {
	name  string
	every time.Duration
	run   func(ctx context.Context, tick time.Time) error
	after time.Duration // how long after the start it runs first; 0: at once
}

// primaryJobs are the periodic jobs of the primary. Any number of processes
// may have them: each tick is one process's.
func primaryJobs(store *timeline.Store) []job {
	return []job{
		once(store, job{name: "prune", every: time.Hour, run: func(ctx context.Context, _ time.Time) error {
			return store.PrunePrimary(ctx, timeline.Ages{})
		}}),
		once(store, job{name: "rank", every: rankEvery, after: rankAfter, run: func(ctx context.Context, _ time.Time) error {
			_, err := store.Rank(ctx)
			return err
		}}),
		{name: "work off", every: workEvery, run: func(ctx context.Context, _ time.Time) error { return workOff(ctx, store) }},
	}
}

// rankEvery is how often best_of and most_faved are ranked anew, and rankAfter how
// long a process that starts leaves to the pages that are asked of it first.
const (
	rankEvery = 5 * time.Minute
	rankAfter = 10 * time.Second
)

// workEvery is how often somebody looks whether there is something to work off:
// of a process that died, or had to wait.
const workEvery = 10 * time.Second

// workPause is what lies between two chunks of work, each of up to a hundred
// posts: nodes keep up with it, and their turns stay short.
const workPause = 20 * time.Millisecond

// workOff works off all that can be done now. Others may do so at the same time.
func workOff(ctx context.Context, store *timeline.Store) error {
	for {
		if more, err := store.WorkOff(ctx); err != nil || !more {
			return err
		}
		select {
		case <-time.After(workPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// workAtOnce works off what is left to do, by this process as soon as it left
// it, until the context ends. What fails is for the periodic job.
func workAtOnce(ctx context.Context, log *slog.Logger, store *timeline.Store) {
	bell, stop := store.ListenWork()
	defer stop()
	for {
		if err := workOff(ctx, store); err != nil && ctx.Err() == nil {
			log.Error("work is left for later", "err", err)
		}
		select {
		case <-bell:
		case <-ctx.Done():
			return
		}
	}
}

// once makes a job run once a tick, over all processes.
func once(store *timeline.Store, j job) job {
	run := j.run
	j.run = func(ctx context.Context, tick time.Time) error {
		ran, err := store.RunOnce(ctx, j.name, tick, func(ctx context.Context) error { return run(ctx, tick) })
		if err == nil && !ran {
			return errElsewhere
		}
		return err
	}
	return j
}

// nodeJobs are the periodic jobs of a node, which each has to do for itself.
func nodeJobs(node *river.Node, site *web.Server) []job {
	return []job{
		{name: "expire", every: time.Minute, run: func(context.Context, time.Time) error {
			node.Expire()
			return nil
		}},
		{name: "keep places", every: placesEvery, run: func(ctx context.Context, _ time.Time) error { return site.KeepPlaces(ctx) }},
	}
}

// placesEvery is how often it is looked whether somebody has seen more of a page
// than is written: another device asks the primary.
const placesEvery = 5 * time.Second

// runJobs runs each job at the start, as the last process may have died before
// its time, and then at each tick, until the context ends. It returns when none
// runs any more.
func runJobs(ctx context.Context, log *slog.Logger, runs *jobRuns, jobs []job) {
	// Specs with a time zone, and those of days on which clocks change, have
	// open faults in the library: ours are intervals, and in UTC.
	runner := cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))
	for _, j := range jobs {
		runner.Schedule(&ticks{every: j.every, after: j.after}, cron.FuncJob(runs.repeat(ctx, log, j)))
	}
	runner.Start()
	<-ctx.Done()
	<-runner.Stop().Done()
}

// ticks is a schedule: at once or soon after, and then at the whole multiples of
// an interval, so that all processes mean the same by a tick.
type ticks struct {
	every, after time.Duration
	begun        bool
}

// late is how long after a tick its jobs run: when it has come by everybody's
// clock.
const late = time.Second

// Next is when to run after a moment.
func (s *ticks) Next(t time.Time) time.Time {
	if !s.begun {
		s.begun = true
		return t.Add(s.after)
	}
	return t.Add(-late).Truncate(s.every).Add(s.every + late)
}
