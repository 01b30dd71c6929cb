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
	File string `arg:"" optional:"" help:"Zip file to write, which no other user of the machine can read; - is the standard output (NAME-DATE.zip of a person, site-DATE.zip of everything)."`
	User string `placeholder:"NAME" xor:"what" required:"" help:"Export what belongs to a person, as their settings offer it."`
	URL  string `placeholder:"ADDRESS" help:"Public address of the site, for the links in a person's pages (the address of the last amstel serve in --data)."`
	All  bool   `xor:"what" required:"" help:"Export everything that the site has, also private posts and the hashes of passwords: a backup, which amstel import --restore brings back."`
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

// writeWhole writes a file that only its owner can read, and that has its name only when it is whole.
func writeWhole(name string, write func(io.Writer) (exporter.Report, error)) (report exporter.Report, err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // with the mode 0600
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
