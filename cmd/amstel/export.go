package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"amstel.dev/amstel/internal/export"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/web/page"
)

type exportCmd struct {
	primary
	filePlace
	File string `arg:"" optional:"" help:"Zip file to write. Other users of the machine can't read the file. - is the standard output (NAME-DATE.zip for a person, site-DATE.zip for everything)."`
	User string `placeholder:"NAME" xor:"what" required:"" help:"Export all that belongs to a person: the same file that the person can ask for in the settings."`
	URL  string `placeholder:"ADDRESS" help:"Public address of the site, for the links in a person's pages (the address of the last amstel serve in --data)."`
	All  bool   `xor:"what" required:"" help:"Export everything that the site has, with private posts and the hashes of passwords. It is a backup, which amstel import --restore brings back."`
}

// Run writes an export.
func (c *exportCmd) Run(ctx context.Context, to streams) (err error) {
	name := c.File
	if name == "" {
		name = cmp.Or(c.User, "site") + "-" + time.Now().UTC().Format(time.DateOnly) + ".zip"
	}
	if out, ok := to.out.(*os.File); name == "-" && ok && term.IsTerminal(int(out.Fd())) {
		return &settingError{"the export is a zip file: name a file, or send the output to one"}
	}
	var opts exporter.Options
	if !c.All {
		site, err := siteAddress(c.URL, c.Data)
		if err != nil {
			return err
		}
		opts.Pages = page.Export{Site: site}
	}
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	if !c.All {
		who, err := timeline.New(db.pool, timeline.Options{}).Lookup(ctx, c.User)
		if err != nil && !errors.Is(err, timeline.ErrNotFound) {
			return err
		}
		if who.User == 0 {
			return &settingError{fmt.Sprintf("there is no user %q", c.User)}
		}
		opts.User = who.User
	}
	files, err := c.openFiles(ctx, c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	opts.Files = export.Files{Store: files}
	if name == "-" {
		report, err := exporter.Write(ctx, db.pool, to.out, opts)
		if err == nil {
			fmt.Fprintln(to.err, &report)
		}
		return err
	}
	opts.Dir = filepath.Dir(name)
	report, err := writeWhole(name, func(out io.Writer) (exporter.Report, error) { return exporter.Write(ctx, db.pool, out, opts) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to.out, "%s: %s\n", name, &report)
	return err
}

// writeWhole writes a file that other users of the machine can't read. The file has another name until
// it is complete, so that a file with its final name is never a part of an export.
func writeWhole(name string, write func(io.Writer) (exporter.Report, error)) (report exporter.Report, err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // its mode is 0600
	if err != nil {
		return report, &settingError{fmt.Sprintf("can't write the export: %v", err)}
	}
	report, err = write(file)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return report, err
}
