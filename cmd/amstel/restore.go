package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"amstel.dev/amstel/internal/backup"
	"amstel.dev/amstel/internal/lockfile"
)

type restoreCmd struct {
	primary
	filePlace
	repositoryPlace
	From string `required:"" placeholder:"BACKUP" help:"Backup to restore: the repository, a slash, and the name of the backup, as /backups/20261126T031500Z or s3://BUCKET/PREFIX/20261126T031500Z."`
}

// Run restores a backup into an empty database.
func (c *restoreCmd) Run(ctx context.Context, to streams) (err error) {
	place, name, ok := backup.Split(c.From)
	if !ok {
		return &settingError{fmt.Sprintf("--from: %s does not end in the name of a backup: amstel backups --in %s lists them", c.From, c.From)}
	}
	repository, err := c.openRepository(ctx, place, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, repository.Close()) }()
	if err := os.MkdirAll(c.Data, 0o755); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	lock, err := lockfile.Take(filepath.Join(c.Data, lockName))
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if lock == nil {
		return &settingError{fmt.Sprintf("amstel serve is running in %s: stop it, or name another folder with --data", c.Data)}
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	db, err := c.connect(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	files, err := c.openFiles(ctx, c.Data)
	if err != nil {
		return fmt.Errorf("open the uploaded files: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	m, err := backup.Restore(ctx, backup.Site{Pool: db.pool, URL: db.url, Files: files, Programs: c.PostgresBin}, repository, name)
	if errors.Is(err, backup.ErrNotEmpty) {
		return &settingError{"the database is not empty, and nothing was changed: name an empty one with --database, or a new folder with --data"}
	}
	if err != nil {
		return err
	}
	for _, missing := range m.Missing {
		to.notice("Already lost when the backup was made: " + missing.String())
	}
	_, err = fmt.Fprintf(to.out, "Restored %s: the site as it was at %s, with %d files. Start it, and compare its files with: amstel check --read-files\n", name, m.At.Format("2006-01-02 15:04:05 MST"), m.Files)
	return err
}
