package exporter

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// Files reads files of the file store.
type Files interface {
	// Open opens a file. The error is fs.ErrNotExist if the file store has no such file.
	Open(ctx context.Context, name timeline.FileName) (io.ReadSeekCloser, error)
}

// Options are the settings of one export.
type Options struct {
	// User is the person whose data are exported; 0: all that the site has is exported, with the
	// hashes of passwords.
	User timeline.UserID
	// Files has the files; nil: the export has neither files nor lines of files.
	Files Files
	// Pages renders the pages of a person's export; nil: the export has no pages.
	Pages Pages
	// Dir is the folder for temporary files; empty: the default folder of the system.
	Dir string
	// Progress, if not nil, is called again and again with the number of posts that are written
	// and the number of all posts of the export.
	Progress func(done, posts int)
}

// A Report says what an export has.
type Report struct {
	Posts    int
	Lines    int // all lines, those of posts included
	Files    int
	Lost     []string // the names of files that the file store lacks
	Bytes    int64    // the size of the zip file
	Duration time.Duration
}

// String returns the report for people.
func (r *Report) String() string {
	text := fmt.Sprintf("%d posts, %d lines and %d files, %.1f MB, in %.1f s", r.Posts, r.Lines, r.Files, float64(r.Bytes)/1e6, r.Duration.Seconds())
	if seconds := r.Duration.Seconds(); seconds > 0 {
		text += fmt.Sprintf(", %.0f lines a second", float64(r.Lines)/seconds)
	}
	if len(r.Lost) > 0 {
		text += fmt.Sprintf("; %d files are not in the file store and so not in the export, the first is %s", len(r.Lost), r.Lost[0])
	}
	return text
}

// Write writes an export as a zip file. It returns [timeline.ErrNotFound] if there is no such person.
// After an error the zip file is not complete.
func Write(ctx context.Context, pool *pgxpool.Pool, to io.Writer, opts Options) (report Report, err error) {
	begun := time.Now()
	counted := &countingWriter{to: to}
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return report, fmt.Errorf("export: %w", err)
	}
	defer func() {
		// ctx may have ended; the transaction must be rolled back all the same.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tx.Rollback(ending) // a failure loses nothing, because the transaction has only read
	}()
	e := &export{
		Options: opts, tx: tx, bundle: bundle{zip: zip.NewWriter(counted), dir: opts.Dir, store: opts.Files, has: make(map[timeline.FileName]bool)},
		written: make(map[string]bool),
	}
	e.zip.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.DefaultCompression) })
	err = e.run(ctx)
	report = Report{Posts: e.posts, Lost: e.lost, Bytes: counted.n, Duration: time.Since(begun)}
	if e.lines != nil {
		report.Lines = e.lines.n
	}
	for _, has := range e.has {
		if has {
			report.Files++
		}
	}
	if err != nil {
		return report, fmt.Errorf("export: %w", err)
	}
	return report, nil
}

// An export is one export while it is written.
type export struct {
	Options
	bundle
	tx      pgx.Tx
	lines   *spool          // becomes data.jsonl
	apart   *spool          // becomes apart.jsonl
	sets    *timeline.Sets  // of the person; nil: everything is exported
	me      *Profile        // the person; nil: everything is exported
	written map[string]bool // in a person's export: names of the accounts that have a line already
	posts   int             // the number of posts written so far
	months  *months         // nil: no pages
}

// all reports whether everything is exported.
func (e *export) all() bool { return e.User == 0 }

// run writes all parts of the zip file.
func (e *export) run(ctx context.Context) (err error) {
	if e.lines, err = e.spool(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.lines.file.Close()) }()
	if e.apart, err = e.spool(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.apart.file.Close()) }()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"the site", e.writeSite}, {"people", e.writeUsers}, {"groups", e.writeGroups}, {"relations", e.writeRelations}, {"posts", e.writePosts},
	} {
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	if err := e.addSpool("data.jsonl", e.lines); err != nil {
		return err
	}
	if e.apart.n > 0 {
		if err := e.addSpool("apart.jsonl", e.apart); err != nil {
			return err
		}
	}
	if err := e.writeIndex(ctx); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return e.zip.Close()
}

// writeSite writes the first line, and, if everything is exported, the settings of the site.
func (e *export) writeSite(ctx context.Context) error {
	const site = `select convert_from(value, 'UTF8') from site where key = 'site_id'`
	const settings = `select v.key, v.value::text from site_settings s cross join lateral jsonb_each(s.value) v order by v.key collate "C"`
	first := exportLine{Type: "export", Version: 1, Scope: "all"}
	if err := e.tx.QueryRow(ctx, site).Scan(&first.Site); err != nil {
		return err
	}
	if !e.all() {
		if err := e.readPerson(ctx); err != nil {
			return err
		}
		first.Scope, first.User = "person", e.me.Name
	}
	if err := e.lines.line(first); err != nil || !e.all() {
		return err
	}
	rows, err := e.tx.Query(ctx, settings)
	if err != nil {
		return err
	}
	l := settingLine{Type: "setting"}
	_, err = pgx.ForEachRow(rows, []any{&l.Name, &l.Value}, func() error { return e.lines.line(l) })
	return err
}

// readPerson reads the sets of the person. It returns [timeline.ErrNotFound] if the account is
// deleted or does not exist.
func (e *export) readPerson(ctx context.Context) error {
	const query = `select name, display_name, description, page_language from users where id = $1 and status <> 'deleted'`
	e.me = &Profile{}
	err := e.tx.QueryRow(ctx, query, e.User).Scan(&e.me.Name, &e.me.DisplayName, &e.me.Description, &e.me.Language)
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("user %d: %w", e.User, timeline.ErrNotFound)
	}
	if err != nil {
		return err
	}
	e.me.DisplayName = cmp.Or(e.me.DisplayName, e.me.Name)
	e.sets, err = timeline.ReadSets(ctx, e.tx, e.User)
	return err
}

// banned reports whether a ban stands between the person of the export and another person.
func (e *export) banned(other timeline.UserID) bool {
	if e.sets == nil {
		return false
	}
	_, banned := e.sets.Bans[other]
	return banned
}

// A countingWriter counts the bytes that are written.
type countingWriter struct {
	to io.Writer
	n  int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
