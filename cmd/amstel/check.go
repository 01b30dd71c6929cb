package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

type checkCmd struct {
	primary
	River  string `placeholder:"FILE" help:"River DB to check (all that are in --data)."`
	Viewer string `placeholder:"NAME" help:"Check the rivers of this account only; 0 means the rivers of visitors who are not signed in (all rivers)."`
}

// errDiffers says that the check found a difference.
var errDiffers = errors.New("rivers differ from fresh builds of them")

// Run compares the rivers of river DBs with fresh builds of them.
func (c *checkCmd) Run(ctx context.Context, to streams) (err error) {
	paths, err := c.paths()
	if err != nil {
		return err
	}
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	store := timeline.New(db.pool, timeline.Options{})
	var opts river.CheckOptions
	switch c.Viewer {
	case "":
	case "0":
		opts.Viewer = new(timeline.UserID)
	default:
		user, err := lookUpUser(ctx, store, c.Viewer)
		if err != nil {
			return err
		}
		opts.Viewer = &user
	}
	differs := false
	for _, path := range paths {
		sum, err := river.Check(ctx, store, path, opts, func(line string) { fmt.Fprintln(to.out, line) })
		if err != nil {
			return fmt.Errorf("check %s: %w", path, err)
		}
		differs = differs || sum.Differences > 0
		line := fmt.Sprintf("%s: %d rivers with %d entries, %d differences", path, sum.Rivers, sum.Entries, sum.Differences)
		if sum.Unsettled > 0 {
			line += fmt.Sprintf("; %d still have work to do, which is done before they are shown", sum.Unsettled)
		}
		if _, err := fmt.Fprintln(to.out, line); err != nil {
			return err
		}
	}
	if differs {
		return errDiffers
	}
	return nil
}

// paths returns the river DBs to check. It is an error if there is none: a check of
// nothing would look like a check that found no difference.
func (c *checkCmd) paths() ([]string, error) {
	if c.River != "" {
		if _, err := os.Stat(c.River); err != nil {
			return nil, &settingError{fmt.Sprintf("--river: %v", err)}
		}
		return []string{c.River}, nil
	}
	paths, err := fs.Glob(os.DirFS(c.Data), "river*.db")
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, &settingError{fmt.Sprintf("there is no river DB in %s: name one with --river, or another folder with --data", c.Data)}
	}
	for i := range paths {
		paths[i] = filepath.Join(c.Data, paths[i])
	}
	return paths, nil
}
