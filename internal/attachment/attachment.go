// Package attachment turns uploads into attachments: it receives the bytes, finds their type,
// makes the renditions of pictures, and removes the files that no attachment needs any more.
//
// All state is in the rows of package timeline, and all bytes are in a [filestore.Store]. So a
// process may die at any point, and any other process continues its work.
package attachment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"sync"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// A Maker creates the renditions of pictures, as [picture.Maker] does.
type Maker interface {
	Make(ctx context.Context, upload []byte) (*picture.Picture, error)
	Flat(ctx context.Context, upload []byte) (image.Image, error)
}

// A Keeper receives uploads, works off their queue and sweeps the file store. It is for use
// by many goroutines, and many processes may have one each.
type Keeper struct {
	store   *timeline.Store
	files   filestore.Store
	opts    Options
	cutting chan struct{} // one for each avatar or cover whose upload is in memory
}

// Options are the settings of a Keeper. A zero means the default.
type Options struct {
	Limits   timeline.AttachmentLimits
	Pictures picture.Limits
	Maker    Maker            // nil: pictures are refused
	Workers  int              // how many uploads are processed at the same time; 2
	Now      func() time.Time // the clock of the machine
	Log      *slog.Logger     // nothing is logged
	// Reached is called with the name of each point in the work; a test can kill the process at
	// the point. It may be nil.
	Reached func(point string)
}

// The points at which [Options.Reached] is called. A process that dies at one of them leaves
// something half done.
const (
	pointReserved = "attachment: reserved"  // there is room for an upload
	pointStored   = "attachment: stored"    // the upload is in the file store, and no row says so
	pointQueued   = "attachment: queued"    // the upload is queued
	pointTaken    = "attachment: taken"     // a worker has taken an upload from the queue
	pointMade     = "attachment: made"      // the renditions are made
	pointPut      = "attachment: put"       // one of the renditions is in the file store
	pointFinished = "attachment: finished"  // the attachment is ready
	pointPicture  = "attachment: picture"   // the files of an avatar or a cover are in the file store, and no row says so
	pointUnneeded = "attachment: unneeded"  // the sweep is about to remove a file
	pointRemoved  = "attachment: removed"   // the sweep has looked, and removed the file if no row named it
	pointAgain    = "attachment: put again" // a file was removed before a row named it
)

// How long a worker may work on an upload before another takes it, and how long a file stays
// without a row that names it.
const (
	leaseFor  = 15 * time.Minute
	orphanFor = 24 * time.Hour
)

// New returns a keeper.
func New(store *timeline.Store, files filestore.Store, opts Options) *Keeper {
	opts.Workers = cmp.Or(opts.Workers, 2)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Limits = opts.Limits.OrDefault()
	return &Keeper{store, files, opts, make(chan struct{}, opts.Workers)}
}

// Limits returns what may be uploaded.
func (k *Keeper) Limits() timeline.AttachmentLimits { return k.opts.Limits }

// Open opens a file for reading, until its context ends.
func (k *Keeper) Open(ctx context.Context, name timeline.FileName) (io.ReadSeekCloser, error) {
	return k.files.Open(ctx, filestore.Name(name))
}

// Receive stores an upload and queues it, and returns the id of the future attachment. Its
// errors are those of [timeline.Store.ReserveAttachment]. An upload with more bytes than
// announced is a [timeline.QuotaError] too. An interrupted upload leaves nothing.
func (k *Keeper) Receive(ctx context.Context, owner timeline.UserID, a timeline.NewAttachment, from io.Reader) (timeline.AttachmentID, error) {
	id, most, err := k.store.ReserveAttachment(ctx, owner, a, k.opts.Limits)
	if err != nil {
		return 0, err
	}
	k.opts.Reached(pointReserved)
	if err := k.receive(ctx, owner, id, most, from); err != nil {
		// Free the room even if ctx has ended.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if _, removing := k.store.RemoveAttachment(ending, owner, id); !errors.Is(removing, timeline.ErrNotFound) {
			err = errors.Join(err, removing)
		}
		return 0, err
	}
	k.opts.Reached(pointQueued)
	return id, nil
}

func (k *Keeper) receive(ctx context.Context, owner timeline.UserID, id timeline.AttachmentID, most int64, from io.Reader) error {
	info, err := k.files.Put(ctx, from, most)
	if errors.Is(err, filestore.ErrTooLarge) {
		return &timeline.QuotaError{What: "file", Limit: most, Left: most}
	}
	if err != nil {
		return fmt.Errorf("keep an upload: %w", err)
	}
	k.opts.Reached(pointStored)
	// The file was stored just now, and the sweep spares it for a day: it can be gone only if
	// this process stood still for so long.
	return k.store.ReceiveAttachment(ctx, owner, id, timeline.FileName(info.Name), info.Size, k.kept)
}

// kept reports whether the file store has a file, as [timeline.Kept].
func (k *Keeper) kept(ctx context.Context, name timeline.FileName) (bool, error) {
	return filestore.Has(ctx, k.files, filestore.Name(name))
}

// Run processes the queue until the context ends, and then puts back its unfinished uploads. It
// looks at the queue when this process has queued an upload, and on each tick for the uploads of
// other processes.
func (k *Keeper) Run(ctx context.Context, tick <-chan time.Time) {
	bell, stop := k.store.ListenUploads()
	defer stop()
	for {
		var all sync.WaitGroup
		for range k.opts.Workers {
			all.Go(func() { k.workOff(ctx) })
		}
		all.Wait()
		select {
		case <-ctx.Done():
			return
		case <-bell:
		case <-tick:
		}
	}
}

// workOff works until nothing in the queue is due.
func (k *Keeper) workOff(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := k.Work(ctx)
		if err != nil && ctx.Err() == nil {
			k.opts.Log.Error("an upload was not worked at", "err", err)
		}
		if !more {
			return
		}
	}
}
