package main

import (
	"context"
	"errors"
	"fmt"

	"amstel.dev/amstel/timeline"
)

type migrateCmd struct {
	primary
	Shard *int `placeholder:"NUMBER" help:"Number of this primary, from 0 to 15, which becomes part of the ids of its new posts. If the posts of several primaries may be merged one day, give each primary another number (0)."`
}

// Validate returns an error for a shard that does not fit into ids.
func (c *migrateCmd) Validate() error {
	if c.Shard != nil && (*c.Shard < 0 || *c.Shard >= timeline.Shards) {
		return errors.New("--shard must be a number from 0 to 15")
	}
	return nil
}

// Run opens the primary, and so migrates it. Then it sets the primary's shard, if the flag is given.
func (c *migrateCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	if c.Shard != nil {
		if err := timeline.New(db.pool, timeline.Options{}).SetShard(ctx, *c.Shard); err != nil {
			return plain(err)
		}
	}
	_, err = fmt.Fprintln(to.out, "The database has the newest schema.")
	return err
}
