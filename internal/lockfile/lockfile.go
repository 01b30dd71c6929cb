// Package lockfile lets one process at a time have something: a data folder, a
// river DB. The lock is the kernel's and goes with the process, however that
// ends, so there is none to clean up; the file stays, and may say who has it.
package lockfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// textLimit is how much of a lock's text is read.
const textLimit = 64 << 10

// A Lock is held until it is closed.
type Lock struct{ file *os.File }

// Take locks the file at a path, which is made if it is not there. It returns
// nil, and no error, if another process has it, or another part of this one.
func Take(path string) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return &Lock{file}, nil
	}
	_ = file.Close() // nothing was written
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// Path is where the locked file is.
func (l *Lock) Path() string { return l.file.Name() }

// Say replaces the text of the file: what others should know of who has it.
func (l *Lock) Say(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(text), 0)
	return err
}

// Close gives the lock back. To close none, a nil one, does nothing.
func (l *Lock) Close() error {
	if l == nil {
		return nil
	}
	// To close the file alone would not do: a process that is being started has it
	// too, until it is another program.
	unlocked := syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	return errors.Join(unlocked, l.file.Close())
}

// Text is what the holder of the lock at a path last said.
func Text(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, textLimit))
	return string(text), err
}
