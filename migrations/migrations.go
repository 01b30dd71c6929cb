// Package migrations holds the schema of the primary database: SQL files in
// the order of their numbers, built into the program.
//
// A file that was released is never changed; what it did wrong the next one
// puts right. Each runs in a transaction of its own.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed *.sql
var files embed.FS

// Up brings a database to the newest schema. Processes that start at the same
// time take turns; all but the first find nothing left to do.
func Up(ctx context.Context, pool *pgxpool.Pool) error {
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker{}), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// locker is goose's session lock without its polling: who waits goes on the
// moment the other is through, and one that dies holds nobody up.
type locker struct{}

// lockKey is "amstel" in ASCII.
const lockKey = 0x616d7374656c

func (locker) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `select pg_advisory_lock($1)`, int64(lockKey))
	return err
}

func (locker) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `select pg_advisory_unlock($1)`, int64(lockKey))
	return err
}
