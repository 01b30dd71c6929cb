package pgtest_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestDatabaseIsDroppedAtTheEnd(t *testing.T) {
	t.Parallel()
	admin := pgtest.New(t)
	var name string
	t.Run("a test", func(t *testing.T) {
		if err := pgtest.New(t).QueryRow(t.Context(), `select current_database()`).Scan(&name); err != nil {
			t.Fatal(err)
		}
	})
	var there bool
	const query = `select exists (select from pg_database where datname = $1)`
	if err := admin.QueryRow(t.Context(), query, name).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if there {
		t.Errorf("database %q is still there", name)
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
	pool.Reset() // its connections are to the killed server
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
