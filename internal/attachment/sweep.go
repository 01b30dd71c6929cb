package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/timeline"
)

// sweepChunk is how many files the sweep asks the primary about at once.
const sweepChunk = 1000

// Sweep removes the files that no attachment names and that were stored more than a day ago, and
// returns their number. Any number of processes may sweep at the same time, while others store
// the same files; see [timeline.Store.RemoveFile].
func (k *Keeper) Sweep(ctx context.Context) (removed int, err error) {
	err = k.eachUnneeded(ctx, func(name timeline.FileName) error {
		gone, err := k.remove(ctx, filestore.Name(name))
		if gone {
			removed++
		}
		return err
	})
	if err != nil {
		return removed, fmt.Errorf("sweep: %w", err)
	}
	return removed, nil
}

// eachUnneeded calls yield for each file that no row names and that was stored more than a day
// ago, until yield returns an error.
func (k *Keeper) eachUnneeded(ctx context.Context, yield func(timeline.FileName) error) error {
	var old []timeline.FileName
	flush := func() error {
		unneeded, err := k.store.UnneededFiles(ctx, old)
		if err != nil {
			return err
		}
		old = old[:0]
		for _, name := range unneeded {
			if err := yield(name); err != nil {
				return err
			}
		}
		return nil
	}
	for info, err := range k.files.List(ctx) {
		if err != nil {
			return err
		}
		if !k.old(info) {
			continue
		}
		if old = append(old, timeline.FileName(info.Name)); len(old) == sweepChunk {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// old reports whether a file was stored so long ago that no row will name it unless it is stored
// again.
func (k *Keeper) old(info filestore.Info) bool { return k.opts.Now().Sub(info.Put) > orphanFor }

// remove removes a file that no attachment names, and reports whether it did.
//
// A file store knows no locks. If the connection to the primary breaks, the lock of the name ends,
// and the file may have been removed after a row had come to name the file. So remove holds a copy of
// the file until the transaction is committed, which proves that the lock lasted; else the copy is
// put again. An unneeded file that is put again is removed a day later.
func (k *Keeper) remove(ctx context.Context, name filestore.Name) (gone bool, err error) {
	k.opts.Reached(pointUnneeded)
	var held *os.File
	defer func() { err = errors.Join(err, closed(held)) }()
	unneeded, err := k.store.RemoveFile(ctx, timeline.FileName(name), func(ctx context.Context) error {
		gone = false
		// The same bytes may have been put again since the file was listed.
		copied, err := k.copyOld(ctx, name)
		if err != nil || copied == nil {
			return err
		}
		if err := closed(held); err != nil { // of a try of the transaction before
			return errors.Join(err, closed(copied))
		}
		held = copied
		if err := k.files.Remove(ctx, name); err != nil {
			return err
		}
		gone = true
		return nil
	})
	if !unneeded && held != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), putAgainFor)
		defer cancel()
		_, putting := held.Seek(0, io.SeekStart)
		if putting == nil {
			_, putting = k.files.Put(ending, held, math.MaxInt64-1)
		}
		err = errors.Join(err, putting)
	}
	if err != nil {
		return false, err
	}
	k.opts.Reached(pointRemoved)
	return gone && unneeded, nil
}

// putAgainFor is how long storing a file again may take after its sweep has failed.
const putAgainFor = time.Minute

// copyOld returns a copy of a file stored more than a day ago, or nil for a younger or missing
// file. The copy is a temporary file without a name, because a file may be too large for memory.
func (k *Keeper) copyOld(ctx context.Context, name filestore.Name) (copied *os.File, err error) {
	file, err := k.files.Open(ctx, name)
	if errors.Is(err, filestore.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if !k.old(file.Info()) {
		return nil, nil
	}
	if copied, err = os.CreateTemp("", "amstel-sweep-*"); err != nil {
		return nil, err
	}
	if err = os.Remove(copied.Name()); err == nil {
		_, err = io.Copy(copied, file)
	}
	if err != nil {
		return nil, errors.Join(err, copied.Close())
	}
	return copied, nil
}

// closed closes a file, if there is one.
func closed(file *os.File) error {
	if file == nil {
		return nil
	}
	return file.Close()
}
