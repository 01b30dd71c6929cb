package main

import (
	"context"

	"amstel.dev/amstel/timeline"
)

type cronCmd struct {
	primary
	logging
}

// Run does the primary's periodic jobs until it is told to stop.
func (c *cronCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	runJobs(ctx, c.logger(to), primaryJobs(timeline.New(db.pool, timeline.Options{})))
	return nil
}
