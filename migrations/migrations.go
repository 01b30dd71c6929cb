// Package migrations holds the schema of the primary database: SQL files in
// the order of their numbers, built into the program.
//
// A file that was released is never changed; what it did wrong the next one
// puts right. Each runs in a transaction of its own.
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed *.sql
var files embed.FS

// Files has the SQL files.
func Files() fs.FS { return files }

// lockKey is "amstel" in ASCII.
const lockKey = 0x616d7374656c

// Up brings a database to the newest schema. Processes that start at the same
// time take turns; all but the first find nothing left to do.
func Up(ctx context.Context, pool *pgxpool.Pool) (err error) {
	// Goose's own session lock polls, and does not cover the making of its table of versions.
	// This lock ends with its connection at the latest.
	lock, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }()
	if _, err := lock.Exec(ctx, `select pg_advisory_lock($1)`, int64(lockKey)); err != nil {
		return fmt.Errorf("migrate: wait for another process to migrate: %w", err)
	}
	defer func() {
		_, unlocking := lock.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, int64(lockKey))
		err = errors.Join(err, unlocking)
	}()

	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
