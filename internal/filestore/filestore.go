// Package filestore keeps files under names by their content: in a folder ([Folder]), or in a
// bucket of an S3-compatible server ([S3]).
//
// The name of a file is the hash of its bytes. So the same bytes are kept once, under one name,
// and the bytes of a name never change. A store has all of a file or nothing: a process that dies,
// an upload that breaks off and a full disk leave nothing.
//
// The package knows no people and no posts. The caller decides which files are still needed, and
// must not call Put and Remove for one name at the same time: if the file is removed last, the bytes
// that were just put are lost.
package filestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"
)

// The errors of a store that a caller tells apart.
var (
	ErrNotFound = fmt.Errorf("the store has no such file: %w", fs.ErrNotExist)
	ErrTooLarge = errors.New("the file has more bytes than are allowed")
	ErrDamaged  = errors.New("the file has other bytes than its name says")
)

// A Name is the SHA-256 of a file's bytes.
type Name [sha256.Size]byte

// String returns the name as 64 hexadecimal digits.
func (n Name) String() string { return hex.EncodeToString(n[:]) }

// ParseName reads a name from what [Name.String] returns.
func ParseName(text string) (Name, error) {
	var n Name
	if len(text) != hex.EncodedLen(len(n)) {
		return Name{}, fmt.Errorf("%q is no name of a file: a name has %d digits", text, hex.EncodedLen(len(n)))
	}
	if _, err := hex.Decode(n[:], []byte(text)); err != nil {
		return Name{}, fmt.Errorf("%q is no name of a file: %w", text, err)
	}
	if n.String() != text { // each file has exactly one name, in small letters
		return Name{}, fmt.Errorf("%q is no name of a file: a name has no capital letters", text)
	}
	return n, nil
}

// Info holds what the store knows about a file.
type Info struct {
	Name Name
	Size int64
	Put  time.Time // when the file was last put; by the clock of the store
}

// A File is a file that is open for reading. It can be read from any position.
type File interface {
	io.ReadSeekCloser
	Info() Info
}

// A Store keeps files. Its methods may be called at the same time, by several processes.
type Store interface {
	// Put keeps the bytes of a reader, at most so many, and returns once the file would
	// survive a loss of power. Putting the same bytes again renews the time of the file.
	Put(ctx context.Context, from io.Reader, most int64) (Info, error)
	// Open opens a file for reading, until its context ends. It returns [ErrNotFound] for a
	// missing file.
	Open(ctx context.Context, name Name) (File, error)
	// Remove removes a file. A missing file is no error.
	Remove(ctx context.Context, name Name) error
	// List yields all files, in any order. It may yield files that are put or removed meanwhile.
	// It ends after an error.
	List(ctx context.Context) iter.Seq2[Info, error]
	// Close ends the use of the store by this process.
	Close() error
}

// Has reports whether the store has a file.
func Has(ctx context.Context, store Store, name Name) (bool, error) {
	file, err := store.Open(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, file.Close()
}

// Verify reads a file and returns [ErrDamaged] if its bytes do not match its name.
func Verify(ctx context.Context, store Store, name Name) (err error) {
	file, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	if _, err := io.Copy(hash, steady{ctx, file}); err != nil {
		return err
	}
	if found := Name(hash.Sum(nil)); found != name {
		return fmt.Errorf("%w: %s has the bytes of %s", ErrDamaged, name, found)
	}
	return nil
}

// spool writes the bytes of a reader to a file, and returns the file's name.
func spool(ctx context.Context, to io.Writer, from io.Reader, most int64) (Info, error) {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, hash), io.LimitReader(steady{ctx, from}, most+1))
	if err != nil {
		return Info{}, err
	}
	if n > most {
		return Info{}, fmt.Errorf("%w: %d", ErrTooLarge, most)
	}
	return Info{Name: Name(hash.Sum(nil)), Size: n}, nil
}

// steady reads until its context ends.
type steady struct {
	ctx  context.Context
	from io.Reader
}

// Read implements [io.Reader].
func (s steady) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}
