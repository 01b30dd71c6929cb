package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"amstel.dev/amstel/internal/lockfile"
)

// A Server is a running private PostgreSQL. This process owns it, or has joined the server of
// another process.
type Server struct {
	config   Config
	folder   folder
	account  *account
	programs programs
	socket   string

	// life ends when Stop begins. kept is closed when the goroutine of keep, which only a
	// durable server has, has ended.
	life  context.Context
	leave context.CancelFunc
	kept  chan struct{}

	mu      sync.Mutex     // guards the fields below, and is held while the server starts or stops
	lock    *lockfile.Lock // nil if this process has joined
	process *process       // nil before the first start, and if this process has joined
	down    bool           // Kill stopped the server, so keep must not start it
}

// watchEvery is the time between two checks of a durable server.
const watchEvery = 200 * time.Millisecond

// Start starts a private PostgreSQL, or joins the one that another process runs on the same
// folder. It returns when the server answers.
func Start(ctx context.Context, config Config) (*Server, error) {
	s := &Server{config: config}
	s.life, s.leave = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.start(ctx); err != nil {
		s.leave()
		return nil, fmt.Errorf("private PostgreSQL: %w", err)
	}
	return s, nil
}

func (s *Server) start(ctx context.Context) (err error) {
	if s.config.Profile == Test {
		if s.programs, err = find(ctx, s.config.Programs, 0); err != nil {
			return err // before anything is made
		}
		s.folder, s.account, err = scratchFolder()
		s.socket = string(s.folder) // short, and of its own already
	} else {
		s.folder, s.account, err = keptFolder(s.config)
	}
	if err != nil {
		return err
	}
	if err := s.enter(ctx); err != nil {
		_ = s.Stop() // the folder is left as a crash would leave it
		return err
	}
	if s.config.Profile == Durable {
		s.kept = make(chan struct{})
		go s.supervise()
	}
	return nil
}

// enter registers this process as the owner, or joins the server of the present owner, whichever
// succeeds first.
func (s *Server) enter(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if err := s.takeLock(); err != nil {
			return err
		}
		if s.lock != nil {
			return s.launch(ctx)
		}
		joined, err := s.join(ctx)
		if err != nil {
			return err
		}
		if joined {
			return nil
		}
		if err := pause(ctx); err != nil {
			owner, _ := readState(s.folder)
			return fmt.Errorf("%s is in use by process %d, whose server does not answer: %w", s.folder, owner.Owner, err)
		}
	}
}

// takeLock takes the lock and sets s.lock, unless another process has the lock.
func (s *Server) takeLock() error {
	lock, err := lockfile.Take(s.folder.lock())
	if err != nil || lock == nil {
		return err
	}
	if err := s.account.own(lock.Path()); err != nil {
		return errors.Join(err, lock.Close())
	}
	s.lock = lock
	return nil
}

// join uses the owner's server, if that answers.
func (s *Server) join(ctx context.Context) (bool, error) {
	state, err := readState(s.folder)
	if err != nil || state.Socket == "" {
		return false, err
	}
	if err := ping(ctx, connString(state.Socket, Database)); err != nil {
		return false, nil
	}
	s.socket = state.Socket
	return true, nil
}

// supervise restarts a dead server, and takes over a server whose owner has left.
func (s *Server) supervise() {
	defer close(s.kept)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	told := ""
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
		err := s.revive()
		if err != nil && err.Error() != told && s.life.Err() == nil {
			told = err.Error()
			s.config.notice("PostgreSQL can't be started again: " + told)
		}
		if err == nil {
			told = ""
		}
	}
}

func (s *Server) revive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return nil
	}
	if s.lock != nil {
		if s.process != nil && !s.process.ended() {
			return nil
		}
		s.config.notice("PostgreSQL ended unexpectedly: starting it again.")
		return s.launch(s.life)
	}
	if err := s.takeLock(); err != nil || s.lock == nil {
		return err
	}
	return s.launch(s.life)
}

// URL returns the address of the server's database: "amstel", or for a test server
// "postgres". It stays the same as long as the Server lives. Both libpq and pgx can read it.
func (s *Server) URL() string {
	if s.config.Profile == Test {
		return connString(s.socket, "postgres")
	}
	return connString(s.socket, Database)
}

// Joined reports whether another process owns the server.
func (s *Server) Joined() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lock == nil
}

// Folder returns the folder with the server's data and its log.
func (s *Server) Folder() string { return string(s.folder) }

// Kill kills the server and all its backends without warning, for tests. The server stays down
// until Restart.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return errNotOurs
	}
	s.down = true
	backends := children(s.process.pid)
	s.process.signal(syscall.SIGKILL)
	<-s.process.done
	for _, pid := range backends {
		_ = syscall.Kill(pid, syscall.SIGKILL) // fails if it ended by itself
		for alive(pid) {
			if err := pause(s.life); err != nil {
				return err
			}
		}
	}
	return nil
}

// Restart stops the server in fast mode, if it runs, and starts it again. It returns when the
// server answers.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return errNotOurs
	}
	s.halt()
	if err := s.launch(ctx); err != nil {
		return err
	}
	s.down = false
	return nil
}

// CopyTo stops the server the fast way, copies its cluster to a folder that does not exist, and
// starts the server again. Config.Copy names such a folder.
func (s *Server) CopyTo(ctx context.Context, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return errNotOurs
	}
	s.halt()
	if err := copyFolder(ctx, s.folder.data(), path); err != nil {
		return fmt.Errorf("copy the cluster: %w", err)
	}
	return s.launch(ctx)
}

var errNotOurs = errors.New("the server belongs to another process")

// Stop ends the use of the server. If this process is the owner, Stop disconnects all clients
// and stops the server cleanly; if other processes have joined, one of them starts it again.
func (s *Server) Stop() error {
	s.leave()
	if s.kept != nil {
		<-s.kept
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	s.down = true
	s.halt()
	var err error
	if s.config.Profile == Test {
		err = os.RemoveAll(string(s.folder))
	} else if s.socket != "" {
		err = os.RemoveAll(s.socket)
	}
	err = errors.Join(err, s.lock.Close())
	s.lock = nil
	if err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	return nil
}

// stopWithin is how long a fast stop, which writes a checkpoint, may take.
const stopWithin = time.Minute

// halt stops the postmaster of this process and waits for its end.
func (s *Server) halt() {
	if s.process == nil {
		return
	}
	s.process.signal(syscall.SIGINT) // "fast": SIGTERM would wait for clients
	select {
	case <-s.process.done:
	case <-time.After(stopWithin):
		s.process.signal(syscall.SIGQUIT) // the next start recovers
		<-s.process.done
	}
}

// relative returns a path relative to the working folder if it is inside that folder.
func relative(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}
