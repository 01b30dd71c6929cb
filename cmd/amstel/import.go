package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/importer"
)

type importCmd struct {
	primary
	filePlace
	File        string   `arg:"" help:"File of JSON Lines, plain or gzipped."`
	Source      string   `placeholder:"NAME" help:"Name of the source. A later edition of a file with the same source adds only what is new (the name of the file without its extensions)."`
	Attachments string   `placeholder:"FOLDER" help:"Folder of the files that lines name (the folder of the file)."`
	FileSize    byteSize `default:"20MiB" placeholder:"SIZE" help:"Greatest size of such a file (${default})."`
	Batch       int      `placeholder:"LINES" help:"Lines in one transaction. More lines make the import faster, and hold up a running server for longer."`
}

// Run imports a file.
func (c *importCmd) Run(ctx context.Context, to streams) (err error) {
	file, err := os.Open(c.File)
	if err != nil {
		return &settingError{fmt.Sprintf("can't import: %v", err)}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return &settingError{fmt.Sprintf("can't import %s: it is a folder", c.File)}
	}
	source := c.Source
	if source == "" {
		source, _, _ = strings.Cut(filepath.Base(c.File), ".")
	}
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	beside, err := os.OpenRoot(cmp.Or(c.Attachments, filepath.Dir(c.File)))
	if err != nil {
		return &settingError{fmt.Sprintf("can't import: %v", err)}
	}
	defer beside.Close()
	files := &importFiles{importCmd: c, beside: beside}
	defer func() { err = errors.Join(err, files.close()) }()
	bar := newProgress(to, info.Size())
	report, err := importer.Import(ctx, db.pool, file, importer.Options{
		Source:   source,
		Batch:    c.Batch,
		Files:    files,
		Progress: func(p importer.Progress) { bar.show(p.Bytes) },
	})
	bar.end()
	if line, ok := errors.AsType[*importer.LineError](err); ok {
		return fmt.Errorf("%s: %w; %d lines before its batch were imported, and nothing of the batch", c.File, line, report.Lines)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(to.out, report.String())
	return err
}

// importFiles writes the files of an import to the file store, which it opens for the first
// file; it implements [importer.Files].
type importFiles struct {
	*importCmd
	beside *os.Root // the folder with the files
	store  filestore.Store
}

// Keep implements [importer.Files].
func (f *importFiles) Keep(ctx context.Context, path string) (name timeline.FileName, size int64, err error) {
	if f.store == nil {
		if f.store, err = f.openFiles(ctx, f.Data); err != nil {
			return name, 0, err
		}
	}
	switch info, err := f.beside.Stat(path); {
	case err != nil:
		return name, 0, err
	case !info.Mode().IsRegular():
		return name, 0, &importer.FileError{Reason: "it is no regular file"}
	}
	file, err := f.beside.Open(path)
	if err != nil {
		return name, 0, err
	}
	defer file.Close()
	kept, err := f.store.Put(ctx, file, int64(f.FileSize))
	if errors.Is(err, filestore.ErrTooLarge) {
		return name, 0, &importer.FileError{Reason: fmt.Sprintf("it has more than %d bytes; --file-size allows more", f.FileSize)}
	}
	return timeline.FileName(kept.Name), kept.Size, err
}

// Kept implements [importer.Files].
func (f *importFiles) Kept(ctx context.Context, name timeline.FileName) (bool, error) {
	return filestore.Has(ctx, f.store, filestore.Name(name))
}

func (f *importFiles) close() error {
	if f.store == nil {
		return nil
	}
	return f.store.Close()
}

// A progress shows a progress bar on a terminal. Without a terminal it shows nothing: its
// control characters have no place in a log.
type progress struct{ *progressbar.ProgressBar }

func newProgress(to streams, size int64) progress {
	terminal, ok := to.err.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(to.err),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(40),
	)}
}

// show moves the bar. It ignores errors: an import goes on without its bar.
func (b progress) show(n int64) {
	if b.ProgressBar != nil {
		_ = b.Set64(n)
	}
}

// end removes the bar.
func (b progress) end() {
	if b.ProgressBar != nil {
		_ = b.Finish()
	}
}
