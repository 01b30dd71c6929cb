package pgserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/internal/disk"
	"amstel.dev/amstel/internal/lockfile"
)

// A folder has all files of one private server:
//
//	data/          the cluster, as initdb makes it
//	new/           a cluster that initdb has not finished
//	lock           locked by the owner
//	amstel.json    how to join the server, see [state]
//	postgres.log   the log of postgres
type folder string

func (f folder) data() string  { return filepath.Join(string(f), "data") }
func (f folder) fresh() string { return filepath.Join(string(f), "new") }
func (f folder) lock() string  { return filepath.Join(string(f), "lock") }
func (f folder) state() string { return filepath.Join(string(f), "amstel.json") }
func (f folder) log() string   { return filepath.Join(string(f), "postgres.log") }

// major returns the version that wrote the cluster, or 0 without a cluster.
func (f folder) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(f.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("version of the cluster in %s: %w", f, err)
	}
	return major, nil
}

// keptFolder creates the folder of a durable server in c.Data, or elsewhere if the server's
// account can't enter c.Data.
func keptFolder(c Config) (folder, *account, error) {
	if c.Data == "" {
		return "", nil, errors.New("no data folder is named")
	}
	home, err := filepath.Abs(c.Data)
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", nil, err
	}
	f := folder(filepath.Join(home, "postgres"))
	who, err := accountFor(string(f))
	if err != nil {
		return "", nil, err
	}
	ok, err := who.enters(home)
	if err != nil {
		return "", nil, err
	}
	if !ok {
		other := filepath.Join(c.fallbackData(), nickname(home))
		c.notice(fmt.Sprintf("User %s, who runs PostgreSQL, can't enter %s: the database is kept in %s.", who.name, home, other))
		if err := os.MkdirAll(other, 0o755); err != nil {
			return "", nil, err
		}
		f = folder(filepath.Join(other, "postgres"))
		if who, err = accountFor(string(f)); err != nil {
			return "", nil, err
		}
	}
	if err := os.Mkdir(string(f), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	return f, who, who.own(string(f))
}

// nickname returns a name for a folder that is readable, and different for each path.
func nickname(path string) string {
	sum := sha256.Sum256([]byte(path))
	return fmt.Sprintf("%s-%x", strings.ReplaceAll(strings.Trim(path, "/"), "/", "-"), sum[:4])
}

const (
	// scratchPrefix begins the names of the folders of test servers.
	scratchPrefix = "amstel-test-"
	// scratchRoom is the free space that a test server needs. The default memory file
	// system of a container, 64 MB, has room for little more than an empty cluster.
	scratchRoom = 1 << 30
	// scratchAge is the least age of a folder that counts as left behind. The owner of a younger
	// folder may not have locked it yet.
	scratchAge = time.Minute
)

// TempFolder returns the best folder for temporary data: in memory if there is room for the data
// of a server, else on disk.
func TempFolder() string {
	for _, place := range []string{"/dev/shm", os.TempDir()} {
		if free, _, err := disk.Space(place); err == nil && free >= scratchRoom {
			return place
		}
	}
	return "/tmp"
}

// scratchFolder creates a folder for a test server, and removes the folders of killed processes.
func scratchFolder() (folder, *account, error) {
	var errs []error
	for _, place := range []string{TempFolder(), "/tmp"} {
		sweep(place)
		path, err := os.MkdirTemp(place, scratchPrefix)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		account, err := accountFor(filepath.Join(path, "postgres")) // does not exist, so it has no owner
		if err == nil {
			err = account.own(path)
		}
		ok := false
		if err == nil {
			ok, err = account.enters(path)
		}
		if ok {
			return folder(path), account, nil
		}
		errs = append(errs, err, os.Remove(path))
	}
	return "", nil, fmt.Errorf("no place for a test database: %w", errors.Join(errs...))
}

// MakeFolder creates an empty folder that every user can enter, for the data of a test
// server. If the process is killed before it calls remove, the next test server removes the
// folder.
func MakeFolder() (path string, remove func() error, err error) {
	outer, err := os.MkdirTemp(TempFolder(), scratchPrefix)
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(outer, "var")
	lock, err := lockfile.Take(folder(outer).lock())
	remove = func() error { return errors.Join(os.RemoveAll(outer), lock.Close()) }
	if err == nil {
		err = os.Mkdir(path, 0o755)
	}
	for _, open := range []string{outer, path} { // the mode from Mkdir lacks the bits of the umask
		if err == nil {
			err = os.Chmod(open, 0o755)
		}
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return path, remove, nil
}

// copyFolder copies a folder. It runs programs, because Go would record a thousand files as
// inputs of the test, and compare them before it uses a cached result.
func copyFolder(ctx context.Context, from, to string) error {
	return run(ctx, "cp", "-R", "-p", from, to)
}

// run runs a program to its end.
func run(ctx context.Context, program string, args ...string) error {
	if out, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, bytes.TrimSpace(out))
	}
	return nil
}

// sweep removes folders that no process locks. It ignores errors: another user's folders are for
// that user to remove.
func sweep(place string) {
	left, _ := filepath.Glob(filepath.Join(place, scratchPrefix+"*"))
	for _, path := range left {
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) < scratchAge {
			continue
		}
		if lock, err := lockfile.Take(folder(path).lock()); err == nil && lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}
