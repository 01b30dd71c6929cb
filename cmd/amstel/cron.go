package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

type cronCmd struct {
	primary
	measuring
	logging
}

// Run runs the periodic jobs of the primary until ctx ends.
func (c *cronCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	log, m := c.logger(to), metrics.New(versionName())
	m.Pool(db.pool.Stat)
	measured, err := c.listenMetrics(ctx, m)
	if err != nil {
		return err
	}
	log.Info("started", "version", versionName())
	inboxes := inbox.New(inbox.Options{Reached: reached})
	store := timeline.New(db.pool, timeline.Options{Reached: reached, Source: inboxes})
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return measured.Run(ctx) })
	parts.Go(func() error {
		jobs.Run(ctx, log, jobs.NewRuns(m), jobs.OfPrimary(store))
		return nil
	})
	parts.Go(func() error {
		jobs.Inboxes(ctx, log, store, inboxes)
		return nil
	})
	return parts.Wait()
}
