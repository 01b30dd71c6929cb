// Package export makes the exports that people ask for: files with all their data ("Download everything").
//
// The rows of package timeline are the queue, package exporter writes, and a [filestore.Store] keeps the files. A
// process may die at any point: when its lease is over, another one makes the export from the beginning. A store has all
// of a file or nothing, and a row names the file only when it is whole.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/exporter"
)

// A Worker works off the queue of exports, one at a time. Many processes may have one each.
type Worker struct {
	store *timeline.Store
	files filestore.Store
	opts  Options
}

// Options are the settings of a Worker.
type Options struct {
	Pages func(lang string) exporter.Pages // the pages in a language; nil: exports have none
	Log   *slog.Logger                     // nil: nothing is logged
	// Reached is called with the name of each point that the work reaches, so that a test can kill the
	// process there. It may be nil.
	Reached func(point string)
	Lease   time.Duration // how long a worker may note no progress until another takes its export; 0: two minutes
}

// The points at which [Options.Reached] is called. At each of them a process that dies leaves something half
// done.
const (
	pointTaken    = "export: taken"    // a worker has taken an export from the queue
	pointWriting  = "export: writing"  // some posts are written
	pointStored   = "export: stored"   // the file is in the file store, and no row says so
	pointFinished = "export: finished" // the file is offered
)

// noteEvery is the time between two notes of how far an export has come, which the page of the settings shows.
const noteEvery = time.Second

// New returns a worker.
func New(store *timeline.Store, files filestore.Store, opts Options) *Worker {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	if opts.Lease == 0 {
		opts.Lease = 2 * time.Minute
	}
	return &Worker{store, files, opts}
}

// Run works off the queue until the context ends, and then gives back its unfinished export. It looks at the queue when
// this process has queued an export, and on each tick for the exports of other processes.
func (w *Worker) Run(ctx context.Context, tick <-chan time.Time) {
	bell, stop := w.store.ListenExports()
	defer stop()
	for {
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = w.Work(ctx); err != nil && ctx.Err() == nil {
				w.opts.Log.Error("an export was not written", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-bell:
		case <-tick:
		}
	}
}

// Work takes one export from the queue and writes it. It reports whether the queue had one. An error postpones the
// export, each time for longer, up to five tries.
func (w *Worker) Work(ctx context.Context) (more bool, err error) {
	lease, err := w.store.TakeExport(ctx, w.opts.Lease)
	if err != nil || lease == nil {
		return false, err
	}
	w.opts.Reached(pointTaken)
	err = w.write(ctx, *lease)
	switch {
	case err == nil:
		w.opts.Reached(pointFinished)
		return true, nil
	case errors.Is(err, timeline.ErrNotFound): // it was deleted meanwhile, or another worker has it
		return true, nil
	case ctx.Err() != nil:
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return true, errors.Join(err, w.store.PostponeExport(ending, *lease, 0, false))
	}
	wait := 10 * time.Second << (2 * (lease.Try - 1)) // 10 s, 40 s, and some minutes
	if postponing := w.store.PostponeExport(ctx, *lease, wait, true); !errors.Is(postponing, timeline.ErrNotFound) {
		err = errors.Join(err, postponing)
	}
	return true, err
}

// write writes an export into the file store, and offers the file.
func (w *Worker) write(ctx context.Context, lease timeline.ExportLease) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	opts := exporter.Options{User: lease.User, Files: Files{w.files}}
	if w.opts.Pages != nil {
		opts.Pages = w.opts.Pages(lease.Lang)
	}
	var done, posts int // written by Progress, in the goroutine that notes
	progress := make(chan [2]int, 1)
	opts.Progress = func(done, posts int) {
		if done > 0 {
			w.opts.Reached(pointWriting)
		}
		select { // the newest number counts
		case <-progress:
		default:
		}
		progress <- [2]int{done, posts}
	}
	noting := make(chan struct{})
	go func() {
		defer close(noting)
		tick := time.NewTicker(min(noteEvery, w.opts.Lease/4))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case far := <-progress:
				first := posts == 0
				if done, posts = far[0], far[1]; !first {
					continue
				}
			case <-tick.C:
			}
			if err := w.store.NoteExport(ctx, lease, w.opts.Lease, done, posts); errors.Is(err, timeline.ErrNotFound) {
				cancel(err)
			}
		}
	}()
	from, to := io.Pipe()
	exporting := make(chan struct{})
	go func() {
		defer close(exporting)
		report, err := exporter.Write(ctx, w.store.Pool(), to, opts)
		if len(report.Lost) > 0 {
			w.opts.Log.Warn("files are not in the file store, and so not in an export", "user", lease.User, "files", len(report.Lost), "first", report.Lost[0])
		}
		_ = to.CloseWithError(err) // it never fails
	}()
	info, err := w.files.Put(ctx, from, math.MaxInt64-1)
	_ = from.Close() // it never fails; the exporter stops if the store did
	cause := context.Cause(ctx)
	cancel(nil)
	<-noting
	<-exporting
	if errors.Is(cause, timeline.ErrNotFound) {
		return cause
	}
	if err != nil {
		return fmt.Errorf("write export %d of user %d: %w", lease.ID, lease.User, err)
	}
	w.opts.Reached(pointStored)
	finishing, end := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer end()
	return w.store.FinishExport(finishing, lease, timeline.FileName(info.Name), info.Size, Files{w.files}.Kept)
}

// Files reads the files of a file store for package exporter.
type Files struct{ filestore.Store }

// Open implements [exporter.Files].
func (k Files) Open(ctx context.Context, name timeline.FileName) (io.ReadSeekCloser, error) {
	return k.Store.Open(ctx, filestore.Name(name))
}

// Kept reports whether the store has a file, as [timeline.Kept].
func (k Files) Kept(ctx context.Context, name timeline.FileName) (bool, error) {
	return filestore.Has(ctx, k.Store, filestore.Name(name))
}
