package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/filestore"
)

// Verify reads all of a backup, and compares it with its checksums. It calls say with a line for each fault, and returns the
// number of faults. An error means that the rest could not be read.
func Verify(ctx context.Context, in Repository, name string, m *Manifest, say func(line string)) (faults int, err error) {
	var mu sync.Mutex
	fault := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		faults++
		say(line)
	}
	for part, want := range map[string]Part{partDump: m.Dump, partFiles: m.List} {
		got, err := sumOf(ctx, in, name, part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fault(fmt.Sprintf("%s is missing", part))
		case err != nil:
			return faults, err
		case got.Size != want.Size:
			fault(fmt.Sprintf("%s has %d bytes, and the manifest says %d", part, got.Size, want.Size))
		case got != want:
			fault(fmt.Sprintf("%s has other bytes than the manifest says", part))
		}
	}
	if faults > 0 {
		return faults, nil // the list may be wrong
	}
	files, bytes := 0, int64(0)
	parts, reading := errgroup.WithContext(ctx)
	parts.SetLimit(filesAtOnce)
	err = eachFile(ctx, in, name, func(file filestore.Name, size int64) error {
		files, bytes = files+1, bytes+size
		parts.Go(func() error {
			err := filestore.Verify(reading, in.Files(), file)
			switch {
			case errors.Is(err, filestore.ErrNotFound):
				fault(fmt.Sprintf("file %s is missing", file))
			case errors.Is(err, filestore.ErrDamaged):
				fault(fmt.Sprintf("file %s is damaged", file))
			default:
				return err
			}
			return nil
		})
		return reading.Err()
	})
	err = cmp.Or(parts.Wait(), err)
	if err == nil && (files != m.Files || bytes != m.Bytes) {
		fault(fmt.Sprintf("the list has %d files of %d bytes, and the manifest says %d of %d", files, bytes, m.Files, m.Bytes))
	}
	return faults, err
}

// sumOf reads a part of a backup, and returns its size and checksum.
func sumOf(ctx context.Context, in Repository, name, part string) (_ Part, err error) {
	file, err := in.Open(ctx, name, part)
	if err != nil {
		return Part{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := newSummer()
	_, err = io.Copy(sum, file)
	return sum.part(), err
}
