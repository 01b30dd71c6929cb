package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline/importer"
)

// importBar is what an import should take in a second: 86,439 lines in 15 s.
const importBar = 86_439 / 15.0

// importFile fills the primary, and reports how long it took.
func (r *run) importFile(ctx context.Context) error {
	path, of := r.File, ""
	if path == "" {
		path = filepath.Join(r.Folder, "community.jsonl")
		if err := likeReal(r.Posts).save(path); err != nil {
			return err
		}
		of = ", generated"
	}
	report, err := r.importFrom(ctx, r.Pool, path)
	if err != nil || !r.wants(Import) {
		return err
	}
	of = fmt.Sprintf("%d lines%s: %d posts, %d comments, %d likes, %d subscriptions",
		report.Lines, of, report.Posts.New, report.Comments.New, report.Likes.New, report.Subscriptions.New)
	seconds := report.Duration.Seconds()
	rate := over(float64(report.Lines), seconds)
	whole := Record{Name: "import", Of: of, Value: seconds, Unit: "s", N: report.Lines}
	allowed := float64(report.Lines) / importBar
	whole.expect(fmt.Sprintf("<= %.1f s, which is 15 s for 86,439 lines", allowed), seconds <= allowed)
	if err := r.report(whole); err != nil {
		return err
	}
	return r.report(Record{Name: "import.rate", Of: of, Value: rate, Unit: "lines/s", N: report.Lines})
}

// importFrom imports a file.
func (r *run) importFrom(ctx context.Context, pool *pgxpool.Pool, path string) (importer.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return importer.Report{}, err
	}
	defer file.Close()
	r.notice("Importing %s.", filepath.Base(path))
	begun := time.Now()
	report, err := importer.Import(ctx, pool, file, importer.Options{Source: "bench"})
	if err == nil && report.Lines == 0 {
		err = fmt.Errorf("%s has no lines", path)
	}
	r.notice("Imported %d lines in %.1f s.", report.Lines, time.Since(begun).Seconds())
	return report, err
}

// save writes a community to a file.
func (c community) save(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	if _, err := c.write(out); err != nil {
		return err
	}
	return out.Flush()
}
