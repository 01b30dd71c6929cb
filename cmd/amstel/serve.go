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

// Run serves pages and sockets and runs the periodic jobs, all in one process.
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
	if err := writeServing(lock, public); err != nil {
		return err
	}
	path := c.River
	if path == "" {
		path = filepath.Join(c.Data, "river.db")
	}
	return c.runNode(ctx, to, c.primary, listener, path, jobs.OfPrimary)
}

// lock takes the lock of the data folder, which only one amstel serve at a time can have. It returns an
// error that names the process that has the lock.
func (c *serveCmd) lock() (*lockfile.Lock, error) {
	path := filepath.Join(c.Data, lockName)
	lock, err := lockfile.Take(path)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if lock == nil {
		pid, address := readServing(c.Data)
		return nil, fmt.Errorf("amstel serve is already running in this data folder: pid %s, at %s", pid, address)
	}
	if err := writeServing(lock, "http://"+c.Listen); err != nil { // the port is not known yet if it is 0
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}
