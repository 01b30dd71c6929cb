package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// batchSize is how many lines are one transaction, unless said otherwise. More
// go faster, as a post with its comments is then written once, and hold up the
// writers of a running server for longer.
const batchSize = 5000

// tries is how often a batch is tried, when it met other writers.
const tries = 10

// Options say how to import.
type Options struct {
	// Source is the file's logical name, which what came from it is remembered
	// under: the same for each edition of the same export. It must not be empty.
	Source string
	// Batch is how many lines are one transaction; 0: 5,000.
	Batch int
	// Progress, if set, is told after each batch.
	Progress func(Progress)
}

// Import takes a file, plain or gzipped, into the primary. A line that can't be
// taken ends it with a [LineError]; the batches before stay, and so they do
// where anything else ends it, so that the same call again goes on from there.
// It does not return while it still reads r.
func Import(ctx context.Context, pool *pgxpool.Pool, r io.Reader, opts Options) (Report, error) {
	begun := time.Now()
	var report Report
	err := run(ctx, pool, r, opts, &report)
	if err == nil {
		err = settle(ctx, pool)
	}
	report.Duration = time.Since(begun)
	if err != nil {
		return report, fmt.Errorf("import: %w", err)
	}
	return report, nil
}

// run takes batch after batch.
func run(ctx context.Context, pool *pgxpool.Pool, input io.Reader, opts Options, report *Report) error {
	if opts.Source == "" {
		return errors.New("the file has no logical name")
	}
	if opts.Batch <= 0 {
		opts.Batch = batchSize
	}
	ctx, cancel := context.WithCancel(ctx)
	ahead := newTeller()
	batches := read(ctx, input, opts.Batch, ahead.todo)
	var telling sync.WaitGroup
	telling.Go(func() { ahead.run(ctx) })
	defer func() {
		cancel()
		for range batches { // until the reader has gone
		}
		telling.Wait()
	}()
	w := &writer{pool: pool, source: opts.Source, granted: make(map[pair]bool)}
	for b := range batches {
		if b.err != nil {
			if errors.Is(b.err, io.EOF) {
				return nil
			}
			return b.err
		}
		taken, err := w.take(ctx, b.lines)
		if err != nil {
			return err
		}
		ahead.idle.Store(taken.Posts.New == 0)
		report.add(taken)
		if opts.Progress != nil {
			opts.Progress(Progress{Bytes: b.bytes, Lines: report.Lines})
		}
	}
	return context.Cause(ctx)
}

// A writer takes batches into the primary.
type writer struct {
	pool   *pgxpool.Pool
	source string
	// granted are subscriptions that came with a group's line, as its
	// administrators'; the file usually has a line of its own for each.
	granted map[pair]bool
}

// take takes a batch, in one transaction, which is tried again when it met
// another writer: in a deadlock, or at the same name or id.
func (w *writer) take(ctx context.Context, lines []*line) (*Report, error) {
	for try := 1; ; try++ {
		report, err := w.takeOnce(ctx, lines)
		if err == nil || try == tries || !collided(err) {
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

// takeOnce tries once.
func (w *writer) takeOnce(ctx context.Context, lines []*line) (*Report, error) {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		// The import may have been stopped; its transaction must end as well.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tx.Rollback(ending) // committed, or the connection is gone
	}()
	t := newTaking(tx, w.source, w.granted, lines)
	if err := t.take(ctx); err != nil {
		return nil, err
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, fmt.Errorf("commit up to line %d: %w", lines[len(lines)-1].number, err)
	}
	return &t.report, nil
}

// collided says that a transaction met another, and was undone for it.
func collided(err error) bool {
	pgErr, isPg := errors.AsType[*pgconn.PgError](err)
	if !isPg {
		return false
	}
	switch pgErr.Code {
	case "40P01", "40001", "23505": // deadlock, serialization, unique
		return true
	}
	return false
}

// settle leaves the tables as fit to be read as a life's slow growth would
// have: with statistics, and entries that an index alone answers for. Ids need
// nothing: they were drawn from the sequences that go on counting.
func settle(ctx context.Context, pool *pgxpool.Pool) error {
	const analyze = `
		analyze (skip_locked) names, users, groups, timelines, posts, comments, likes, comment_likes, subscriptions, bans, mentions,
			hashtags, post_words, imported`
	const vacuum = `vacuum (analyze, skip_locked) timeline_entries`
	for _, statement := range []string{analyze, vacuum} {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return fmt.Errorf("settle the tables: %w", err)
		}
	}
	return nil
}
