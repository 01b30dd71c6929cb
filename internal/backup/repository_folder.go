package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"amstel.dev/amstel/internal/filestore"
)

// A folder is a repository in a folder of the file system. Other users of the machine can't read it, because a dump has
// the hashes of passwords.
type folder struct {
	path  string
	files *filestore.Folder
}

// OpenFolder opens the repository in a folder. If create is set, a missing folder is made; else it is an error.
func OpenFolder(path string, create bool) (Repository, error) {
	if create {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("open the repository: %w", err)
		}
	} else if info, err := os.Stat(filepath.Join(path, filesFolder)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no repository of backups", path)
	}
	files, err := filestore.OpenFolder(filepath.Join(path, filesFolder))
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	return &folder{path, files}, nil
}

// Files implements [Repository].
func (f *folder) Files() filestore.Store { return f.files }

// Names implements [Repository].
func (f *folder) Names(context.Context) (names []string, err error) {
	entries, err := os.ReadDir(f.path) // in order
	for _, entry := range entries {
		if entry.IsDir() && IsName(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, err
}

// Put implements [Repository].
func (f *folder) Put(_ context.Context, backup, part string, from io.Reader) (err error) {
	dir := filepath.Join(f.path, backup)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	unfinished, err := os.CreateTemp(dir, "."+part+"-*") // its mode is 0600
	if err != nil {
		return err
	}
	if _, err = io.Copy(unfinished, from); err == nil {
		err = unfinished.Sync()
	}
	if err = errors.Join(err, unfinished.Close()); err == nil {
		err = os.Rename(unfinished.Name(), filepath.Join(dir, part))
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished.Name()))
	}
	return errors.Join(syncFolder(dir), syncFolder(f.path))
}

// syncFolder syncs a folder, so that the names in it survive a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Open implements [Repository].
func (f *folder) Open(_ context.Context, backup, part string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(f.path, backup, part))
}

// Remove implements [Repository].
func (f *folder) Remove(_ context.Context, backup string) error {
	dir := filepath.Join(f.path, backup)
	if err := os.Remove(filepath.Join(dir, partManifest)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := syncFolder(dir); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), syncFolder(f.path))
}

// Close implements [Repository].
func (f *folder) Close() error { return f.files.Close() }
