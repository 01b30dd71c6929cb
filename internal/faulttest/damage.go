package faulttest

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"
)

// A Damage is one way to damage the file of a river DB, or the files of SQLite beside the file.
type Damage struct {
	Name string
	Do   func(path string) error
}

// Damages returns each damage that a node must survive, while the node runs and before it
// starts.
func Damages() []Damage {
	return []Damage{
		{"deleted", func(path string) error { return remove(path, path+"-wal", path+"-shm") }},
		{"deleted alone", func(path string) error { return remove(path) }},
		{"truncated", func(path string) error { return os.Truncate(path, 0) }},
		{"truncated to half", func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2)
		}},
		{"overwritten with noise", func(path string) error { return noise(path, 0) }},
		{"noise in the middle", func(path string) error { return noise(path, 2) }},
		{"replaced by noise", func(path string) error {
			if err := os.WriteFile(path+".new", []byte("this is no database, and long enough to be none"), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}},
		{"its log deleted", func(path string) error { return remove(path + "-wal") }},
		{"its index deleted", func(path string) error { return remove(path + "-shm") }},
		{"both deleted", func(path string) error { return remove(path+"-wal", path+"-shm") }},
		{"its log noise", func(path string) error { return ignoreMissing(noise(path+"-wal", 0)) }},
		{"its log truncated", func(path string) error { return ignoreMissing(os.Truncate(path+"-wal", 4096)) }},
	}
}

func remove(paths ...string) error {
	for _, path := range paths {
		if err := ignoreMissing(os.Remove(path)); err != nil {
			return err
		}
	}
	return nil
}

// ignoreMissing returns nil for the error that a file does not exist: the missing file is damage
// enough.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// noise overwrites a file in place with random bytes, from size/part on; with part 0, all of it.
func noise(path string, part int64) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	from := int64(0)
	if part != 0 {
		from = info.Size() / part
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, info.Size()-from)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	_, err = file.WriteAt(text, from)
	return errors.Join(err, file.Close())
}

// CopyRiverDB copies the files of a river DB to another path, as a snapshot of the disk
// would: without asking SQLite.
func CopyRiverDB(t testing.TB, from, to string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		text, err := os.ReadFile(from + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			err = remove(to + suffix)
		} else if err == nil {
			err = os.WriteFile(to+suffix, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
