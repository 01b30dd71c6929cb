package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/lockfile"
)

type serveCmd struct {
	primary
	Listen string `env:"LISTEN" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address to listen on (${default})."`
	nodeSettings
}

// Run does all there is to do in one process.
func (c *serveCmd) Run(ctx context.Context, to streams) (err error) {
	if err := os.MkdirAll(c.Data, 0o755); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	lock, err := c.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	public, err := publicURL(c.URL, listener)
	if err != nil {
		return err
	}
	if err := say(lock, public); err != nil {
		return err
	}
	path := c.River
	if path == "" {
		path = filepath.Join(c.Data, "river.db")
	}
	return c.runNode(ctx, to, c.primary, listener, path, jobs.OfPrimary)
}

// lock keeps the data folder to one serve.
func (c *serveCmd) lock() (*lockfile.Lock, error) {
	path := filepath.Join(c.Data, lockName)
	lock, err := lockfile.Take(path)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if lock == nil {
		pid, address := whoServes(c.Data)
		return nil, fmt.Errorf("already running, pid %s, at %s", pid, address)
	}
	if err := say(lock, "http://"+c.Listen); err != nil { // as far as is known yet
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}
