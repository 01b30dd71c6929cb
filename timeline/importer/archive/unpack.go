package archive

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Limits bound the reading of an archive, so that a small file that unpacks to a huge one does no
// harm. Zero means the default, which the comments give.
type Limits struct {
	Files int   // files in the archive; 500,000
	Bytes int64 // bytes of all files, unpacked; 20 GiB
	Page  int64 // bytes of one page; 256 MiB
}

func (l *Limits) setDefaults() {
	if l.Files == 0 {
		l.Files = 500_000
	}
	if l.Bytes == 0 {
		l.Bytes = 20 << 30
	}
	if l.Page == 0 {
		l.Page = 256 << 20
	}
}

// An Archive is an open archive; see [Open].
type Archive struct {
	// Root is the folder with the files of the archive.
	Root *os.Root

	limits  Limits
	pages   []string // the files that are JSON, sorted by folder
	skipped Skipped
	remove  string // a temporary folder; empty: Root is not temporary
}

// ErrUnknown reports that a file is no archive of a known format. The file may contain lines of
// an import.
var ErrUnknown = errors.New("not an archive of a known format")

// A LimitError reports that an archive is too large to be read.
type LimitError struct{ what string }

func (e *LimitError) Error() string { return "the archive has " + e.what }

// Open opens an archive: a folder, or a file, which Open unpacks into a temporary folder. The
// caller closes the Archive.
func Open(name string, limits Limits) (_ *Archive, err error) {
	limits.setDefaults()
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{limits: limits, skipped: Skipped{}}
	if info.IsDir() {
		if a.Root, err = os.OpenRoot(name); err != nil {
			return nil, err
		}
		return a, a.closeIf(a.find())
	}
	unpack, err := a.unpackerOf(name)
	if err != nil {
		return nil, err
	}
	if a.remove, err = os.MkdirTemp("", "amstel-archive-*"); err != nil {
		return nil, err
	}
	if a.Root, err = os.OpenRoot(a.remove); err != nil {
		return nil, errors.Join(err, os.RemoveAll(a.remove))
	}
	if err := unpack(); err != nil {
		return a, a.closeIf(err)
	}
	return a, a.closeIf(a.find())
}

// closeIf closes the archive if there is an error, and returns the error.
func (a *Archive) closeIf(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, a.Close())
}

// Close closes the archive, and removes the unpacked files.
func (a *Archive) Close() error {
	err := a.Root.Close()
	if a.remove != "" {
		err = errors.Join(err, os.RemoveAll(a.remove))
	}
	return err
}

// unpackerOf returns the function that unpacks a file. The first bytes of the file tell its format.
// It returns [ErrUnknown] for a file of an unknown format.
func (a *Archive) unpackerOf(name string) (func() error, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := bufio.NewReaderSize(file, 64<<10)
	begins, err := head.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(begins, []byte("PK\x03\x04")):
		return func() error { return a.unzip(name) }, nil
	case bytes.HasPrefix(begins, []byte{0x1f, 0x8b}):
		packed, err := gzip.NewReader(head)
		if err != nil {
			return nil, ErrUnknown
		}
		if inside := bufio.NewReaderSize(packed, 1024); isTar(inside) {
			return func() error { return a.untar(name, true) }, nil
		}
		return nil, ErrUnknown
	case isTar(head):
		return func() error { return a.untar(name, false) }, nil
	}
	if !isPage(head) {
		return nil, ErrUnknown
	}
	return func() error {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		left := a.limits.Bytes
		return a.keep(strings.TrimSuffix(filepath.Base(name), ".json")+".json", file, &left)
	}, nil
}

// isTar reports whether a file begins with the header of a tar file.
func isTar(r *bufio.Reader) bool {
	head, _ := r.Peek(262)
	return len(head) == 262 && string(head[257:]) == "ustar"
}

// pageKeys are the keys with which a page of a known format may begin. No line of an import
// begins with one of them.
var pageKeys = []string{
	"entries", "river", "users", "groups", "comments", "comments_count", "older_entries_url", "precise_older_entries_url", "newer_entries_url", "posts", "timelines",
	"subscriptions", "group_subscriptions", "subscribers", "banned_subscribers", "admins", "isLastPage", "attachments", "@context", "orderedItems",
}

// isPage reports whether a file is one JSON object, and not a line of an import.
func isPage(r *bufio.Reader) bool {
	decoder := json.NewDecoder(r)
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	key, err := decoder.Token()
	if err != nil || key == "type" {
		return false
	}
	first, is := key.(string)
	return is && slices.Contains(pageKeys, first)
}

// unzip unpacks a zip file.
func (a *Archive) unzip(name string) error {
	r, err := zip.OpenReader(name)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // keep leaves out such paths
		return fmt.Errorf("unpack: %w", err)
	}
	defer r.Close()
	if len(r.File) > a.limits.Files {
		return &LimitError{fmt.Sprintf("more than %d files", a.limits.Files)}
	}
	left := a.limits.Bytes
	for _, f := range r.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if !f.Mode().IsRegular() {
			a.skipped.add("file", "no regular file")
			continue
		}
		content, err := f.Open()
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		err = errors.Join(a.keep(f.Name, content, &left), content.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

// untar unpacks a tar file, which may be compressed.
func (a *Archive) untar(name string, compressed bool) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var plain io.Reader = bufio.NewReader(file)
	if compressed {
		if plain, err = gzip.NewReader(plain); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
	}
	left, r := a.limits.Bytes, tar.NewReader(plain)
	for files := 0; ; files++ {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("unpack: %w", err)
		}
		switch {
		case files == a.limits.Files:
			return &LimitError{fmt.Sprintf("more than %d files", a.limits.Files)}
		case header.Typeflag == tar.TypeReg:
			if err := a.keep(header.Name, r, &left); err != nil {
				return err
			}
		case header.Typeflag != tar.TypeDir && header.Typeflag != tar.TypeXGlobalHeader:
			a.skipped.add("file", "no regular file")
		}
	}
}

// keep writes a file of the archive into the folder. It leaves out, and counts, a file whose path
// leads out of the folder, or was there before. left is how many bytes may still be unpacked.
func (a *Archive) keep(name string, content io.Reader, left *int64) error {
	name = strings.TrimPrefix(name, "./")
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || len(name) > 1000 {
		a.skipped.add("file", "its path leads out of the archive")
		return nil
	}
	if err := a.Root.MkdirAll(path.Dir(name), 0o700); err != nil {
		a.skipped.add("file", "its path can't be made here")
		return nil
	}
	file, err := a.Root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		a.skipped.add("file", "its path can't be made here")
		return nil
	}
	n, err := io.Copy(file, io.LimitReader(content, *left+1))
	*left -= n
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("unpack %q: %w", name, err)
	}
	if *left < 0 {
		return &LimitError{fmt.Sprintf("more than %d bytes", a.limits.Bytes)}
	}
	return nil
}

// find lists the pages of the archive.
func (a *Archive) find() error {
	files := 0
	err := fs.WalkDir(a.Root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if files++; files > a.limits.Files {
			return &LimitError{fmt.Sprintf("more than %d files", a.limits.Files)}
		}
		if strings.EqualFold(path.Ext(name), ".json") {
			a.pages = append(a.pages, name)
		}
		return nil
	})
	if err == nil && len(a.pages) == 0 {
		return fmt.Errorf("%w: it has no page as JSON", ErrUnknown)
	}
	return err
}
