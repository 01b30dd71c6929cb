package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// killEnv is the environment variable that names the point of the code at which a process kills
// itself: when it first reaches the point after SIGUSR1, or, with the prefix killAtOnce, when it
// first reaches the point.
const killEnv = "AMSTEL_TEST_KILL"

const killAtOnce = "at once: "

// mayKillItself makes this process kill itself with SIGKILL at the point in killEnv, if the
// variable is set. As in a power cut, nothing is written or closed afterwards.
func mayKillItself() {
	name, atOnce := strings.CutPrefix(os.Getenv(killEnv), killAtOnce)
	if name == "" {
		return
	}
	var armed atomic.Bool
	armed.Store(atOnce)
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	go func() {
		<-told
		armed.Store(true)
	}()
	reached = func(point string) {
		if point == name && armed.Load() {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the goroutine must not go on before the signal arrives
		}
	}
}

// A killable is an amstel in a process of its own that may kill itself, if the test binary is its program.
type killable struct {
	t    *testing.T
	cmd  *exec.Cmd
	said written // its log
	url  string  // the address of a node; empty for cron
	died chan error
}

// startKillable starts a process that kills itself at a point, or nowhere if the point is empty. It
// waits until a node serves, unless the node is to kill itself at once. The process is killed when
// the test ends.
func startKillable(t *testing.T, point string, args ...string) *killable {
	t.Helper()
	return startProgram(t, os.Args[0], point, args...)
}

// startProgram is startKillable for any program.
func startProgram(t *testing.T, program, point string, args ...string) *killable {
	t.Helper()
	return startWith(t, nil, program, point, args...)
}

// startWith is startProgram with more variables of the environment.
func startWith(t *testing.T, environment []string, program, point string, args ...string) *killable {
	t.Helper()
	m := &killable{t: t, cmd: exec.Command(program, args...), died: make(chan error, 1)}
	m.cmd.Env = append(os.Environ(), mainEnv+"=1", killEnv+"="+point, "DATABASE_URL=", "AMSTEL_DATA="+t.TempDir())
	m.cmd.Env = append(m.cmd.Env, environment...)
	m.cmd.Stderr = &m.said
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if m.kill(); t.Failed() {
			t.Logf("the log of amstel %q:\n%.8000s", args, m.said.String())
		}
	})
	if args[0] == "cron" {
		go func() { m.died <- m.cmd.Wait() }()
		return m
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, out)
		m.died <- m.cmd.Wait()
	}()
	if err != nil && !strings.HasPrefix(point, killAtOnce) {
		t.Fatalf("amstel %q: %s", args, m.said.String())
	}
	m.url = strings.TrimSpace(line)
	return m
}

// arm sends SIGUSR1: the process kills itself when it next reaches its point.
func (m *killable) arm() {
	m.t.Helper()
	if err := m.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		m.t.Fatal(err)
	}
}

// waitKilled waits until the process has killed itself.
func (m *killable) waitKilled() {
	m.t.Helper()
	select {
	case err := <-m.died:
		m.died <- err
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			m.t.Fatalf("the process ended otherwise than by SIGKILL: %v: %s", err, m.said.String())
		}
	case <-time.After(time.Minute):
		m.t.Fatalf("the process did not reach its point in a minute: %s", m.said.String())
	}
}

// kill sends SIGKILL to a living process, and waits for its end.
func (m *killable) kill() {
	_ = m.cmd.Process.Kill() // the process may have ended
	m.died <- <-m.died
}
