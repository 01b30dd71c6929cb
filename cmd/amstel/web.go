package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

type webCmd struct {
	primary
	Listen string `env:"LISTEN" placeholder:"ADDRESS" help:"Address to listen on (127.0.0.1 with --port)."`
	Port   int    `env:"PORT" default:"8080" placeholder:"NUMBER" help:"Port to listen on if --listen is not given (${default})."`
	nodeSettings
}

// Run serves pages as one of any number of nodes.
func (c *webCmd) Run(ctx context.Context, to streams) (err error) {
	address := c.Listen
	if address == "" {
		address = fmt.Sprintf("127.0.0.1:%d", c.Port)
	}
	listener, err := listen(ctx, address)
	if err != nil {
		return err
	}
	defer listener.Close()
	path := c.River
	if path == "" {
		_, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil {
			return fmt.Errorf("listening address: %w", err)
		}
		path = filepath.Join(c.Data, "river-"+port+".db")
	}
	return c.runNode(ctx, to, c.primary, listener, path, nil)
}

// runNode opens the primary, and serves from it as serveFrom does. It prints the address of the site as soon
// as the node answers requests.
func (s nodeSettings) runNode(ctx context.Context, to streams, where primary, listener net.Listener, path string, periodic func(*timeline.Store) []jobs.Job) (err error) {
	public, err := publicURL(s.URL, listener)
	if err != nil {
		return err
	}
	db, err := where.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	return s.serveFrom(ctx, to, db, where.Data, public, listener, path, periodic, func(*timeline.Store) error {
		_, err := fmt.Fprintln(to.out, public)
		return err
	})
}

// serveFrom opens the file store, puts a node together, and serves from the primary until ctx ends. If periodic
// is not nil, the process also runs the jobs that periodic returns. serveFrom calls ready as soon as the
// node answers requests.
func (s nodeSettings) serveFrom(ctx context.Context, to streams, db *database, data, public string, listener net.Listener, path string, periodic func(*timeline.Store) []jobs.Job, ready func(*timeline.Store) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("folder of the river DB: %w", err)
	}
	transport, err := s.transport()
	if err != nil {
		return err
	}
	inboxes := inbox.New(inbox.Options{Reached: reached})
	store := timeline.New(db.pool, timeline.Options{Reached: reached, URL: public, Source: inboxes, Mails: transport != nil})
	files, err := s.openFiles(ctx, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	n, err := s.open(ctx, store, inboxes, files, transport, public, path, to)
	if err != nil {
		return err
	}
	var more []jobs.Job
	if periodic != nil {
		more = periodic(store)
	}
	return n.Serve(ctx, listener, more, func() error { return ready(store) })
}
