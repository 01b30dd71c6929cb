// Package migrations holds the schema of the primary database: SQL files, which run in the order of
// their numbers, and are built into the program. Each file runs in a transaction of its own.
//
// The statements of a released file never change: a mistake is corrected in the next file. Comments
// may change, because a database only remembers the numbers of the files that ran.
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

// Files returns the SQL files.
func Files() fs.FS { return files }

// lockKey is the key of the advisory lock that Up holds, "amstel" in ASCII.
const lockKey = 0x616d7374656c

// Newest returns the number of the newest migration that is built into the program.
func Newest() (newest int64) {
	names, _ := fs.Glob(files, "*.sql") // fails for a bad pattern only
	for _, name := range names {
		if number, err := goose.NumericComponent(name); err == nil {
			newest = max(newest, number)
		}
	}
	return newest
}

// Version returns the number of the newest migration that has run in a database, or 0 if the database has no schema.
func Version(ctx context.Context, pool *pgxpool.Pool) (version int64, err error) {
	var exists bool
	if err := pool.QueryRow(ctx, `select to_regclass('goose_db_version') is not null`).Scan(&exists); err != nil || !exists {
		return 0, err
	}
	err = pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from goose_db_version where is_applied`).Scan(&version)
	return version, err
}

// Up brings a database to the newest schema. If several processes call Up at the same time, the first
// one migrates, and the others wait and then find nothing left to do.
func Up(ctx context.Context, pool *pgxpool.Pool) (err error) {
	// A lock of our own is needed, because goose's session lock polls, and goose makes its table of
	// versions before it takes the lock. This lock ends with its connection at the latest.
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
