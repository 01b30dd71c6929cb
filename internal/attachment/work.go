package attachment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// refusals are the reasons of package picture to refuse an upload, and those that its owner
// is told.
var refusals = map[error]timeline.Refusal{
	picture.ErrType: timeline.RefusedType, picture.ErrBytes: timeline.RefusedBytes, picture.ErrPixels: timeline.RefusedPixels,
	picture.ErrFrames: timeline.RefusedFrames, picture.ErrDamaged: timeline.RefusedDamaged, picture.ErrEffort: timeline.RefusedEffort,
}

// Work takes one upload from the queue and makes an attachment of the upload, or refuses it. Work
// reports whether the queue had an upload. An error that is not the upload's fault postpones the
// upload, each time for longer, up to [timeline.MaxAttachmentTries] tries.
func (k *Keeper) Work(ctx context.Context) (more bool, err error) {
	lease, err := k.store.TakeAttachment(ctx, leaseFor)
	if err != nil || lease == nil {
		return false, err
	}
	k.opts.Reached(pointTaken)
	if lease.Try > timeline.MaxAttachmentTries { // each try ended with its worker
		return true, k.refuse(ctx, lease, timeline.RefusedFailed)
	}
	err = k.work(ctx, lease)
	switch {
	case err == nil:
		k.opts.Reached(pointFinished)
		return true, nil
	case errors.Is(err, timeline.ErrNotFound): // it was deleted meanwhile
		return true, nil
	case ctx.Err() != nil:
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return true, errors.Join(err, k.store.PostponeAttachment(ending, *lease, 0, false))
	case errors.Is(err, picture.ErrNoTool):
		return true, k.refuse(ctx, lease, timeline.RefusedNoTool)
	case picture.Refusal(err) != nil:
		k.opts.Log.Info("a picture was refused", "attachment", lease.ID, "err", err)
		return true, k.refuse(ctx, lease, refusals[picture.Refusal(err)])
	case lease.Try == timeline.MaxAttachmentTries:
		return true, errors.Join(err, k.refuse(ctx, lease, timeline.RefusedFailed))
	}
	wait := time.Minute << (2 * (lease.Try - 1)) // 1, 4, 16, 64 minutes
	return true, errors.Join(err, k.store.PostponeAttachment(ctx, *lease, wait, true))
}

// refuse refuses an upload. It does nothing if the upload was deleted meanwhile.
func (k *Keeper) refuse(ctx context.Context, lease *timeline.Lease, why timeline.Refusal) error {
	err := k.store.RefuseAttachment(ctx, lease.ID, why)
	if errors.Is(err, timeline.ErrNotFound) {
		return nil
	}
	return err
}

// work creates an attachment of an upload.
func (k *Keeper) work(ctx context.Context, lease *timeline.Lease) (err error) {
	file, err := k.files.Open(ctx, filestore.Name(lease.Upload))
	if err != nil {
		return fmt.Errorf("read the upload of attachment %d: %w", lease.ID, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("read the upload of attachment %d: %w", lease.ID, err)
	}
	head = head[:n]
	if _, err := picture.Inspect(head, picture.Limits{}); errors.Is(err, picture.ErrType) {
		return k.finishFile(ctx, lease, head)
	}
	if k.opts.Maker == nil {
		return picture.ErrNoTool
	}
	// A byte more than is allowed is enough for the picture to be refused.
	most := cmp.Or(k.opts.Pictures.Bytes, picture.DefaultBytes)
	rest, err := io.ReadAll(io.LimitReader(file, int64(most+1-n)))
	if err != nil {
		return fmt.Errorf("read the upload of attachment %d: %w", lease.ID, err)
	}
	made, err := k.opts.Maker.Make(ctx, append(head, rest...))
	if err != nil {
		return err
	}
	k.opts.Reached(pointMade)
	return k.finishPicture(ctx, lease, made)
}

// finishFile turns an upload that is no picture into an attachment, unchanged.
func (k *Keeper) finishFile(ctx context.Context, lease *timeline.Lease, head []byte) error {
	kind, mediaType := typeOf(head)
	return k.store.FinishAttachment(ctx, lease.ID, timeline.FinishedFile{
		Kind: kind, MediaType: mediaType, Frames: 1,
		Renditions: []timeline.Rendition{{Name: "original", File: lease.Upload, MediaType: mediaType, Size: lease.Size}},
	}, k.kept)
}

// finishPicture keeps the renditions of a picture. If the sweep removes one of them before
// the row names it, all of them are put again: then they are new, and the sweep spares them.
func (k *Keeper) finishPicture(ctx context.Context, lease *timeline.Lease, made *picture.Picture) error {
	for {
		finished := timeline.FinishedFile{Kind: "image", MediaType: made.Original.Format.MediaType(), Frames: made.Frames}
		for _, r := range []struct {
			name string
			picture.Rendition
		}{{"original", made.Original}, {"medium", made.Medium}, {"thumb", made.Thumb}, {"grid", made.Grid}, {"grid2x", made.Grid2x}} {
			info, err := k.files.Put(ctx, bytes.NewReader(r.Bytes), int64(len(r.Bytes)))
			if err != nil {
				return fmt.Errorf("keep rendition %s of attachment %d: %w", r.name, lease.ID, err)
			}
			k.opts.Reached(pointPut)
			finished.Renditions = append(finished.Renditions, timeline.Rendition{
				Name: r.name, File: timeline.FileName(info.Name), MediaType: r.Format.MediaType(), Size: info.Size, Width: r.Width, Height: r.Height,
			})
		}
		err := k.store.FinishAttachment(ctx, lease.ID, finished, k.kept)
		if !errors.Is(err, timeline.ErrFileGone) {
			return err
		}
		k.opts.Reached(pointAgain)
	}
}
