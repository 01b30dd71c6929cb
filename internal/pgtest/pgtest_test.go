package pgtest_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestDatabasesAreApart(t *testing.T) {
	t.Parallel()
	one, other := pgtest.New(t), pgtest.New(t)
	ctx := t.Context()
	if _, err := one.Exec(ctx, `create table pebbles (n int)`); err != nil {
		t.Fatal(err)
	}
	var there bool
	if err := other.QueryRow(ctx, `select to_regclass('pebbles') is not null`).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if there {
		t.Error("a table made in one test's database is in another's")
	}
}

func TestDatabaseHasSchemaAndSettings(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var version int
	if err := pool.QueryRow(t.Context(), `select max(version_id) from goose_db_version`).Scan(&version); err != nil {
		t.Fatal(err)
	}
	if version < 1 {
		t.Errorf("schema version is %d", version)
	}
	got := map[string]string{}
	for _, name := range []string{"lc_ctype", "server_encoding", "listen_addresses", "fsync"} {
		var value string
		if err := pool.QueryRow(t.Context(), `select current_setting($1)`, name).Scan(&value); err != nil {
			t.Fatal(err)
		}
		got[name] = value
	}
	want := map[string]string{
		"lc_ctype": "C.UTF-8", "server_encoding": "UTF8",
		"listen_addresses": "", "fsync": "off",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

// Not parallel, and neither are its subtests: another test would take the database in between.
func TestDatabaseIsLikeNewForTheNextTest(t *testing.T) {
	const write = `
		with named as (insert into names (name, what, their_id) values ('alice', 'user', 1)),
			gone as (delete from timelines), site as (update site_settings set value = '0')
		insert into users (name, display_name) values ('alice', 'Alice') returning id`
	open := func(t *testing.T, pool *pgxpool.Pool) *pgx.Conn {
		conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	for _, tt := range []struct {
		name  string
		do    func(t *testing.T, pool *pgxpool.Pool)
		again bool // the next test has the same database
	}{
		{"rows", func(*testing.T, *pgxpool.Pool) {}, true},
		{"a connection of its own, closed", func(t *testing.T, pool *pgxpool.Pool) {
			if err := open(t, pool).Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a connection of its own, left open", func(t *testing.T, pool *pgxpool.Pool) { open(t, pool) }, false},
		{"a connection of the pool was killed", func(t *testing.T, pool *pgxpool.Pool) {
			if _, err := pool.Exec(t.Context(), `select pg_terminate_backend(pg_backend_pid())`); err == nil {
				t.Error("the connection lives")
			}
		}, true},
		{"a closed pool", func(_ *testing.T, pool *pgxpool.Pool) { pool.Close() }, false},
		{"a table", exec(`create table pebbles (n int)`), false},
		{"a column", exec(`alter table users add pebbles int`), false},
		{"an index", exec(`create index pebbles on users (display_name)`), false},
		{"a function", exec(`create or replace function next_id(at timestamptz default clock_timestamp()) returns bigint language sql as 'select 7'`), false},
		{"a setting", exec(`do $$ begin execute format('alter database %I set lock_timeout = 7', current_database()); end $$`), false},
		{"statistics", exec(`analyze users`), false},
		{"many rows", exec(`insert into names (name, what, their_id) select 'name' || n, 'user', n from generate_series(1, 5001) n`), false},
	} {
		var names [2]string
		for i := range names {
			t.Run(tt.name, func(t *testing.T) {
				pool := pgtest.New(t)
				var got struct{ Users, Timelines, Settings, ID int }
				const read = `select current_database(), (select count(*) from users), (select count(*) from timelines), (select count(*) from site_settings where value <> '0')`
				if err := pool.QueryRow(t.Context(), read).Scan(&names[i], &got.Users, &got.Timelines, &got.Settings); err != nil {
					t.Fatal(err)
				}
				if err := pool.QueryRow(t.Context(), write).Scan(&got.ID); err != nil {
					t.Fatal(err)
				}
				want := got
				want.Users, want.Timelines, want.Settings, want.ID = 0, 11, 1, 1
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("a fresh database (-want +got):\n%s", diff)
				}
				if i == 0 {
					tt.do(t, pool)
				}
			})
		}
		if again := names[0] == names[1]; again != tt.again {
			t.Errorf("%s: the next test has the same database: %v, want %v", tt.name, again, tt.again)
		}
	}
}

// exec returns a function that executes a statement on a pool.
func exec(statement string) func(*testing.T, *pgxpool.Pool) {
	return func(t *testing.T, pool *pgxpool.Pool) {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCopiesOfATemplate(t *testing.T) {
	t.Parallel()
	filled := 0
	pebbles := pgtest.NewTemplate(func(ctx context.Context, pool *pgxpool.Pool) error {
		filled++
		_, err := pool.Exec(ctx, `create table pebbles as select 1 as n`)
		return err
	})
	for range 2 {
		pool := pebbles.New(t)
		if _, err := pool.Exec(t.Context(), `insert into pebbles values (2)`); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := pool.QueryRow(t.Context(), `select count(*) from pebbles`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != 2 || filled != 1 {
			t.Errorf("a copy has %d rows, want 2; the template was filled %d times, want once", n, filled)
		}
	}
}

func TestServerOfItsOwn(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := pgtest.Server(t)
	pool := pgtest.Open(t, server.URL())
	if _, err := pool.Exec(ctx, `create table pebbles (n int)`); err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := pool.Ping(ctx); err == nil {
		t.Error("a killed server answers")
	}
	pool.Reset() // its connections lead to the killed server
	if err := server.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(ctx, `select n from pebbles`); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		pgtest.URL(b)
	}
}
