package migrations_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// empty makes a database without a schema, and returns n pools of connections to it, one for each process
// that a test stands for.
func empty(t *testing.T, n int) []*pgxpool.Pool {
	t.Helper()
	url := pgtest.EmptyURL(t)
	var pools []*pgxpool.Pool
	for range n {
		pool, err := pgxpool.New(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		pools = append(pools, pool)
	}
	return pools
}

// newProvider returns a provider that migrates up and down one step at a time.
func newProvider(t *testing.T, pool *pgxpool.Pool) *goose.Provider {
	t.Helper()
	db := stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { db.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

// count returns the number that a query returns.
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
	files, err := filepath.Glob("*.sql")
	if err != nil || applied == 0 || applied != len(files) {
		t.Errorf("%d migrations were applied, there are %d, %v", applied, len(files), err)
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
	// The number of the lock is "amstel" in ASCII.
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

// TestRankingsOfAllTimeAreAddedForLanguagesInUse: a database that has no rankings of all time yet gets one for
// all posts, and one for each language in use.
func TestRankingsOfAllTimeAreAddedForLanguagesInUse(t *testing.T) {
	t.Parallel()
	pool := empty(t, 1)[0]
	provider := newProvider(t, pool)
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

// TestWordsOfFilesAreAddedForFilesThatAreThere: a database from before files could be searched for gets the
// words of its existing files. The migration down removes only these words.
func TestWordsOfFilesAreAddedForFilesThatAreThere(t *testing.T) {
	t.Parallel()
	pool := empty(t, 1)[0]
	provider := newProvider(t, pool)
	if _, err := provider.UpTo(t.Context(), 9); err != nil {
		t.Fatal(err)
	}
	const fill = `
		insert into names (name, what, their_id) values ('anna', 'user', 1);
		insert into users (name, display_name) values ('anna', 'Anna');
		insert into posts (id, user_id, text, places, published_at, updated_at, fresh_at) select n, u.id, 'boats', '{}', now(), now(), n from generate_series(1, 3) n, users u;
		insert into post_words (post_id, words) select id, to_tsvector('english', text) from posts;
		insert into attachments (id, user_id, post_id, file_name, kind, state, upload)
		select n, u.id, p, 'x', k, s, case s when 'queued' then sha256('x') end
		from users u, (values (1, 1, 'image', 'ready'), (2, 1, 'image', 'ready'), (3, 1, 'video', 'ready'), (4, 2, 'image', 'queued')) f(n, p, k, s)`
	if _, err := pool.Exec(t.Context(), fill); err != nil {
		t.Fatal(err)
	}
	words := func() string {
		t.Helper()
		var all string
		if err := pool.QueryRow(t.Context(), `select string_agg(words::text, '; ' order by post_id) from post_words`).Scan(&all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := words()
	if _, err := provider.UpTo(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	if got, want := words(), "'@image' '@video' 'boat':1; 'boat':1; 'boat':1"; got != want {
		t.Errorf("the words are %s, want %s", got, want)
	}
	if _, err := provider.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := words(); got != before {
		t.Errorf("the words are %s after the way down, %s before the way up", got, before)
	}
}

// TestEachDownUndoesItsUp migrates up and down again by each migration. The schema is then the same as before.
func TestEachDownUndoesItsUp(t *testing.T) {
	t.Parallel()
	pool := empty(t, 1)[0]
	provider := newProvider(t, pool)
	for _, migration := range provider.ListSources() {
		before := schemaOf(t, pool)
		if _, err := provider.UpByOne(t.Context()); err != nil {
			t.Fatal(err)
		}
		if migration.Version == 1 {
			continue // its Down leaves an empty schema, without the table of versions
		}
		up := schemaOf(t, pool)
		if _, err := provider.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, schemaOf(t, pool)); diff != "" {
			t.Errorf("down from %s leaves (-before +after):\n%s", migration.Path, diff)
		}
		if _, err := provider.UpByOne(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(up, schemaOf(t, pool)); diff != "" {
			t.Errorf("%s the second time (-first +second):\n%s", migration.Path, diff)
		}
	}
}

// schemaOf returns a line for each column, constraint, index, trigger and function of a
// database, sorted.
func schemaOf(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	const query = `
		select line from (
			select format('column %s.%s %s null %s default %s', table_name, column_name, data_type, is_nullable, column_default) line
			from information_schema.columns where table_schema = 'public'
			union all select format('constraint of %s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
			union all select indexdef from pg_indexes where schemaname = 'public'
			union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
			union all select format('function %s %s %s', proname, pg_get_function_identity_arguments(oid), md5(prosrc)) from pg_proc
			where pronamespace = 'public'::regnamespace and probin is null
		) of order by line`
	rows, err := pool.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
