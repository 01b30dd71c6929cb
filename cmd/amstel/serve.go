package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"amstel.dev/amstel/cmd/internal/jobs"
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
