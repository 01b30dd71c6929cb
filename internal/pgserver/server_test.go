package pgserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/lockfile"
)

// ownEnv names the data folder of a child process, this test binary, which owns a server there
// until it is killed.
const ownEnv = "AMSTEL_TEST_OWN"

func TestMain(m *testing.M) {
	if data := os.Getenv(ownEnv); data != "" {
		own(data)
	}
	os.Exit(m.Run())
}

// own starts a server, prints its postmaster's pid, and waits to be killed.
func own(data string) {
	s, err := Start(context.Background(), Config{Data: data})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("pid", postmaster(s))
	select {}
}

// postmaster returns the pid of our postmaster.
func postmaster(s *Server) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process.pid
}

// dataFolder returns an empty folder that every user can enter, unlike the folders of t.TempDir.
func dataFolder(t *testing.T) string {
	t.Helper()
	path, remove, err := MakeFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	return path
}

// begin starts a server, and stops it when the test ends.
func begin(t *testing.T, config Config) *Server {
	t.Helper()
	s, err := Start(t.Context(), config)
	if errors.Is(err, ErrMissing) && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED, NOT TESTED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(t, s) })
	return s
}

func end(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// ask runs one statement and returns its only value as text.
func ask(t *testing.T, s *Server, query string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	results, err := conn.PgConn().Exec(t.Context(), query).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var values []string
	for _, result := range results {
		for _, row := range result.Rows {
			for _, value := range row {
				values = append(values, string(value))
			}
		}
	}
	return strings.Join(values, " ")
}

// until waits until another process or goroutine makes a condition true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func TestSecondStartFindsData(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	s := begin(t, Config{Data: data})
	got := ask(t, s, `show fsync; show listen_addresses; show lc_ctype; show server_encoding; select current_database(); select lower('МОКУМ')`)
	if want := "on  C.UTF-8 UTF8 amstel мокум"; got != want {
		t.Errorf("a durable server says %q, want %q", got, want)
	}
	ask(t, s, `create table pebbles as select 7 as n`)
	pid, socket := postmaster(s), s.socket
	if !private(socket, s.account) {
		t.Errorf("others can enter the socket's folder %s", socket)
	}
	end(t, s)
	if alive(pid) {
		t.Error("the server is still there after Stop")
	}
	if _, err := os.Stat(socket); err == nil {
		t.Errorf("%s is still there after Stop", socket)
	}
	end(t, s) // does nothing

	s = begin(t, Config{Data: data})
	if got := ask(t, s, `select n from pebbles`); got != "7" {
		t.Errorf("after a second start the table holds %q", got)
	}
}

func TestOtherVersionNamesDumpAndRestore(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	cluster := filepath.Join(data, "postgres", "data")
	if err := os.MkdirAll(cluster, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), Config{Data: data})
	if err == nil {
		end(t, s)
		t.Fatal("a server started on another version's data")
	}
	if errors.Is(err, ErrMissing) && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED, NOT TESTED: %v", err)
	}
	for _, want := range []string{"written by PostgreSQL 9", cluster, "pg_dumpall", "restore"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestServerThatDiesIsStartedAgain(t *testing.T) {
	t.Parallel()
	told := make(chan string, 10)
	s := begin(t, Config{Data: dataFolder(t), Notice: func(sentence string) { told <- sentence }})
	ask(t, s, `create table pebbles as select 7 as n`)
	pid := postmaster(s)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := <-told; !strings.Contains(got, "ended unexpectedly") {
		t.Errorf("told %q", got)
	}
	until(t, "it answers", func() bool { return ping(t.Context(), s.URL()) == nil })
	if got := ask(t, s, `select n from pebbles`); got != "7" {
		t.Errorf("after a crash the table holds %q", got)
	}
}

func TestKillAndRestart(t *testing.T) {
	t.Parallel()
	for _, profile := range []Profile{Durable, Test} {
		s := begin(t, Config{Profile: profile, Data: dataFolder(t)})
		url := s.URL()
		for i := range 3 {
			ask(t, s, fmt.Sprintf(`create table t%d ()`, i))
			if i > 0 {
				if err := s.Kill(); err != nil {
					t.Fatal(err)
				}
				if err := ping(t.Context(), url); err == nil {
					t.Error("a killed server answers")
				}
			}
			if err := s.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := ask(t, s, `select count(*) from pg_tables where schemaname = 'public'`); got != fmt.Sprint(i+1) {
				t.Errorf("profile %d: %s tables after restart %d", profile, got, i)
			}
		}
		if s.URL() != url {
			t.Errorf("the address was %s and is %s", url, s.URL())
		}
	}
}

func TestManyStartsHaveOneOwner(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	first := begin(t, Config{Data: data}) // skips the test without PostgreSQL
	end(t, first)
	servers := make([]*Server, 4)
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() {
			var err error
			if servers[i], err = Start(t.Context(), Config{Data: data}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	var owner *Server
	for _, s := range servers {
		defer end(t, s)
		ask(t, s, `select 1`)
		if !s.Joined() {
			if owner != nil {
				t.Error("two servers are owners")
			}
			owner = s
		}
	}
	if owner == nil {
		t.Fatal("no process owns the server")
	}
	for _, s := range servers {
		if s != owner {
			if err := s.Kill(); !errors.Is(err, errNotOurs) {
				t.Errorf("one that joined kills the server: %v", err)
			}
		}
	}

	ask(t, owner, `create table pebbles as select 7 as n`)
	url := owner.URL()
	end(t, owner)
	until(t, "another one takes over", func() bool {
		owners := 0
		for _, s := range servers {
			if s != owner && !s.Joined() {
				owners++
			}
		}
		return owners == 1 && ping(t.Context(), url) == nil
	})
	for _, s := range servers {
		if s != owner && ask(t, s, `select n from pebbles`) != "7" {
			t.Error("the server taken over has other data")
		}
	}
}

func TestNothingOutlivesAKilledOwner(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	s := begin(t, Config{Data: data})
	ask(t, s, `create table pebbles as select 7 as n`)
	end(t, s)

	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownEnv+"="+data)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var pid int
	if _, scanErr := fmt.Sscanf(line, "pid %d", &pid); err != nil || scanErr != nil {
		t.Fatalf("the owner said %q: %v", line, errors.Join(err, scanErr))
	}
	backends := children(pid)
	if len(backends) == 0 {
		t.Error("the server has no processes, so this test can't fail")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the owner was not killed")
	}

	// The new server starts at once, while processes and files of the old one still exist.
	s = begin(t, Config{Data: data})
	if got := ask(t, s, `select n from pebbles`); got != "7" {
		t.Errorf("after the owner was killed the table holds %q", got)
	}
	until(t, "the old server is gone", func() bool {
		for _, p := range append(backends, pid) {
			if alive(p) {
				return false
			}
		}
		return true
	})
}

func TestLeftoversAreNoHindrance(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	s := begin(t, Config{Data: data})
	socket := s.socket
	end(t, s)
	// A half-made cluster, and the files of a dead server with a pid that by now belongs to
	// another program.
	pid := fmt.Sprintf("%d\n%s\n0\n5432\n%s\n\n", os.Getpid(), s.folder.data(), socket)
	if err := os.MkdirAll(filepath.Join(s.folder.fresh(), "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(socket, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.account.own(socket); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(s.folder.data(), "postmaster.pid"), filepath.Join(socket, socketName+".lock")} {
		if err := os.WriteFile(path, []byte(pid), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.account.own(path); err != nil {
			t.Fatal(err)
		}
	}
	s = begin(t, Config{Data: data})
	if s.socket != socket {
		t.Errorf("the socket's folder was %s and is %s", socket, s.socket)
	}
	ask(t, s, `select 1`)
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := Start(ctx, Config{Data: data}); err == nil {
		end(t, s)
		t.Fatal("started although cancelled")
	}
	lock, err := lockfile.Take(folder(filepath.Join(data, "postgres")).lock())
	if err != nil || lock == nil {
		t.Fatalf("the folder is still locked: %v", err)
	}
	lock.Close()
}

func TestServerBeginsWithACopy(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "cluster") // its user need not be able to enter the folder
	first := begin(t, Config{Profile: Test})
	ask(t, first, `create table pebbles as select 7 as n`)
	if err := first.CopyTo(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	ask(t, first, `update pebbles set n = 8`)
	for _, n := range []string{"9", "10"} {
		s := begin(t, Config{Profile: Test, Copy: kept})
		if got := ask(t, s, `select n from pebbles`); got != "7" {
			t.Errorf("the copy holds %q, want 7", got)
		}
		ask(t, s, `update pebbles set n = `+n)
	}
	if got := ask(t, first, `select n from pebbles`); got != "8" {
		t.Errorf("the first server holds %q, want 8", got)
	}
}
