package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/internal/pool"
	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/migrations"
)

// A primary holds the flags that locate the primary database. Every role that uses the primary
// embeds it.
type primary struct {
	Data        string `default:"./var" placeholder:"FOLDER" help:"Folder for all data: the private PostgreSQL, which is started if it is not running, and the river DB of a node (${default})."`
	Database    string `env:"DATABASE_URL" placeholder:"URL" help:"Use this PostgreSQL database instead of a private one."`
	PostgresBin string `placeholder:"FOLDER" help:"Folder with the PostgreSQL programs, if they are neither on PATH nor in a usual place."`
}

// A database is an open connection to the primary.
type database struct {
	pool   *pgxpool.Pool
	url    string           // the address of the database, which may have a password
	server *pgserver.Server // the private PostgreSQL; nil with --database
}

// open connects to the primary and migrates it to the newest schema.
func (p primary) open(ctx context.Context, to streams) (_ *database, err error) {
	db, err := p.connect(ctx, to)
	if err != nil {
		return nil, err
	}
	if err = migrations.Up(ctx, db.pool); err != nil {
		db.close(&err)
		return nil, err
	}
	return db, nil
}

// connect connects to the primary, and leaves its schema as it is. Without --database it starts a private
// PostgreSQL, or uses a running one.
func (p primary) connect(ctx context.Context, to streams) (_ *database, err error) {
	db := &database{url: p.Database}
	if db.url == "" {
		db.server, err = pgserver.Start(ctx, pgserver.Config{Data: p.Data, Programs: p.PostgresBin, Notice: to.notice})
		if err != nil {
			return nil, err
		}
		db.url = db.server.URL()
	}
	defer func() {
		if err != nil {
			db.close(&err)
		}
	}()
	config, err := pool.Config(db.url)
	if err != nil {
		// The address is parsed here, because kong would print a bad address with the password
		// in it.
		return nil, &settingError{fmt.Sprintf("--database: %v", err)}
	}
	if db.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := db.pool.Ping(ctx); err != nil {
		return nil, &unreachableError{err}
	}
	return db, nil
}

// An unreachableError reports in one line that the primary can't be reached. The error of the library
// has a line for each address that it tried.
type unreachableError struct{ err error }

func (e *unreachableError) Error() string {
	return "the database can't be reached: " + strings.Join(strings.Fields(e.err.Error()), " ")
}

func (e *unreachableError) Unwrap() error { return e.err }

// close closes the connections, and stops the private PostgreSQL if this process started it. It adds
// its errors to *err.
func (db *database) close(err *error) {
	if db.pool != nil {
		db.pool.Close()
	}
	if db.server != nil {
		*err = errors.Join(*err, db.server.Stop())
	}
}
