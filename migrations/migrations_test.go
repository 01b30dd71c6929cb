package migrations_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// empty returns pools of connections, as several processes have them, to one
// database without a schema.
func empty(t *testing.T, n int) []*pgxpool.Pool {
	t.Helper()
	admin := pgtest.New(t)
	var name string
	if err := admin.QueryRow(t.Context(), `select current_database() || '_empty'`).Scan(&name); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Exec(t.Context(), "create database "+name+" template template0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(context.Background(), "drop database "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	var pools []*pgxpool.Pool
	for range n {
		config := admin.Config()
		config.ConnConfig.Database = name
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		pools = append(pools, pool)
	}
	return pools
}

// count returns the number that a query answers.
func count(t *testing.T, pool *pgxpool.Pool, query string) int {
	t.Helper()
	var n int
	if err := pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const held = `select count(*) from pg_locks where locktype = 'advisory'
	and database = (select oid from pg_database where datname = current_database())`

func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	pools := empty(t, 5)
	var wg sync.WaitGroup
	for _, pool := range pools {
		wg.Go(func() {
			for range 2 {
				if err := migrations.Up(t.Context(), pool); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	applied := count(t, pools[0], `select count(*) from goose_db_version where version_id > 0`)
	newest := count(t, pools[0], `select max(version_id) from goose_db_version`)
	if applied == 0 || applied != newest {
		t.Errorf("%d migrations were applied, the newest is %d", applied, newest)
	}
	if n := count(t, pools[0], held); n != 0 {
		t.Errorf("%d advisory locks are still held", n)
	}
}

func TestWaitingForAnotherCanBeCancelled(t *testing.T) {
	t.Parallel()
	pool := empty(t, 1)[0]
	other, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	// "amstel" in ASCII.
	if _, err := other.Exec(t.Context(), `select pg_advisory_lock(x'616d7374656c'::bigint)`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := migrations.Up(ctx, pool); err == nil {
		t.Error("migrated while another process does")
	}
	if n := count(t, pool, `select count(*) from pg_tables where schemaname = 'public'`); n != 0 {
		t.Errorf("%d tables were made while another process migrates", n)
	}
	if _, err := other.Exec(t.Context(), `select pg_advisory_unlock_all()`); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), pool); err != nil {
		t.Error(err)
	}
}

// A database from before the rankings of all time gets them for all posts and for
// each language it has.
func TestRankingsOfAllTimeAreAddedForLanguagesInUse(t *testing.T) {
	t.Parallel()
	pool := empty(t, 1)[0]
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `insert into timelines (what, their_id, access) values ('everything', $1, 'public')`, timeline.LangID("nl")); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"", "nl"} {
		query := fmt.Sprintf(`
			select count(*) from timelines where what in ('best_of', 'most_faved') and access = 'public' and their_id = %d`, timeline.RankedID(lang, timeline.Ever))
		if n := count(t, pool, query); n != 2 {
			t.Errorf("language %q has %d rankings of all time", lang, n)
		}
	}
}
