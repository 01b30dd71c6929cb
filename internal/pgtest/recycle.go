package pgtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgserver"
)

// A database is used by one test after another. Between two tests its rows are reset to the rows
// of the template. Its connections stay: a new connection to a new database parses and plans each
// statement for the first time, which costs more than most tests do.
type database struct {
	name    string
	pool    *pgxpool.Pool
	cleaner *pgx.Conn // calls no triggers, so it may delete rows in any order
	form    string    // the schema and the statistics of the template
	deleted int       // rows deleted since the database was made; they still take space
}

// deletedMost limits the rows deleted from a database that is used again, because the space of
// deleted rows makes it slower.
const deletedMost = 5000

// cleaning adds functions to the template: clean makes the rows and the sequences of a copy those
// of the template again, and returns the number of rows deleted; form returns a text that differs
// if a test has changed the schema, or if statistics were collected, which change plans. Clean is
// written by a query, because each migration may add tables.
const cleaning = `
create schema pgtest;
do $make$
declare
	body text := '';
	filled boolean;
	t record;
begin
	for t in select oid::regclass as name, relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname loop
		body := body || format('delete from %s; get diagnostics n = row_count; total := total + n; ', t.name);
		execute format('select exists (select from %s)', t.name) into filled;
		if filled then
			execute format('create table pgtest.%I as table %s', t.relname, t.name);
			body := body || format('insert into %s overriding system value select * from pgtest.%I; ', t.name, t.relname);
		end if;
	end loop;
	for t in select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as value, last_value is not null as called
		from pg_sequences where schemaname = 'public' loop
		body := body || format('perform setval(%L, %s, %L); ', t.name, t.value, t.called);
	end loop;
	execute format('create function pgtest.clean() returns int language plpgsql as $f$ declare n int; total int := 0; begin %s return total; end $f$', body);
end $make$;
create function pgtest.form() returns text language sql as $f$
	select concat_ws(' ',
		(select format('%s %s %s', count(*), max(xmin::text::bigint), sum(reltuples)) from pg_class where oid >= 16384),
		(select format('%s %s', count(*), max(xmin::text::bigint)) from pg_attribute where attrelid >= 16384),
		(select format('%s %s', count(*), max(xmin::text::bigint)) from pg_proc where oid >= 16384),
		(select format('%s %s', count(*), max(xmin::text::bigint)) from pg_constraint),
		(select format('%s %s', count(*), max(xmin::text::bigint)) from pg_trigger),
		(select count(*) from pg_statistic where starelid >= 16384),
		(select count(*) from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())))
$f$`

// take returns a database with the rows of the template, used before or new.
func take(ctx context.Context, server *pgserver.Server, admin *pgxpool.Pool) (*database, error) {
	cluster.Lock()
	if last := len(cluster.free) - 1; last >= 0 {
		d := cluster.free[last]
		cluster.free = cluster.free[:last]
		cluster.Unlock()
		return d, nil
	}
	cluster.Unlock()
	d := &database{name: fmt.Sprintf("test_%d", databases.Add(1))}
	if err := copyTemplate(ctx, admin, d.name, template); err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(address(server, d.name))
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["session_replication_role"] = "replica"
	if d.cleaner, err = pgx.ConnectConfig(ctx, config); err != nil {
		return nil, err
	}
	if err := d.cleaner.QueryRow(ctx, `select pgtest.form()`).Scan(&d.form); err != nil {
		return nil, err
	}
	d.pool, err = connect(ctx, address(server, d.name))
	return d, err
}

// put cleans a database for the next test, or drops it if the next test would notice this one.
func put(t testing.TB, d *database, admin *pgxpool.Pool) {
	t.Helper()
	ctx := context.Background() // the test's own context has ended by now
	if d.clean(ctx) {
		cluster.Lock()
		cluster.free = append(cluster.free, d)
		cluster.Unlock()
		return
	}
	closePool(t, d.pool)
	_ = d.cleaner.Close(ctx) // a test may have killed its server
	if _, err := admin.Exec(ctx, "drop database "+d.name+" with (force)"); err != nil {
		t.Errorf("pgtest: drop database: %v", err)
	}
}

// clean reports whether the next test can use the database. If so, its rows are those of the
// template again. The next test can't if the schema or the statistics have changed, if the test has
// closed the pool, or if a connection other than those idle in the pool exists: a statement of the
// last test may still run on it.
func (d *database) clean(ctx context.Context) bool {
	var deleted int
	var form string
	if !d.idle(ctx) || d.pool.Ping(ctx) != nil || d.cleaner.QueryRow(ctx, `select pgtest.clean(), pgtest.form()`).Scan(&deleted, &form) != nil {
		return false
	}
	d.deleted += deleted
	return form == d.form && d.deleted <= deletedMost
}

// idle waits for the end of the connections that the test has closed, and reports whether the
// remaining ones are idle in the pool.
func (d *database) idle(ctx context.Context) bool {
	const others = `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
	const tries = 20
	for range tries {
		var n int32
		if err := d.cleaner.QueryRow(ctx, others).Scan(&n); err != nil {
			return false
		}
		if stat := d.pool.Stat(); stat.IdleConns() == stat.TotalConns() && n == stat.TotalConns() {
			return true
		}
		time.Sleep(5 * time.Millisecond) // a condition of another process: polled
	}
	return false
}

// closeAll closes the connections of the databases that no test uses.
func closeAll(ctx context.Context, free []*database) error {
	var errs []error
	for _, d := range free {
		d.pool.Close()
		errs = append(errs, d.cleaner.Close(ctx))
	}
	return errors.Join(errs...)
}
