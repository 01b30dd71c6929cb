package measure

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline/importer"
)

// importBar is the least number of lines that an import should read in a second: 86,439 lines
// in 15 s.
const importBar = 86_439 / 15.0

// importFile imports the file, or a made-up community, into the primary, and reports how long that took
// if it was asked for.
func (r *run) importFile(ctx context.Context) error {
	path, of := r.File, ""
	if path == "" {
		path = filepath.Join(r.Folder, "community.jsonl")
		if err := dataset.Typical(r.Posts).Save(path); err != nil {
			return err
		}
		of = ", generated"
	}
	imported, err := r.importFrom(ctx, r.Pool, path)
	if err != nil || !r.measures(Import) {
		return err
	}
	of = fmt.Sprintf("%d lines%s: %d posts, %d comments, %d likes, %d subscriptions",
		imported.Lines, of, imported.Posts.New, imported.Comments.New, imported.Likes.New, imported.Subscriptions.New)
	seconds := imported.Duration.Seconds()
	rate := report.Ratio(float64(imported.Lines), seconds)
	whole := report.Record{Name: "import", Of: of, Value: seconds, Unit: "s", N: imported.Lines}
	allowed := float64(imported.Lines) / importBar
	whole.Expect(fmt.Sprintf("<= %.1f s, which is 15 s for 86,439 lines", allowed), seconds <= allowed)
	if err := r.report(whole); err != nil {
		return err
	}
	return r.report(report.Record{Name: "import.rate", Of: of, Value: rate, Unit: "lines/s", N: imported.Lines})
}

// importFrom imports the file at path, and announces that it does.
func (r *run) importFrom(ctx context.Context, pool *pgxpool.Pool, path string) (importer.Report, error) {
	r.notice("Importing %s.", filepath.Base(path))
	begun := time.Now()
	imported, err := dataset.Import(ctx, pool, path)
	r.notice("Imported %d lines in %.1f s.", imported.Lines, time.Since(begun).Seconds())
	return imported, err
}
