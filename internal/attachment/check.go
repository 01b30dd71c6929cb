package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
)

// A CheckSum counts the files that [Keeper.Check] looked for and the faults that it found.
type CheckSum struct {
	Needed   int // files that rows name, counted once for each such row
	Missing  int // needed files that the file store lacks
	Damaged  int // needed files with bytes that do not match their names
	Unneeded int // files that no row names, and that the next sweep would remove
}

// Check compares the file store with the rows, and calls say with a line for each difference.
// If read is set, Check reads the bytes of each file; else it only looks whether the file is
// there. Check changes nothing, and nodes may run meanwhile.
func (k *Keeper) Check(ctx context.Context, read bool, say func(line string)) (sum CheckSum, err error) {
	err = k.store.FileUses(ctx, func(use timeline.FileUse) error {
		sum.Needed++
		wrong, err := k.inspect(ctx, use.File, read)
		if err != nil || wrong == nil {
			return err
		}
		// The row may have gone since it was read.
		if unneeded, err := k.store.UnneededFiles(ctx, []timeline.FileName{use.File}); err != nil || len(unneeded) > 0 {
			return err
		}
		if errors.Is(wrong, filestore.ErrNotFound) {
			sum.Missing++
			say(fmt.Sprintf("file %s is missing: %s", use.File, use.By))
		} else {
			sum.Damaged++
			say(fmt.Sprintf("file %s is damaged: %s", use.File, use.By))
		}
		return nil
	})
	if err != nil {
		return sum, err
	}
	err = k.eachUnneeded(ctx, func(name timeline.FileName) error {
		sum.Unneeded++
		say(fmt.Sprintf("file %s is not needed; the daily sweep removes it", name))
		return nil
	})
	return sum, err
}

// inspect returns what is wrong with a file: [filestore.ErrNotFound], [filestore.ErrDamaged],
// or nil.
func (k *Keeper) inspect(ctx context.Context, name timeline.FileName, read bool) (wrong, err error) {
	if read {
		err = filestore.Verify(ctx, k.files, filestore.Name(name))
	} else {
		var file io.Closer
		if file, err = k.files.Open(ctx, filestore.Name(name)); err == nil {
			return nil, file.Close()
		}
	}
	if errors.Is(err, filestore.ErrNotFound) || errors.Is(err, filestore.ErrDamaged) {
		return err, nil
	}
	return nil, err
}
