// Package jobs runs the periodic jobs of a process: it lists them with their times, and records
// their results.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/river/ready"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
	"amstel.dev/amstel/timeline/ranking"
	"amstel.dev/amstel/web"
)

// A Job is a task that a process repeats at fixed times.
type Job struct {
	Name  string
	Every time.Duration // the time between two ticks
	Run   func(ctx context.Context, tick time.Time) error
	After time.Duration // how long after the start of the process the job runs first; 0: at once
}

// OfPrimary returns the periodic jobs of the primary. Any number of processes may run them: at each
// tick one of the processes runs the job.
func OfPrimary(store *timeline.Store) []Job {
	return []Job{
		Once(store, Job{Name: "prune", Every: time.Hour, Run: func(ctx context.Context, _ time.Time) error {
			return store.PrunePrimary(ctx, timeline.Ages{})
		}}),
		Once(store, Job{Name: "rank", Every: rankEvery, After: rankAfter, Run: func(ctx context.Context, _ time.Time) error {
			_, err := ranking.Rank(ctx, store)
			return err
		}}),
		{Name: "work off", Every: workEvery, Run: func(ctx context.Context, _ time.Time) error {
			return errors.Join(store.EndSuspensions(ctx), store.EraseAccounts(ctx), workOff(ctx, store))
		}},
	}
}

// OfFiles returns the periodic jobs of the file store. Any number of processes may run them: at each
// tick one of the processes runs the job.
func OfFiles(store *timeline.Store, log *slog.Logger, keeper *attachment.Keeper) []Job {
	return []Job{
		Once(store, Job{Name: "sweep files", Every: sweepEvery, After: sweepAfter, Run: func(ctx context.Context, _ time.Time) error {
			removed, err := keeper.Sweep(ctx)
			if removed > 0 {
				log.Info("removed files that nothing needs", "files", removed)
			}
			return err
		}}),
	}
}

// sweepEvery is the time between two sweeps of the file store, which remove files that no row names.
// sweepAfter is how long after its start a process makes the first sweep, so that more urgent work
// comes first.
const (
	sweepEvery = 24 * time.Hour
	sweepAfter = time.Minute
)

// rankEvery is the time between two updates of the rankings best_of and most_faved. rankAfter is how
// long after its start a process makes the first update, so that it answers the first requests before.
const (
	rankEvery = 5 * time.Minute
	rankAfter = 10 * time.Second
)

// workEvery is the time between two looks for work that was left: by a process that died, or because it
// could not be done yet.
const workEvery = 10 * time.Second

// workPause is the pause between two chunks of work, each of up to a hundred posts. With the pause,
// nodes follow the changes of a chunk before the next one, and their turns stay short.
const workPause = 20 * time.Millisecond

// workOff does all work that can be done now. Several processes may work at the same time.
func workOff(ctx context.Context, store *timeline.Store) error {
	for {
		if more, err := store.RunAccountJob(ctx); err != nil || !more {
			return err
		}
		select {
		case <-time.After(workPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// WorkAtOnce does work as soon as this process has queued some, until the context ends. It leaves work
// that failed to the periodic job.
func WorkAtOnce(ctx context.Context, log *slog.Logger, store *timeline.Store) {
	bell, stop := store.ListenAccountJobs()
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

// Inboxes does the work of inboxes until the context ends.
func Inboxes(ctx context.Context, log *slog.Logger, store *timeline.Store, inboxes *inbox.Source) {
	inboxes.Run(ctx, log, store, func(ctx context.Context, key timeline.InboxKey) (timeline.Choice, error) {
		return river.ChoiceOf(ctx, store, key)
	})
}

// Once returns the job, changed so that only one process runs it at each tick. In the other processes
// the run returns [ErrElsewhere].
func Once(store *timeline.Store, j Job) Job {
	run := j.Run
	j.Run = func(ctx context.Context, tick time.Time) error {
		ran, err := store.RunOnce(ctx, j.Name, tick, func(ctx context.Context) error { return run(ctx, tick) })
		if err == nil && !ran {
			return ErrElsewhere
		}
		return err
	}
	return j
}

// OfNode returns the periodic jobs that each node must run for itself.
func OfNode(node *river.Node, site *web.Server) []Job {
	return []Job{
		{Name: "expire", Every: time.Minute, Run: func(context.Context, time.Time) error {
			node.Expire()
			return nil
		}},
		{Name: "save left-off", Every: leftOffEvery, Run: func(ctx context.Context, _ time.Time) error { return site.SaveLeftOff(ctx) }},
		{Name: "save quotas", Every: quotasEvery, Run: func(ctx context.Context, _ time.Time) error { return site.SaveQuotas(ctx) }},
	}
}

// quotasEvery is the time between two writes of how many requests tokens and people have made, for the
// page of settings. Quotas themselves do not wait for these writes.
const quotasEvery = 10 * time.Second

// OfVisits returns the job that writes down when readers have come.
func OfVisits(w *ready.Worker) Job {
	return Job{Name: "save visits", Every: time.Minute, Run: func(ctx context.Context, _ time.Time) error { return w.Flush(ctx) }}
}

// leftOffEvery is the time between two writes of how far people have seen their pages. Until a write,
// a person's other devices do not know of it.
const leftOffEvery = 5 * time.Second

// Run runs each job at the start, because an earlier process may have died before it was time for the
// job, and then at each tick, until the context ends. It returns when no job runs any more.
func Run(ctx context.Context, log *slog.Logger, runs *Runs, jobs []Job) {
	// The library has open faults in schedules with a time zone, and on days when clocks change. So
	// our schedules are intervals, in UTC.
	runner := cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))
	for _, j := range jobs {
		runner.Schedule(&ticks{every: j.Every, after: j.After}, cron.FuncJob(runs.repeat(ctx, log, j)))
	}
	runner.Start()
	<-ctx.Done()
	<-runner.Stop().Done()
}

// ticks is a schedule: first at once or after some time, and then at the whole multiples of an
// interval, so that all processes have the same ticks.
type ticks struct {
	every, after time.Duration
	begun        bool
}

// late is how long after a tick its jobs run, so that the clocks of all nodes have passed the tick.
const late = time.Second

// Next returns when a job runs next after a moment.
func (s *ticks) Next(t time.Time) time.Time {
	if !s.begun {
		s.begun = true
		return t.Add(s.after)
	}
	return t.Add(-late).Truncate(s.every).Add(s.every + late)
}
