package exporter

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// fixedTime is the time of all files in the zip file, so that the bytes of the zip file depend only
// on its content. It is the first day that the format can express.
var fixedTime = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// A bundle is the zip file while it is written. A zip file has one part after the other. So the
// files of attachments go into it as they come, and the lines, which are written at the same time,
// wait in spools.
type bundle struct {
	zip   *zip.Writer
	dir   string                     // the folder of the spools
	store Files                      // nil: the export has no files
	has   map[timeline.FileName]bool // whether a file is in the zip file; false: the file store lacks it
	lost  []string                   // the names of the files that the file store lacks
}

// create begins a part of the zip file.
func (b *bundle) create(name string, method uint16) (io.Writer, error) {
	return b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: fixedTime})
}

// add adds a file of the file store to the zip file, unless it is there already, and returns its
// path. The path is empty if the file store lacks the file, for example because the file was deleted
// after the export began.
func (b *bundle) add(ctx context.Context, name timeline.FileName, mediaType, fileName string) (path string, err error) {
	path = pathOf(name, mediaType, fileName)
	if has, known := b.has[name]; known && has {
		return path, nil
	} else if known {
		return "", nil
	}
	file, err := b.store.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		b.has[name] = false
		b.lost = append(b.lost, name.String())
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("file %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	method := zip.Deflate
	if kind, _, _ := strings.Cut(mediaType, "/"); kind == "image" || kind == "video" || kind == "audio" {
		method = zip.Store // the formats of such files are compressed already
	}
	to, err := b.create(path, method)
	if err == nil {
		_, err = io.Copy(to, file)
	}
	b.has[name] = true
	return path, err
}

// A spool is a temporary file, whose content becomes a part of the zip file later.
type spool struct {
	file  *os.File
	to    *bufio.Writer
	lines *json.Encoder
	n     int // the number of lines
}

// spool makes a spool. The name of its file is removed at once, so that no file is left if the
// process dies.
func (b *bundle) spool() (*spool, error) {
	file, err := os.CreateTemp(b.dir, "amstel-export-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s := &spool{file: file, to: bufio.NewWriterSize(file, 256<<10)}
	s.lines = json.NewEncoder(s.to)
	s.lines.SetEscapeHTML(false)
	return s, nil
}

// line writes a value as one line of JSON.
func (s *spool) line(l any) error {
	s.n++
	return s.lines.Encode(l)
}

// read flushes the spool, and returns a reader of all of it.
func (s *spool) read() (io.Reader, error) {
	if err := s.to.Flush(); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(s.file, 256<<10), nil
}

// reset empties the spool.
func (s *spool) reset() error {
	s.to.Reset(s.file)
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

// addSpool adds the content of a spool to the zip file as a part with the name.
func (b *bundle) addSpool(name string, s *spool) error {
	from, err := s.read()
	if err != nil {
		return err
	}
	to, err := b.create(name, zip.Deflate)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return err
}
