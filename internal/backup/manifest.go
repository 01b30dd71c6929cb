package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"time"
)

// format is the version of the form of backups that this program writes, and the newest that it reads.
const format = 1

// A Manifest describes a finished backup.
type Manifest struct {
	Format   int       `json:"format"`
	Version  string    `json:"version"` // of the program
	Schema   int64     `json:"schema"`  // the newest migration of the primary
	Site     string    `json:"site"`    // the id of the site
	Address  string    `json:"address,omitempty"`
	At       time.Time `json:"at"`       // when the snapshot was taken, by the clock of the primary
	Postgres int       `json:"postgres"` // the major version of the primary
	Dump     Part      `json:"dump"`
	List     Part      `json:"list"` // the list of the files
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`             // the size of the files
	Missing  []Missing `json:"missing,omitempty"` // the files that rows name and that the backup lacks
}

// Size returns the size of the backup with all its files, of which other backups may have some too.
func (m *Manifest) Size() int64 { return m.Dump.Size + m.List.Size + m.Bytes }

// A Part is the size and the checksum of a part of a backup.
type Part struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A Missing is a file that a row of the snapshot names and that could not be copied.
type Missing struct {
	File    string `json:"file"`
	By      string `json:"by"`      // the row, in words
	Damaged bool   `json:"damaged"` // the file store has other bytes under the name
	Deleted bool   `json:"deleted"` // no row names the file any more: it was deleted while the backup was made
}

// String says what is wrong with the file.
func (m Missing) String() string {
	switch {
	case m.Deleted:
		return fmt.Sprintf("file %s was deleted during the backup: %s", m.File, m.By)
	case m.Damaged:
		return fmt.Sprintf("file %s is damaged: %s", m.File, m.By)
	}
	return fmt.Sprintf("file %s is missing: %s", m.File, m.By)
}

// ErrUnfinished reports a backup without a manifest.
var ErrUnfinished = errors.New("the backup is not finished")

// Read reads the manifest of a backup.
func Read(ctx context.Context, from Repository, name string) (_ *Manifest, err error) {
	file, err := from.Open(ctx, name, partManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrUnfinished
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var m Manifest
	if err := json.NewDecoder(file).Decode(&m); err != nil {
		return nil, fmt.Errorf("the manifest of %s can't be read: %w", name, err)
	}
	if m.Format < 1 || m.Format > format {
		return nil, fmt.Errorf("%s has the format %d, and this program reads formats up to %d: use amstel %s or later", name, m.Format, format, m.Version)
	}
	return &m, nil
}

// write writes a manifest, and so finishes its backup.
func (m *Manifest) write(ctx context.Context, to Repository, name string) error {
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	return to.Put(ctx, name, partManifest, bytes.NewReader(append(text, '\n')))
}

// A summer counts and hashes the bytes that pass through it.
type summer struct {
	hash hash.Hash
	size int64
}

func newSummer() *summer { return &summer{hash: sha256.New()} }

// Write implements [io.Writer].
func (s *summer) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	return s.hash.Write(b)
}

func (s *summer) part() Part { return Part{s.size, hex.EncodeToString(s.hash.Sum(nil))} }

// putSummed writes a part of a backup, and returns its size and checksum.
func putSummed(ctx context.Context, to Repository, name, part string, from io.Reader) (Part, error) {
	sum := newSummer()
	err := to.Put(ctx, name, part, io.TeeReader(from, sum))
	return sum.part(), err
}
