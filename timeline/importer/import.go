package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// batchSize is the default number of lines in one transaction. Larger batches are faster, because a
// post is then written once, together with its comments. But they block the writers of a running
// server for longer.
const batchSize = 5000

// tries is the largest number of times that a batch is tried if it collides with other writers.
const tries = 10

// Options are the settings of one import.
type Options struct {
	// Source is the logical name of the file. Imported lines are remembered under the name, so each
	// edition of a file needs the same Source. It may be empty only for an export, which names its
	// site: then the Source is "amstel:" followed by the id of the site.
	Source string
	// Restore also takes the parts of an export that are taken only from a trusted file: passwords,
	// e-mail addresses, administrators of the site, suspensions, the settings of the site, avatars
	// and covers, and the renditions of attachments as they are. On a site without people, Restore
	// also takes over the id of the site.
	Restore bool
	// Batch is the number of lines in one transaction; 0 means 5,000.
	Batch int
	// Files puts the files that lines name into the file store; nil: such lines are refused.
	Files Files
	// Progress, if not nil, is called after each batch that was committed.
	Progress func(Progress)
}

// Import reads a file, plain or gzipped, into the primary, and returns how many lines of each type
// it imported.
//
// A line that can't be imported ends the import with a [LineError]. Any other error concerns the
// file, ctx or the primary. In each case the batches before the failed one stay imported, and the
// same call, made again, continues after them. Import returns only after its goroutine has stopped
// to read r.
func Import(ctx context.Context, pool *pgxpool.Pool, r io.Reader, opts Options) (Report, error) {
	begun := time.Now()
	var report Report
	err := run(ctx, pool, r, opts, &report)
	if err == nil {
		err = withholdSuspended(ctx, pool)
	}
	if err == nil {
		err = analyzeTables(ctx, pool)
	}
	report.Duration = time.Since(begun)
	if err != nil {
		return report, fmt.Errorf("import: %w", err)
	}
	return report, nil
}

// run imports one batch after the other, and adds each to the report.
func run(ctx context.Context, pool *pgxpool.Pool, input io.Reader, opts Options, report *Report) error {
	if opts.Batch <= 0 {
		opts.Batch = batchSize
	}
	ctx, cancel := context.WithCancel(ctx)
	ahead := newLanguageDetector()
	batches := read(ctx, input, opts.Batch, ahead.todo)
	var detecting sync.WaitGroup
	detecting.Go(func() { ahead.run(ctx) })
	defer func() {
		cancel()
		for range batches { // drain the channel until the reader has stopped
		}
		detecting.Wait()
	}()
	w := &writer{pool: pool, source: opts.Source, files: opts.Files, granted: make(map[pair]bool), restore: opts.Restore}
	for b := range batches {
		if b.err != nil {
			if errors.Is(b.err, io.EOF) {
				return nil
			}
			return b.err
		}
		if first := b.lines[0]; first.kind == kindExport {
			w.site = first.value("site")
			w.source = cmp.Or(w.source, "amstel:"+w.site)
		}
		if w.source == "" {
			return errors.New("the file has no logical name")
		}
		imported, err := w.importBatch(ctx, b.lines)
		if err != nil {
			return err
		}
		ahead.idle.Store(imported.Posts.New == 0)
		report.add(imported)
		if opts.Progress != nil {
			opts.Progress(Progress{Bytes: b.bytes, Lines: report.Lines})
		}
	}
	return context.Cause(ctx)
}

// A writer imports batches into the primary.
type writer struct {
	pool   *pgxpool.Pool
	source string
	files  Files
	// site is the id of the site that wrote the file, if the file is an export. restore is
	// [Options.Restore].
	site    string
	restore bool
	// granted are the subscriptions that the administrators of groups got by the groups' lines. The
	// file usually has a line of its own for each of these subscriptions, which is counted as new.
	granted map[pair]bool
}

// importBatch imports a batch in one transaction. It tries again if the transaction collided with
// another writer's, in a deadlock or by inserting the same name or id, or if a sweep removed a
// file of the batch before the file was locked.
func (w *writer) importBatch(ctx context.Context, lines []*line) (*Report, error) {
	for try := 1; ; try++ {
		report, err := w.tryBatch(ctx, lines)
		if err == nil || try == tries || !collided(err) && !errors.Is(err, timeline.ErrFileGone) {
			return report, err
		}
		pause := time.NewTimer(rand.N(time.Duration(try) * 10 * time.Millisecond))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, err
		}
	}
}

// tryBatch tries to import a batch once.
func (w *writer) tryBatch(ctx context.Context, lines []*line) (*Report, error) {
	kept, err := w.keepFiles(ctx, lines)
	if err != nil {
		return nil, err
	}
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		// ctx may have ended; the transaction must be rolled back all the same.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tx.Rollback(ending) // it was committed, or the connection is gone
	}()
	t := newBatchTx(tx, w, lines, kept)
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, fmt.Errorf("commit up to line %d: %w", lines[len(lines)-1].number, err)
	}
	return &t.report, nil
}

// collided reports whether PostgreSQL undid a transaction because of another one.
func collided(err error) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	switch pgErr.Code {
	case "40P01", "40001", "23505": // deadlock, serialization, unique
		return true
	}
	return false
}

// withholdSuspended adds a job for each suspended account without a job: the job closes the account's timelines, and
// withholds what the import added by the account. See [timeline.Store.RunAccountJob].
func withholdSuspended(ctx context.Context, pool *pgxpool.Pool) error {
	const query = `
		insert into suspension_jobs (user_id)
		select id from users u
		where suspended_at is not null and status <> 'deleted' and not exists (select from suspension_jobs where user_id = u.id)`
	if _, err := pool.Exec(ctx, query); err != nil {
		return fmt.Errorf("withhold what suspended accounts wrote: %w", err)
	}
	return nil
}

// analyzeTables updates the statistics of the planner, and the visibility map of timeline_entries,
// which the import filled faster than autovacuum follows. Sequences need no update, because the
// import drew its ids from them.
func analyzeTables(ctx context.Context, pool *pgxpool.Pool) error {
	const analyze = `
		analyze (skip_locked) names, users, groups, timelines, posts, all_comments, all_likes, all_comment_likes, subscriptions, bans, all_mentions,
			hashtags, post_words, attachments, all_favs, imported`
	const vacuum = `vacuum (analyze, skip_locked) timeline_entries`
	for _, statement := range []string{analyze, vacuum} {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return fmt.Errorf("analyze the tables: %w", err)
		}
	}
	return nil
}
