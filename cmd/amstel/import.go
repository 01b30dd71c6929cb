package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"amstel.dev/amstel/timeline/importer"
)

type importCmd struct {
	primary
	File   string `arg:"" help:"File of JSON Lines, plain or gzipped."`
	Source string `placeholder:"NAME" help:"Name of the source. A later edition of a file with the same source adds only what is new (the name of the file without its extensions)."`
	Batch  int    `placeholder:"LINES" help:"Lines in one transaction. More lines make the import faster, and hold up a running server for longer."`
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
	bar := newProgress(to, info.Size())
	report, err := importer.Import(ctx, db.pool, file, importer.Options{
		Source:   source,
		Batch:    c.Batch,
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
