package attachment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// pictureSizes are the sizes of the small and the large file of a picture, in pixels.
// Clients show avatars in 50 x 50, and screens may have two pixels a point.
var pictureSizes = map[timeline.PictureRole][2]image.Point{
	timeline.Avatar: {{100, 100}, {400, 400}},
	timeline.Cover:  {{800, 200}, {1600, 400}},
}

// KeepPicture cuts an avatar or a cover out of an upload, puts its two files into the file store,
// and calls set, which stores their names in a row. If the sweep removes one of the files before the
// row is committed, both files are put and set is called again. If the upload is at fault,
// [picture.Refusal] returns why.
// As many uploads as there are workers are in memory at a time; others wait.
func (k *Keeper) KeepPicture(ctx context.Context, role timeline.PictureRole, upload io.Reader, crop picture.Crop,
	set func(timeline.PictureFiles, timeline.Kept) error,
) error {
	cut, err := k.cut(ctx, role, upload, crop)
	if err != nil {
		return err
	}
	for {
		var names [2]timeline.FileName
		for i, r := range cut {
			info, err := k.files.Put(ctx, bytes.NewReader(r.Bytes), int64(len(r.Bytes)))
			if err != nil {
				return fmt.Errorf("keep a file of an %s: %w", role, err)
			}
			names[i] = timeline.FileName(info.Name)
		}
		k.opts.Reached(pointPicture)
		err := set(timeline.PictureFiles{Small: names[0], Large: names[1]}, k.kept)
		if !errors.Is(err, timeline.ErrFileGone) {
			return err
		}
		k.opts.Reached(pointAgain)
	}
}

// cut returns the small and the large file of an avatar or a cover.
func (k *Keeper) cut(ctx context.Context, role timeline.PictureRole, from io.Reader, crop picture.Crop) (cut [2]picture.Rendition, err error) {
	if k.opts.Maker == nil {
		return cut, picture.ErrNoTool
	}
	select {
	case k.cutting <- struct{}{}:
		defer func() { <-k.cutting }()
	case <-ctx.Done():
		return cut, ctx.Err()
	}
	// A byte more than is allowed is enough for the picture to be refused.
	most := cmp.Or(k.opts.Pictures.Bytes, picture.DefaultBytes)
	upload, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err != nil {
		return cut, fmt.Errorf("read the upload of an %s: %w", role, err)
	}
	pixels, err := k.opts.Maker.Flat(ctx, upload)
	if err != nil {
		return cut, err
	}
	for i, size := range pictureSizes[role] {
		if cut[i], err = picture.Cut(pixels, crop, size.X, size.Y); err != nil {
			return cut, err
		}
	}
	return cut, nil
}
