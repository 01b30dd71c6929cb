package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	buildversion "amstel.dev/amstel/cmd/internal/version"
)

// version is the version of this binary, which the linker sets; see the Makefile.
var version string

// The files with the results of a run, in the folder of --out.
const (
	linesFile = "bench.jsonl"
	tableFile = "bench.txt"
	pageFile  = "bench.html"
)

// results passes on the lines of a run, and keeps them for the table and the page.
type results struct {
	io.Writer // gets the lines
	folder    string
	lines     bytes.Buffer
	file      *os.File // nil: there is no folder
}

// newResults returns results that write the lines to a stream, and to a file in the folder unless folder is empty.
// Their first line is the heading of the run.
func (c *bench) newResults(ctx context.Context, primary *pgxpool.Pool, to io.Writer) (*results, error) {
	heading, err := report.NewHeading(ctx, primary, buildversion.Of(version), c.settings())
	if err != nil {
		return nil, err
	}
	r := &results{folder: c.Out}
	r.Writer = io.MultiWriter(to, &r.lines)
	if r.folder != "" {
		if r.file, err = os.Create(filepath.Join(r.folder, linesFile)); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
		r.Writer = io.MultiWriter(to, &r.lines, r.file)
	}
	if err := report.WriteHeading(r, heading); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// close closes the file with the lines.
func (r *results) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// save compares the run with an earlier run, unless that is nil, and prints the comparison. It writes the table and
// the page of the run into the folder, if there is one.
func (r *results) save(earlier *report.Run, tolerance float64, to streams) (compared *report.Comparison, err error) {
	if earlier == nil && r.folder == "" {
		return nil, nil
	}
	run, err := report.ReadRun(&r.lines)
	if err != nil {
		return nil, err
	}
	table := run.Table()
	if earlier != nil {
		compared = report.Compare(earlier, run, tolerance)
		table += "\n" + compared.String()
		fmt.Fprint(to.err, compared)
	}
	if r.folder == "" {
		return compared, nil
	}
	var page bytes.Buffer
	if err := run.HTML(&page, compared); err != nil {
		return nil, err
	}
	return compared, errors.Join(
		os.WriteFile(filepath.Join(r.folder, tableFile), []byte(table), 0o644),
		os.WriteFile(filepath.Join(r.folder, pageFile), page.Bytes(), 0o644))
}

// settings returns the settings that results depend on, in words.
func (c *bench) settings() string {
	community := fmt.Sprintf("%d posts", c.Posts)
	if c.File != "" {
		community = filepath.Base(c.File)
	}
	profile := "durable"
	if c.TestProfile {
		profile = "in memory"
	}
	return strings.Join([]string{
		community, profile, fmt.Sprintf("large %d posts", c.LargePosts), fmt.Sprintf("scale %v", c.Scale), fmt.Sprintf("%d homes", c.Homes),
		fmt.Sprintf("%d rounds", c.Rounds), fmt.Sprintf("%d pages", c.Pages), fmt.Sprintf("%v comments a second", c.PerSecond), fmt.Sprintf("%v acts a second", c.Acts), fmt.Sprintf("%v seconds", c.Seconds),
		fmt.Sprintf("%d sockets", c.Sockets), fmt.Sprintf("%d strangers", c.Strangers), fmt.Sprintf("apart %v", c.Apart), fmt.Sprintf("rest %v", c.Rest),
	}, ", ")
}
