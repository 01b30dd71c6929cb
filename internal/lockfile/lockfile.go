// Package lockfile lets one process at a time use a data folder or a river DB. The kernel
// holds the lock and releases it when the process ends, even by a kill, so no lock is left
// to clean up. The file stays. Its text may say which process has the lock.
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

// Take locks the file at a path, and creates a missing file. It returns nil, and no error, if
// another process, or another part of this one, has the lock.
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

// Path returns the path of the locked file.
func (l *Lock) Path() string { return l.file.Name() }

// Write replaces the text of the file.
func (l *Lock) Write(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(text), 0)
	return err
}

// Close releases the lock. It does nothing for a nil lock.
func (l *Lock) Close() error {
	if l == nil {
		return nil
	}
	// Closing the file alone would not release the lock: a child process that is being started
	// has the file open too, until it executes its program.
	unlocked := syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	return errors.Join(unlocked, l.file.Close())
}

// Text returns the text of the lock file at a path.
func Text(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, textLimit))
	return string(text), err
}
