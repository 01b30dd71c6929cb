package pgserver

import (
	"os/exec"
	"runtime"
	"syscall"
)

// A process is a running postmaster.
type process struct {
	pid int
	// done is closed when the process has ended; err then says how.
	done chan struct{}
	err  error
}

// startProcess starts cmd so that the new process gets SIGQUIT when this one ends, even by a
// kill. The kernel sends the signal when the starting thread ends, so a goroutine keeps the
// thread until the process has ended.
func startProcess(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = dieWithParent(cmd.SysProcAttr)
	p := &process{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			p.pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.done)
		}
	}()
	return p, <-started
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// signal sends a signal, unless the process has ended.
func (p *process) signal(sig syscall.Signal) {
	if !p.ended() {
		_ = syscall.Kill(p.pid, sig) // fails if it ended just now
	}
}
