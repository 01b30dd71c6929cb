// Package pgtest gives tests a real PostgreSQL: one cluster in memory for a test binary, and for
// each test a database of its own, migrated and with the rows of a fresh one. A new database takes
// about fifteen milliseconds, a database that an earlier test has used about two.
//
// The first test that needs a database starts the cluster, and nothing of the cluster outlives the
// test binary. A package that uses pgtest has
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
// or, with a check for leaked goroutines,
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }
//
// If PostgreSQL is not installed, tests are skipped; they fail if CI is set in the environment.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/migrations"
)

// cluster is shared by the tests of one binary. It is a global variable, because a testing.M
// and a testing.TB have nothing else in common.
var cluster struct {
	sync.Mutex
	main   bool // the tests run under Main or Runner, which stops the cluster
	server *pgserver.Server
	admin  *pgxpool.Pool
	free   []*database // used by no test, and like new
	err    error
}

// databases numbers the databases of a cluster.
var databases atomic.Int64

// template is the name of the migrated database, which is copied for each test.
const template = "template_amstel"

// Argon holds parameters for hashing passwords in tests: 8 KiB and one pass, so that a hash takes
// less than a millisecond.
var Argon = &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 8, KeyLength: 16}

// Main runs the tests, stops the cluster, and exits.
func Main(m *testing.M) { os.Exit(Runner(m).Run()) }

// Runner returns a runner that runs the tests and then stops the cluster, for a TestMain that
// does more than Main.
func Runner(m *testing.M) interface{ Run() int } { return runner{m} }

type runner struct{ m *testing.M }

func (r runner) Run() int {
	cluster.Lock()
	cluster.main = true
	cluster.Unlock()
	code := r.m.Run()
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.server == nil {
		return code
	}
	err := closeAll(context.Background(), cluster.free)
	cluster.admin.Close()
	if err := errors.Join(err, cluster.server.Stop()); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return max(code, 1)
	}
	return code
}

// New returns a pool of connections to a database with the newest schema and the rows of a fresh
// one, set up like those of the server. The test fails if a connection is still in use when it
// ends. Another test may have used the database before. A benchmark gets a new one, without the
// remains of deleted rows.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	if _, ok := t.(*testing.B); ok {
		return Open(t, URL(t))
	}
	server, admin := shared(t)
	d, err := take(context.WithoutCancel(t.Context()), server, admin)
	if err != nil {
		t.Fatalf("pgtest: new database: %v", err)
	}
	t.Cleanup(func() { put(t, d, admin) })
	return d.pool
}

// URL returns the URL of a fresh database like that of [New], for tests that open connections
// themselves.
func URL(t testing.TB) string {
	t.Helper()
	return clone(t, template)
}

// EmptyURL returns the URL of a database without a schema, which is dropped when the test ends.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return clone(t, "template0")
}

// A Template is a database filled once for a test binary, and copied for each test that calls
// New.
type Template struct {
	fill func(context.Context, *pgxpool.Pool) error
	once sync.Once
	name string
	err  error
}

// NewTemplate returns a template of the newest schema. The first call of New calls fill to fill it.
func NewTemplate(fill func(context.Context, *pgxpool.Pool) error) *Template {
	return &Template{fill: fill}
}

// New returns a pool of connections to a copy of the template. The copy is dropped when the test
// ends.
func (f *Template) New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	server, admin := shared(t)
	f.once.Do(func() {
		f.name = fmt.Sprintf("template_%d", databases.Add(1))
		f.err = f.make(context.WithoutCancel(t.Context()), server, admin)
	})
	if f.err != nil {
		t.Fatalf("pgtest: new template: %v", f.err)
	}
	return Open(t, clone(t, f.name))
}

// make creates the template's database and fills it.
func (f *Template) make(ctx context.Context, server *pgserver.Server, admin *pgxpool.Pool) error {
	if err := copyTemplate(ctx, admin, f.name, template); err != nil {
		return err
	}
	pool, err := connect(ctx, address(server, f.name))
	if err != nil {
		return err
	}
	defer pool.Close() // a database with connections is not copied
	return f.fill(ctx, pool)
}

// clone copies a template and returns the URL of the copy, which is dropped when the test ends.
func clone(t testing.TB, template string) string {
	t.Helper()
	server, admin := shared(t)
	name := fmt.Sprintf("test_%d", databases.Add(1))
	if err := copyTemplate(t.Context(), admin, name, template); err != nil {
		t.Fatalf("pgtest: new database: %v", err)
	}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if _, err := admin.Exec(context.Background(), "drop database "+name+" with (force)"); err != nil {
			t.Errorf("pgtest: drop database: %v", err)
		}
	})
	return address(server, name)
}

// copyTemplate makes a database that is a copy of a template.
func copyTemplate(ctx context.Context, admin *pgxpool.Pool, name, template string) error {
	// The template is small, so copying its files is faster than writing it to the log.
	_, err := admin.Exec(ctx, "create database "+name+" template "+template+" strategy file_copy")
	return err
}

// Open returns a pool of connections to a database, set up like those of the server. It is
// closed when the test ends; the test fails if a connection is still in use then.
func Open(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := connect(t.Context(), url)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { closePool(t, pool) })
	return pool
}

// closePool closes a pool at the end of a test, and fails the test if a connection stays in use.
func closePool(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	closed := make(chan struct{})
	go func() { pool.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Errorf("pgtest: %d connections are still in use at the end of the test", pool.Stat().AcquiredConns())
	}
}

// Server starts a PostgreSQL server for one test, which may kill and restart it. The database of
// its URL has the newest schema. The server is stopped when the test ends.
func Server(t testing.TB) *pgserver.Server {
	t.Helper()
	server, err := start(t.Context(), "")
	if err != nil {
		missing(t, err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	if err := migrate(t.Context(), server.URL(), ""); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return server
}

// Folder returns an empty folder, removed when the test ends, in which a
// private server can keep its data. Every user can enter it, unlike the folder of
// t.TempDir.
func Folder(t testing.TB) string {
	t.Helper()
	folder, remove, err := pgserver.MakeFolder()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return folder
}

// shared returns the cluster of this test binary.
func shared(t testing.TB) (*pgserver.Server, *pgxpool.Pool) {
	t.Helper()
	cluster.Lock()
	defer cluster.Unlock()
	if !cluster.main {
		t.Fatal("pgtest: the package needs func TestMain(m *testing.M) { pgtest.Main(m) }")
	}
	if cluster.server == nil && cluster.err == nil {
		// The cluster outlives the test that starts it, so it can't use the test's context.
		ctx := context.WithoutCancel(t.Context())
		cluster.server, cluster.admin, cluster.err = prepare(ctx)
	}
	if cluster.err != nil {
		missing(t, cluster.err)
	}
	return cluster.server, cluster.admin
}

// missing ends a test that can't have its server. It skips the test if PostgreSQL is not
// installed, except in CI, and fails it otherwise.
func missing(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, pgserver.ErrMissing) && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED, NOT TESTED: %v", err)
	}
	t.Fatalf("pgtest: %v", err)
}

// start starts a server with the settings of tests. If cluster is set, the server begins with a
// copy of it.
func start(ctx context.Context, cluster string) (*pgserver.Server, error) {
	return pgserver.Start(ctx, pgserver.Config{
		Profile:  pgserver.Test,
		Copy:     cluster,
		Programs: programs(),
		Notice:   func(sentence string) { fmt.Fprintln(os.Stderr, "pgtest:", sentence) },
	})
}

// programs returns the folder of the programs of PostgreSQL; empty: the usual one.
func programs() string { return os.Getenv("AMSTEL_POSTGRES_BIN") }

// prepare starts a server with the template. The first process keeps its cluster for the others.
func prepare(ctx context.Context) (*pgserver.Server, *pgxpool.Pool, error) {
	kept := keptCluster(ctx)
	there := false
	if kept != "" {
		_, err := os.Stat(kept)
		there = err == nil
	}
	if !there {
		return prepareNew(ctx, kept)
	}
	server, err := start(ctx, kept)
	if err != nil {
		return nil, nil, err
	}
	admin, err := connect(ctx, server.URL())
	if err != nil {
		return nil, nil, errors.Join(err, server.Stop())
	}
	return server, admin, nil
}

// prepareNew starts a server, makes the template in it, and keeps the cluster unless kept is empty.
func prepareNew(ctx context.Context, kept string) (*pgserver.Server, *pgxpool.Pool, error) {
	server, err := start(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	admin, err := connect(ctx, server.URL())
	if err == nil {
		if _, err = admin.Exec(ctx, "create database "+template); err == nil {
			err = migrate(ctx, address(server, template), cleaning)
		}
		if err == nil && kept != "" {
			admin.Reset()
			err = keep(ctx, server, kept)
		}
		if err != nil {
			admin.Close()
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, server.Stop())
	}
	return server, admin, nil
}

// migrate brings the schema of a database to the newest version, and then runs statements.
func migrate(ctx context.Context, url, then string) error {
	pool, err := connect(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Up(ctx, pool); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, then)
	return err
}

// connect returns a pool that the tests of one database can share.
func connect(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16
	return pgxpool.NewWithConfig(ctx, config)
}

// address returns the URL of another database of the server.
func address(server *pgserver.Server, database string) string {
	config, err := pgx.ParseConfig(server.URL())
	if err != nil {
		panic(err) // can't happen: pgserver made the string
	}
	return fmt.Sprintf("host=%s port=%d user=%s dbname=%s", config.Host, config.Port, config.User, database)
}
