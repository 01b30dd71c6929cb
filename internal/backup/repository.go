package backup

import (
	"context"
	"io"
	"strings"
	"time"

	"amstel.dev/amstel/internal/filestore"
)

// A Repository keeps the backups of one site. Only one process at a time may write to it.
type Repository interface {
	// Files returns the store of the files of all backups.
	Files() filestore.Store
	// Names returns the names of all backups, finished or not, the oldest first.
	Names(ctx context.Context) ([]string, error)
	// Put writes a part of a backup: whole, and so that it survives a loss of power, or not at all.
	Put(ctx context.Context, backup, part string, from io.Reader) error
	// Open opens a part of a backup for reading. A missing part is [io/fs.ErrNotExist].
	Open(ctx context.Context, backup, part string) (io.ReadCloser, error)
	// Remove removes a backup but for its files, and the manifest first.
	Remove(ctx context.Context, backup string) error
	// Close ends the use of the repository.
	Close() error
}

// The parts of a backup.
const (
	partDump     = "database.dump"
	partFiles    = "files.txt"
	partManifest = "manifest.json"
)

// filesFolder is the name of the store of the files in a repository.
const filesFolder = "files"

// nameForm is the form of the name of a backup, which is the time of its beginning.
const nameForm = "20060102T150405Z"

// IsName reports whether a text is the name of a backup.
func IsName(text string) bool {
	at, err := time.Parse(nameForm, text)
	return err == nil && at.Format(nameForm) == text
}

// Split divides the address of a backup into the address of its repository and its name. ok is false if the address
// does not end in the name of a backup.
func Split(address string) (repository, name string, ok bool) {
	address = strings.TrimRight(address, "/")
	at := strings.LastIndexByte(address, '/')
	repository, name = address[:at+1], address[at+1:]
	if at < 0 {
		repository = "."
	}
	return repository, name, IsName(name)
}
