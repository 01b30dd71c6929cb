package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// superuser is the one account of a private cluster. Every client of the socket is
	// trusted, because only the user of the server can reach the socket.
	superuser = "postgres"
	// socketName is the name of the socket at the default port, which connString uses.
	socketName = ".s.PGSQL.5432"
	// clearWithin is how long the backends of a killed server may take to end.
	clearWithin = 20 * time.Second
	// pollEvery is the time between two attempts to reach a server that starts.
	pollEvery = 10 * time.Millisecond
	// logLimit is the size at which a new log is begun.
	logLimit = 16 << 20
)

// connString returns the address of a database, for libpq and pgx.
func connString(socket, database string) string {
	return fmt.Sprintf("host=%s port=5432 user=%s dbname=%s", socket, superuser, database)
}

func ping(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// pause waits for pollEvery, or until the context ends.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollEvery):
		return nil
	}
}

// launch creates the cluster if there is none, starts the postmaster, and returns when the
// postmaster answers and the state is written for other processes.
func (s *Server) launch(ctx context.Context) error {
	major, err := s.folder.major()
	if err != nil {
		return err
	}
	if s.programs, err = find(ctx, s.config.Programs, major); err != nil {
		if e, ok := errors.AsType[*versionError](err); ok {
			e.folder = relative(s.folder.data())
		}
		return err
	}
	if major == 0 {
		if err := s.initdb(ctx); err != nil {
			return err
		}
	}
	before, err := readState(s.folder)
	if err != nil {
		return err
	}
	if err := s.chooseSocketFolder(before); err != nil {
		return err
	}
	deadline := time.Now().Add(clearWithin)
	for {
		if err := s.evict(ctx, before); err != nil {
			return err
		}
		err = s.boot(ctx)
		if err == nil || !errors.Is(err, errRemains) || time.Now().After(deadline) {
			break
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if s.config.Profile == Durable {
		if err := s.createDatabase(ctx); err != nil {
			return err
		}
	}
	return writeState(s.folder, s.account, state{Owner: os.Getpid(), Postmaster: s.process.pid, Socket: s.socket})
}

// chooseSocketFolder chooses the folder of the socket, once, because clients remember it.
func (s *Server) chooseSocketFolder(before state) error {
	if s.config.Profile == Test {
		return nil // chosen before, with the folder
	}
	known := s.socket
	if known == "" {
		known = before.Socket
	}
	socket, err := socketFolder(known, s.account)
	if err != nil {
		return err
	}
	switch s.socket {
	case "":
		s.socket = socket // never written again, so it is read without s.mu
	case socket:
	default:
		return errors.Join(fmt.Errorf("the socket's folder %s is no longer available", s.socket), os.Remove(socket))
	}
	return nil
}

// initdb creates the cluster, in a folder that gets its name when the cluster is complete.
func (s *Server) initdb(ctx context.Context) error {
	fresh := s.folder.fresh()
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if s.config.Copy != "" {
		if err := copyFolder(ctx, s.config.Copy, fresh); err != nil {
			return err
		}
		if err := s.account.ownAll(ctx, fresh); err != nil {
			return err
		}
		return os.Rename(fresh, s.folder.data())
	}
	// With --no-locale, or with an encoding other than UTF-8, PostgreSQL would not lower
	// the case of Russian, and searches would not find it.
	args := []string{"-D", fresh, "-U", superuser, "--auth-local=trust", "--auth-host=reject", "-E", "UTF8", "--locale=C.UTF-8"}
	if s.config.Profile == Test {
		args = append(args, "--no-sync")
	} else {
		args = append(args, "--data-checksums")
	}
	cmd := exec.CommandContext(ctx, s.programs.initdb, args...)
	cmd.Dir = string(s.folder)
	cmd.Env = environment()
	cmd.SysProcAttr = s.account.attributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return os.Rename(fresh, s.folder.data())
}

// environment returns the environment of PostgreSQL, without this process's variables: PGDATA,
// PGPORT and the like would mislead it.
func environment() []string {
	return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
}

// evict makes room for a postmaster in a folder that this process has locked. It stops the
// postmaster of a killed owner, and removes the pid file of a dead postmaster if another
// program has that pid by now.
func (s *Server) evict(ctx context.Context, before state) error {
	path := filepath.Join(s.folder.data(), "postmaster.pid")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	// The working folder of a postmaster is its data folder. If that can't be read,
	// PostgreSQL itself will find out whether the pid file is stale.
	cwd, cwdErr := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil || cwdErr == nil && cwd != s.folder.data() || !alive(pid) {
		return errors.Join(remove(path), remove(filepath.Join(s.socket, socketName+".lock")))
	}
	if pid == before.Postmaster && ping(ctx, connString(before.Socket, "postgres")) == nil {
		_ = syscall.Kill(pid, syscall.SIGINT) // fails if it ended just now
	}
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// errRemains reports that processes of an earlier server are still running.
var errRemains = errors.New("another server is still running on this data")

// boot starts the postmaster and waits for its first answer.
func (s *Server) boot(ctx context.Context) error {
	log, err := s.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	args := []string{"-D", s.folder.data(), "-k", s.socket, "-p", "5432"}
	for _, setting := range settings(s.config.Profile) {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command(s.programs.postgres, args...)
	cmd.Dir = string(s.folder)
	cmd.Env = environment()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = s.account.attributes()
	process, err := startProcess(cmd)
	if err != nil {
		return err
	}
	s.process = process
	for {
		if err = ping(ctx, connString(s.socket, "postgres")); err == nil {
			return nil
		}
		select {
		case <-process.done:
			return s.obituary(log, begin)
		case <-ctx.Done():
			s.halt()
			return fmt.Errorf("waiting for PostgreSQL to answer: %w (%w)", ctx.Err(), err)
		case <-time.After(pollEvery):
		}
	}
}

func (s *Server) openLog() (*os.File, error) {
	path := s.folder.log()
	if info, err := os.Stat(path); err == nil && info.Size() > logLimit {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if err := s.account.own(path); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return log, nil
}

// obituary returns why a postmaster did not start, from its log.
func (s *Server) obituary(log *os.File, begin int64) error {
	text, err := io.ReadAll(io.NewSectionReader(log, begin, 64<<10))
	if err != nil {
		return err
	}
	said := strings.TrimSpace(string(text))
	for _, sign := range []string{`lock file "postmaster.pid" already exists`, "pre-existing shared memory block", `lock file "` + s.socket} {
		if strings.Contains(said, sign) {
			return fmt.Errorf("%w; stop it first: %s", errRemains, said)
		}
	}
	return fmt.Errorf("postgres ended at once (%w): %s", s.process.err, said)
}

// createDatabase creates the database of a durable server, if it does not exist.
func (s *Server) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, connString(s.socket, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var exists bool
	const query = `select exists (select from pg_database where datname = $1)`
	if err := conn.QueryRow(ctx, query, Database).Scan(&exists); err != nil {
		return fmt.Errorf("looking for the database: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "create database "+Database); err != nil {
		return fmt.Errorf("creating the database: %w", err)
	}
	return nil
}
