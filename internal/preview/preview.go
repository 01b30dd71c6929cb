// Package preview fetches the pages that posts link to, for the previews below the posts: the
// queue in package timeline names the pages, and gets their titles, descriptions and pictures.
//
// Each author can make the server fetch any address by a post, so the package trusts nothing: it
// connects to public addresses only, and bounds time, bytes, redirects and connections. The
// package keeps plain text, and pictures that package picture has made anew.
//
// All state is in the queue, so a process may die at any point, and any other process continues its
// work.
package preview

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/internal/workers"
	"amstel.dev/amstel/timeline"
)

// A Maker makes the picture of a preview, as [picture.Maker] does.
type Maker interface {
	Small(ctx context.Context, upload []byte) (picture.Rendition, error)
}

// Options are the settings of a Worker. A zero means the default.
type Options struct {
	URL     string // the public address of the site, which the fetched servers are told
	Maker   Maker  // nil: previews have no pictures
	Workers int    // pages that are fetched at the same time; 3
	Log     *slog.Logger
	// Done is called with the outcome of each try: "ready", "none", "refused" for an address to
	// which the server must not connect, or "failed" for a try that may be repeated. It may be
	// nil.
	Done func(outcome string)
	// Permit are addresses beside the public ones to which the worker may connect: of the
	// servers of tests.
	Permit []netip.AddrPort
}

// The outcomes of a try; see [Options].
const (
	outcomeReady   = "ready"
	outcomeNone    = "none"
	outcomeRefused = "refused"
	outcomeFailed  = "failed"
)

// A Worker works off the queue of previews. Many processes may have one each.
type Worker struct {
	store *timeline.Store
	files filestore.Store
	opts  Options
	fetch *fetcher
}

// New returns a worker that keeps pictures in a file store.
func New(store *timeline.Store, files filestore.Store, opts Options) *Worker {
	opts.Workers = cmp.Or(opts.Workers, 3)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Done == nil {
		opts.Done = func(string) {}
	}
	return &Worker{store, files, opts, newFetcher(opts.URL, opts.Permit)}
}

// leaseFor is how long a worker may fetch a page before another takes it. Most of the time is
// for the picture's child process.
const leaseFor = 5 * time.Minute

// mostTries is how often a page is fetched if each fetch fails for a reason that may pass.
const mostTries = 3

// Run works off the queue until the context ends, and then gives back its unfinished pages. Run
// looks at the queue when this process has queued a page, when a fetch is over, and on each tick
// for the pages of other processes.
func (w *Worker) Run(ctx context.Context, tick <-chan time.Time) {
	bell, stop := w.store.ListenPreviews()
	defer stop()
	workers.Run(ctx, w.opts.Workers, bell, tick, func() func() {
		lease, err := w.store.TakePreview(ctx, leaseFor)
		if err != nil && ctx.Err() == nil {
			w.opts.Log.Error("no preview was taken from the queue", "err", err)
		}
		if err != nil || lease == nil {
			return nil
		}
		return func() {
			if err := w.work(ctx, lease); err != nil && ctx.Err() == nil {
				w.opts.Log.Error("a preview was not worked at", "err", err)
			}
		}
	})
}

// Work takes one page from the queue and fetches the page. Work reports whether the queue had a
// page.
func (w *Worker) Work(ctx context.Context) (more bool, err error) {
	lease, err := w.store.TakePreview(ctx, leaseFor)
	if err != nil || lease == nil {
		return false, err
	}
	return true, w.work(ctx, lease)
}

// work fetches a page, and finishes its preview. A page without a preview is not fetched again. A
// page whose fetch fails for a reason that may pass is fetched up to [mostTries] times.
func (w *Worker) work(ctx context.Context, lease *timeline.PreviewLease) error {
	err := error(errNothing) // the result if all tries ended because their workers died
	if lease.Try <= mostTries {
		err = w.make(ctx, lease)
	}
	if err == nil {
		w.opts.Done(outcomeReady)
		return nil
	}
	if ctx.Err() != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return errors.Join(err, w.store.PostponePreview(ending, *lease, 0, false))
	}
	// An administrator can do nothing about the page of a stranger, so the level is debug.
	w.opts.Log.Debug("no preview", "preview", lease.ID, "try", lease.Try, "err", err)
	switch {
	case errors.Is(err, errRefused):
		w.opts.Done(outcomeRefused)
	case errors.Is(err, errNothing):
		w.opts.Done(outcomeNone)
	default:
		w.opts.Done(outcomeFailed)
		if lease.Try < mostTries {
			return w.store.PostponePreview(ctx, *lease, waits[lease.Try-1], true)
		}
	}
	return w.store.FinishPreview(ctx, *lease, nil, nil)
}

// waits are the times until the next try.
var waits = [mostTries - 1]time.Duration{time.Minute, 10 * time.Minute}

// make fetches a page and its picture, and finishes the preview with them. If a sweep removes
// the picture before a row names it, the picture is put again.
func (w *Worker) make(ctx context.Context, lease *timeline.PreviewLease) error {
	page, err := w.fetch.page(ctx, lease.Address)
	if err != nil {
		return err
	}
	made := &timeline.Preview{Title: page.title, Site: page.site, About: page.about}
	small := w.small(ctx, lease, page.picture)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for {
		if small != nil {
			info, err := w.files.Put(ctx, bytes.NewReader(small.Bytes), int64(len(small.Bytes)))
			if err != nil {
				return fmt.Errorf("keep the picture of preview %d: %w", lease.ID, err)
			}
			made.Picture = &timeline.Rendition{
				Name: timeline.PreviewPicture, File: timeline.FileName(info.Name), MediaType: small.Format.MediaType(),
				Size: info.Size, Width: small.Width, Height: small.Height,
			}
		}
		err := w.store.FinishPreview(ctx, *lease, made, func(ctx context.Context, name timeline.FileName) (bool, error) {
			return filestore.Has(ctx, w.files, filestore.Name(name))
		})
		if !errors.Is(err, timeline.ErrFileGone) {
			return err
		}
	}
}

// leastSide is the least width and height of a picture that is shown: smaller ones are
// decoration, or are there to count readers.
const leastSide = 32

// small fetches the picture at an address and returns its small rendition, which is safe to show.
// It returns nil if the picture can't be used: the preview then has none.
func (w *Worker) small(ctx context.Context, lease *timeline.PreviewLease, address string) *picture.Rendition {
	if address == "" || w.opts.Maker == nil {
		return nil
	}
	data, err := w.fetch.picture(ctx, address)
	if err == nil && len(data) > mostPicture {
		err = picture.ErrBytes
	}
	var made picture.Rendition
	if err == nil {
		made, err = w.opts.Maker.Small(ctx, data)
	}
	if err == nil && min(made.Width, made.Height) < leastSide {
		err = errNothing
	}
	if err != nil {
		w.opts.Log.Debug("no picture of a preview", "preview", lease.ID, "err", err)
		return nil
	}
	return &made
}
