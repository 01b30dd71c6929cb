package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/demo"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// demoCmd has no flag --database, so that invented people never write into the database of a site.
type demoCmd struct {
	Data        string `env:"-" default:"./var/demo" placeholder:"FOLDER" help:"Folder for all data of the demonstration, with a private PostgreSQL of its own (${default})."`
	Listen      string `env:"-" default:"127.0.0.1:8090" placeholder:"ADDRESS" help:"Address to listen on (${default})."`
	Fresh       bool   `env:"-" help:"Start afresh: delete everything in the database of the demonstration first."`
	Seed        uint64 `env:"-" default:"1" placeholder:"NUMBER" help:"Number from which the texts are chosen at random (${default})."`
	PostgresBin string `placeholder:"FOLDER" help:"Folder with the PostgreSQL programs, if they are neither on PATH nor in a usual place."`
}

// Run serves the demonstration, and has its people act, until the context ends.
func (c *demoCmd) Run(ctx context.Context, to streams) (err error) {
	if err := os.MkdirAll(c.Data, 0o755); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	lock, err := lockServing(c.Data, c.Listen)
	if err != nil {
		return err
	}
	defer lock.Close()
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	public, err := publicURL("", listener)
	if err != nil {
		return err
	}
	if err := writeServing(lock, public); err != nil {
		return err
	}
	db, err := primary{Data: c.Data, PostgresBin: c.PostgresBin}.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	if err := c.prepare(ctx, db, to); err != nil {
		return err
	}
	settings, err := demoSettings()
	if err != nil {
		return err
	}
	acting, ctx := errgroup.WithContext(ctx)
	acting.Go(func() error {
		return settings.serveFrom(ctx, to, db, c.Data, public, listener, c.riverDB(), jobs.OfPrimary, func(store *timeline.Store) error {
			link, err := demo.Link(ctx, store)
			if err != nil {
				return err
			}
			acting.Go(func() error {
				return demo.Run(ctx, demo.Config{Store: store, URL: public, Seed: c.Seed, Rhythm: demo.Lively(), Log: settings.logger(to)})
			})
			_, err = fmt.Fprintf(to.out, "%s\nSign in as %s, who administers the site, and open Home: %s%s%s\nCtrl-C stops the demonstration. Its data is in %s; with --fresh it starts afresh.\n",
				public, demo.Guest, public, linkPath, link, c.Data)
			return err
		})
	})
	return acting.Wait()
}

// riverDB returns the file of the river DB.
func (c *demoCmd) riverDB() string { return filepath.Join(c.Data, "river.db") }

// removeRiverDB removes the river DB of a node that does not run. A missing one is no error.
func removeRiverDB(path string) error {
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// prepare makes the community in the database, with --fresh in an empty one.
func (c *demoCmd) prepare(ctx context.Context, db *database, to streams) error {
	var err error
	if c.Fresh {
		if err = demo.Clear(ctx, db.pool); err == nil {
			err = errors.Join(migrations.Up(ctx, db.pool), removeRiverDB(c.riverDB()))
		}
	}
	if err == nil {
		to.notice("the people of the demonstration come together; this takes some seconds the first time")
		err = demo.Make(ctx, timeline.New(db.pool, timeline.Options{}), c.Seed, time.Now())
	}
	if errors.Is(err, demo.ErrOther) {
		return &settingError{fmt.Sprintf("--data: %s has the database of a site: choose another folder for the demonstration", c.Data)}
	}
	return err
}

// demoSettings returns the settings of a node as they are without flags. The log has warnings only, so that the
// address stays in sight.
func demoSettings() (nodeSettings, error) {
	var settings nodeSettings
	if err := kong.ApplyDefaults(&settings); err != nil {
		return settings, err
	}
	settings.Log = slog.LevelWarn
	return settings, nil
}
