package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

type checkCmd struct {
	primary
	filePlace
	ReadFiles bool   `help:"Read each uploaded file, and compare its bytes with its name."`
	River     string `placeholder:"FILE" help:"Check this river DB only, and no uploaded files (all river DBs in --data)."`
	Viewer    string `placeholder:"NAME" help:"Check the rivers of this account only, and no uploaded files; 0 means the rivers of visitors who are not signed in (all rivers)."`
}

// The errors of a check that found a fault.
var (
	errDiffers = errors.New("rivers differ from fresh builds of them")
	errFiles   = errors.New("uploaded files are missing or damaged")
)

// Run compares the rivers of river DBs with fresh builds of them. Unless a river DB or a viewer
// is named, Run compares the uploaded files with the rows that name them, too.
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
	lost := false
	if c.River == "" && c.Viewer == "" {
		if lost, err = c.checkFiles(ctx, store, to); err != nil {
			return err
		}
	}
	var found []error
	if differs {
		found = append(found, errDiffers)
	}
	if lost {
		found = append(found, errFiles)
	}
	return errors.Join(found...)
}

// checkFiles compares the uploaded files with the rows that name them. It reports whether files
// are missing or damaged. A site without uploads has no folder of files, and nothing is checked.
func (c *checkCmd) checkFiles(ctx context.Context, store *timeline.Store, to streams) (lost bool, err error) {
	if _, err := os.Stat(c.folder(c.Data)); c.S3Endpoint == "" && errors.Is(err, fs.ErrNotExist) {
		return false, store.FileUses(ctx, func(use timeline.FileUse) error {
			return &settingError{fmt.Sprintf("there is no folder %s, and %s is a file: name the folder with --files, or the S3 server", c.folder(c.Data), use.By)}
		})
	}
	files, err := c.openFiles(ctx, c.Data)
	if err != nil {
		return false, fmt.Errorf("open the uploaded files: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	sum, err := attachment.New(store, files, attachment.Options{}).Check(ctx, c.ReadFiles, func(line string) { fmt.Fprintln(to.out, line) })
	if err != nil {
		return false, fmt.Errorf("check the uploaded files: %w", err)
	}
	_, err = fmt.Fprintf(to.out, "uploaded files: %d needed, %d of them missing and %d damaged; %d not needed\n", sum.Needed, sum.Missing, sum.Damaged, sum.Unneeded)
	return sum.Missing+sum.Damaged > 0, err
}

// paths returns the river DBs to check. It returns an error if there is none, because a check of
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
