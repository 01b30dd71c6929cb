package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/internal/jobs"
)

type serveCmd struct {
	primary
	Listen string `env:"LISTEN" placeholder:"ADDRESS" help:"Address to listen on (127.0.0.1:8080; with --tls :443)."`
	tlsSettings
	nodeSettings
}

// Validate returns an error for settings that make no sense.
func (c *serveCmd) Validate() error {
	return errors.Join(c.tlsSettings.Validate(), c.nodeSettings.Validate())
}

// Run serves pages and sockets and runs the periodic jobs, all in one process.
func (c *serveCmd) Run(ctx context.Context, to streams) (err error) {
	if err := os.MkdirAll(c.Data, 0o755); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	address := cmp.Or(c.Listen, "127.0.0.1:8080")
	if c.Listen == "" && len(c.TLS) > 0 {
		address = ":443"
	}
	lock, err := lockServing(c.Data, address)
	if err != nil {
		return err
	}
	defer lock.Close()
	listener, err := listen(ctx, address)
	if err != nil {
		return err
	}
	defer listener.Close()
	settings, together := c.nodeSettings, func(context.Context) error { return nil }
	if len(c.TLS) > 0 {
		if settings, listener, together, err = c.secure(ctx, to, listener); err != nil {
			return err
		}
	}
	public, err := publicURL(settings.URL, listener)
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
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return together(ctx) })
	parts.Go(func() error { return settings.runNode(ctx, to, c.primary, listener, path, jobs.OfPrimary) })
	return parts.Wait()
}
