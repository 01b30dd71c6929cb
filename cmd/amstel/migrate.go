package main

import (
	"context"
	"fmt"
)

type migrateCmd struct {
	primary
}

// Run opens the primary, which migrates it.
func (c *migrateCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	_, err = fmt.Fprintln(to.out, "The database has the newest schema.")
	return err
}
