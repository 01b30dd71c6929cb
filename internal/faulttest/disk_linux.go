package faulttest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A Disk is a small one of a test's own, which can be full.
type Disk struct {
	Path string
	t    testing.TB
}

// NewDisk mounts one of so many bytes; it goes with the test. Where that may not be
// done the test is skipped.
func NewDisk(t testing.TB, size string) *Disk {
	t.Helper()
	d := &Disk{Path: t.TempDir(), t: t}
	if err := syscall.Mount("tmpfs", d.Path, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("SKIPPED, NOT TESTED: a disk of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.Path, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *Disk) filler() string { return filepath.Join(d.Path, "filler") }

// Fill leaves no room on it.
func (d *Disk) Fill() {
	d.t.Helper()
	file, err := os.OpenFile(d.filler(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	for size := 1 << 20; size > 0; {
		n, err := file.Write(make([]byte, size))
		if errors.Is(err, syscall.ENOSPC) && n == 0 {
			size /= 2
		}
	}
	if err := file.Close(); err != nil {
		d.t.Fatal(err)
	}
}

// Free makes room on it again.
func (d *Disk) Free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}
