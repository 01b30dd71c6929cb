package faulttest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A Disk is a small file system in memory, which a test can fill.
type Disk struct {
	Path string
	t    testing.TB
}

// NewDisk mounts a disk and unmounts it when the test ends. The size is as in mount
// options, such as "8m". The test is skipped where mounting is not allowed.
func NewDisk(t testing.TB, size string) *Disk {
	t.Helper()
	d := &Disk{Path: t.TempDir(), t: t}
	if err := syscall.Mount("tmpfs", d.Path, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("SKIPPED, NOT TESTED: mount a disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.Path, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

// filler returns the path of the file that takes the free space.
func (d *Disk) filler() string { return filepath.Join(d.Path, "filler") }

// Fill writes a file until no byte is free on the disk.
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

// Free removes the file that Fill wrote.
func (d *Disk) Free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}
