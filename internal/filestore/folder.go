package filestore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"amstel.dev/amstel/internal/lockfile"
)

// A Folder keeps files in a folder of the file system, which several processes may share.
//
// A file is in one of 256 folders, by the first byte of its name. An unfinished file is in a
// folder of the process that writes it, below "new": a lock tells whether the process still lives,
// and the next process that opens the store removes the unfinished files of a dead one.
type Folder struct {
	path string
	own  string // below "new"
	lock *lockfile.Lock
}

// lockName is the lock in the folder of a process.
const lockName = "lock"

// OpenFolder opens a store in a folder, and makes the folder if it is missing.
func OpenFolder(path string) (*Folder, error) {
	if err := prepare(path); err != nil {
		return nil, fmt.Errorf("open the file store: %w", err)
	}
	if err := removeDead(filepath.Join(path, "new")); err != nil {
		return nil, fmt.Errorf("remove unfinished files of the file store: %w", err)
	}
	for {
		own := filepath.Join(path, "new", rand.Text())
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, err
		}
		lock, err := lockfile.Take(filepath.Join(own, lockName))
		if err == nil && lock != nil {
			if _, err = os.Stat(lock.Path()); err == nil {
				return &Folder{path, own, lock}, nil
			}
			_ = lock.Close() // of a file that is gone
		}
		// Another process that opens the store removed the folder as abandoned.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// prepare creates the folders of a store, and syncs them so that they survive a loss of power.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Join(path, "new"), 0o700); err != nil {
		return err
	}
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(path, fmt.Sprintf("%02x", i)), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return errors.Join(syncFolder(path), syncFolder(filepath.Dir(path)))
}

// removeDead removes the folders of processes that are gone.
func removeDead(path string) error {
	folders, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		left := filepath.Join(path, folder.Name())
		lock, err := lockfile.Take(filepath.Join(left, lockName))
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process removed it
		}
		if err != nil {
			return err
		}
		if lock == nil {
			continue // its process lives
		}
		if err := errors.Join(os.RemoveAll(left), lock.Close()); err != nil {
			return err
		}
	}
	return nil
}

// syncFolder syncs a folder, so that the names in it survive a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// pathOf returns the path of a file.
func (f *Folder) pathOf(name Name) string {
	text := name.String()
	return filepath.Join(f.path, text[:2], text)
}

// Put implements [Store].
func (f *Folder) Put(ctx context.Context, from io.Reader, most int64) (_ Info, err error) {
	part, err := os.CreateTemp(f.own, "")
	if err != nil {
		return Info{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, part.Close(), os.Remove(part.Name()))
		}
	}()
	info, err := spool(ctx, part, from, most)
	if err != nil {
		return Info{}, err
	}
	if err := part.Sync(); err != nil {
		return Info{}, err
	}
	stat, err := part.Stat()
	if err != nil {
		return Info{}, err
	}
	info.Put = stat.ModTime()
	path := f.pathOf(info.Name)
	if err := os.Rename(part.Name(), path); err != nil {
		return Info{}, err
	}
	// The file exists from here on, so an error means only that the file might not survive a
	// crash.
	return info, errors.Join(part.Close(), syncFolder(filepath.Dir(path)))
}

// Open implements [Store].
func (f *Folder) Open(_ context.Context, name Name) (File, error) {
	file, err := os.Open(f.pathOf(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	stat, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &opened{file, Info{name, stat.Size(), stat.ModTime()}}, nil
}

// opened is an open file of the store with its size and time.
type opened struct {
	io.ReadSeekCloser
	info Info
}

// Info implements [File].
func (o *opened) Info() Info { return o.info }

// Remove implements [Store].
func (f *Folder) Remove(_ context.Context, name Name) error {
	path := f.pathOf(name)
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syncFolder(filepath.Dir(path)))
}

// List implements [Store]. It ignores everything whose name is not a [Name].
func (f *Folder) List(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for i := range 256 {
			entries, err := os.ReadDir(filepath.Join(f.path, fmt.Sprintf("%02x", i)))
			if err = errors.Join(ctx.Err(), err); err != nil {
				yield(Info{}, err)
				return
			}
			for _, entry := range entries {
				name, err := ParseName(entry.Name())
				if err != nil {
					continue
				}
				stat, err := entry.Info()
				if errors.Is(err, fs.ErrNotExist) {
					continue // removed meanwhile
				}
				if err != nil {
					yield(Info{}, err)
					return
				}
				if !yield(Info{name, stat.Size(), stat.ModTime()}, nil) {
					return
				}
			}
		}
	}
}

// Close implements [Store].
func (f *Folder) Close() error { return errors.Join(os.RemoveAll(f.own), f.lock.Close()) }
