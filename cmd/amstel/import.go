package main

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/importer"
	"amstel.dev/amstel/timeline/importer/archive"
)

type importCmd struct {
	primary
	filePlace
	File        string            `arg:"" help:"File of JSON Lines, plain or gzipped; an export of this program; or an archive of Mokum, FreeFeed or Mastodon: a folder, a zip or tar file, or a page as JSON."`
	Source      string            `placeholder:"NAME" help:"Name of the source. A later edition of a file with the same source adds only what is new (the name of the file without its extensions; of an archive the site: mokum, freefeed or mastodon; of an export the id of its site)."`
	Attachments string            `placeholder:"FOLDER" help:"Folder of the uploads that lines name (the folder of the file)."`
	Name        map[string]string `placeholder:"OLD=NEW;…" help:"New names for accounts of an archive. Other accounts keep their names; if a name exists here, the posts are added to that account."`
	FileSize    byteSize          `default:"20MiB" placeholder:"SIZE" help:"Largest size of an upload that a line names (${default})."`
	Restore     bool              `help:"Also take passwords, administrators, suspensions, e-mail addresses, pictures of accounts and the settings of the site from an export. Only for an export of your own."`
	Batch       int               `placeholder:"LINES" help:"Lines in one transaction. More lines make the import faster, but hold up a running server for longer."`
}

// Run imports a file or an archive.
func (c *importCmd) Run(ctx context.Context, to streams) (err error) {
	if exported, err := zip.OpenReader(c.File); err == nil {
		defer exported.Close()
		if _, err := fs.Stat(exported, "data.jsonl"); err == nil {
			return c.importExport(ctx, to, &exported.Reader)
		}
	}
	if c.Restore {
		return &settingError{"--restore is for exports of this program"}
	}
	opened, err := archive.Open(c.File, archive.Limits{})
	if err == nil {
		defer func() { err = errors.Join(err, opened.Close()) }()
		return c.importArchive(ctx, to, opened)
	}
	if info, statErr := os.Stat(c.File); !errors.Is(err, archive.ErrUnknown) || statErr != nil || info.IsDir() {
		return &settingError{fmt.Sprintf("can't import %s: %v", c.File, err)}
	}
	if len(c.Name) > 0 {
		return &settingError{"--name is for archives; lines have the names that they have"}
	}
	return c.importLines(ctx, to)
}

// importArchive writes the history of an archive as lines, and imports the lines.
func (c *importCmd) importArchive(ctx context.Context, to streams, from *archive.Archive) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	lines, err := os.CreateTemp("", "amstel-import-*.jsonl")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close(), os.Remove(lines.Name())) }()
	admins, err := importer.SiteAdmins(ctx, db.pool)
	if err != nil {
		return err
	}
	written := bufio.NewWriter(lines)
	format, skipped, err := from.Lines(written, archive.Options{
		Names: c.Name, Admins: admins,
		Find: func(name string) (importer.Account, error) { return importer.FindAccount(ctx, db.pool, name) },
	})
	if errors.Is(err, archive.ErrUnknown) {
		return &settingError{fmt.Sprintf("can't import %s: %v", c.File, err)}
	}
	if err = cmp.Or(err, written.Flush()); err != nil {
		return err
	}
	size, err := lines.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = lines.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	beside := from.Root
	if c.Attachments != "" {
		if beside, err = os.OpenRoot(c.Attachments); err != nil {
			return &settingError{fmt.Sprintf("can't import: %v", err)}
		}
		defer beside.Close()
	}
	report, err := c.importFrom(ctx, to, db, lines, size, cmp.Or(c.Source, format), beside.FS())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintf(to.out, "%s%s\n", skipped, report)
	return err
}

// importExport imports a zip file that [exportCmd] or a worker wrote.
func (c *importCmd) importExport(ctx context.Context, to streams, from *zip.Reader) (err error) {
	if len(c.Name) > 0 {
		return &settingError{"--name is for archives; lines have the names that they have"}
	}
	lines, err := from.Open("data.jsonl")
	if err != nil {
		return &settingError{fmt.Sprintf("can't import %s: %v", c.File, err)}
	}
	defer lines.Close()
	info, err := lines.Stat()
	if err != nil {
		return err
	}
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	report, err := c.importFrom(ctx, to, db, lines, info.Size(), c.Source, from)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintln(to.out, report)
	return err
}

// importFrom imports lines, of size bytes, under the name of their source. beside has the files that
// the lines name. It returns the report of the import in words.
func (c *importCmd) importFrom(ctx context.Context, to streams, db *database, lines io.Reader, size int64, source string, beside fs.FS) (report string, err error) {
	files := &importFiles{importCmd: c, beside: beside}
	defer func() { err = errors.Join(err, files.close()) }()
	bar := newProgress(to, size)
	done, err := importer.Import(ctx, db.pool, lines, importer.Options{
		Source:   source,
		Batch:    c.Batch,
		Restore:  c.Restore,
		Files:    files,
		Progress: func(p importer.Progress) { bar.show(p.Bytes) },
	})
	bar.end()
	if line, ok := errors.AsType[*importer.LineError](err); ok {
		return "", fmt.Errorf("%w; %d lines before its batch were imported, and nothing of the batch", line, done.Lines)
	}
	return done.String(), err
}

// importLines imports a file of lines.
func (c *importCmd) importLines(ctx context.Context, to streams) (err error) {
	file, err := os.Open(c.File)
	if err != nil {
		return &settingError{fmt.Sprintf("can't import: %v", err)}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
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
	report, err := c.importFrom(ctx, to, db, file, info.Size(), source, beside.FS())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintln(to.out, report)
	return err
}

// An importFiles writes the files of an import to the file store. It opens the file store when it
// writes the first file, so that an import without files needs none. It implements [importer.Files].
type importFiles struct {
	*importCmd
	beside fs.FS // the folder with the files
	store  filestore.Store
}

// Keep implements [importer.Files].
func (f *importFiles) Keep(ctx context.Context, path string) (name timeline.FileName, size int64, err error) {
	if f.store == nil {
		if f.store, err = f.openFiles(ctx, f.Data); err != nil {
			return name, 0, err
		}
	}
	switch info, err := fs.Stat(f.beside, path); {
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
	most := int64(f.FileSize)
	if f.Restore { // the site had accepted the file before
		most = math.MaxInt64 - 1
	}
	kept, err := f.store.Put(ctx, file, most)
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

// A progress shows a progress bar on a terminal. It shows nothing elsewhere, because the control
// characters of a bar have no place in a log.
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

// show moves the bar. It ignores errors: an import continues without its bar.
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
