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

// killEnv names the point at which a process kills itself: as soon as it comes there
// once it was sent SIGUSR1, or, after "at once: ", as soon as it comes there at all.
const killEnv = "AMSTEL_TEST_KILL"

const killAtOnce = "at once: "

// mayKillItself has this process do so, if its environment says so. It dies as by a
// power cut: nothing is written, closed or said.
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
			select {} // it does not come back
		}
	}
}

// A killable is an amstel in a process of its own, which may kill itself.
type killable struct {
	t    *testing.T
	cmd  *exec.Cmd
	said written // to its log
	url  string  // where it serves, if it does
	died chan error
}

// startKillable starts one that dies where it is told to be, if that is anywhere; a node is
// waited for until it serves.
func startKillable(t *testing.T, where string, args ...string) *killable {
	t.Helper()
	m := &killable{t: t, cmd: exec.Command(os.Args[0], args...), died: make(chan error, 1)}
	m.cmd.Env = append(os.Environ(), mainEnv+"=1", killEnv+"="+where, "DATABASE_URL=")
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
			t.Logf("%q says:\n%.8000s", args, m.said.String())
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
	if err != nil && !strings.HasPrefix(where, killAtOnce) {
		t.Fatalf("amstel %q: %s", args, m.said.String())
	}
	m.url = strings.TrimSpace(line)
	return m
}

// arm has it die where it is to, from now on.
func (m *killable) arm() {
	m.t.Helper()
	if err := m.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		m.t.Fatal(err)
	}
}

// waitKilled waits until it has killed itself.
func (m *killable) waitKilled() {
	m.t.Helper()
	select {
	case err := <-m.died:
		m.died <- err
		exit, is := errors.AsType[*exec.ExitError](err)
		if !is || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			m.t.Fatalf("it did not kill itself: %v: %s", err, m.said.String())
		}
	case <-time.After(time.Minute):
		m.t.Fatalf("it never came to where it was to die: %s", m.said.String())
	}
}

// kill ends it at once, if it lives.
func (m *killable) kill() {
	_ = m.cmd.Process.Kill() // it may be dead already
	m.died <- <-m.died
}
