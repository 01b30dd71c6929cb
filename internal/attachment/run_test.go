package attachment

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	jpg "image/jpeg"
	"os"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// TestRunMakesPicturesInAFolder: two processes process uploads, with the real tool and a folder.
// One is woken by its own upload, and the other by a tick, for an upload of the first.
func TestRunMakesPicturesInAFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes that make pictures")
	}
	t.Parallel()
	maker, err := picture.New(picture.Limits{}, 2)
	if errors.Is(err, picture.ErrNoTool) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filestore.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	url := pgtest.URL(t)
	finished := make(chan struct{}, 2)
	opts := Options{Maker: maker, Reached: func(point string) {
		if point == pointFinished {
			finished <- struct{}{}
		}
	}}
	keeper := func() *Keeper {
		return New(timeline.New(pgtest.Open(t, url), timeline.Options{Argon: pgtest.Argon}), files, opts)
	}
	one, other := keeper(), keeper()
	owner, err := one.store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"})
	if err != nil {
		t.Fatal(err)
	}
	receive := func(shade uint8) {
		t.Helper()
		photo := photograph(t, 900, 600, shade)
		_, err := one.Receive(t.Context(), owner, timeline.NewAttachment{FileName: "canal.jpg", Size: int64(len(photo))}, bytes.NewReader(photo))
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(k *Keeper, tick <-chan time.Time) (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { k.Run(ctx, tick) })
		return func() { cancel(); running.Wait() }
	}
	wait := func() {
		t.Helper()
		select {
		case <-finished:
		case <-time.After(time.Minute):
			t.Fatal("no upload was finished")
		}
	}

	stop := run(one, nil)
	receive(10)
	wait()
	stop()
	tick := make(chan time.Time)
	stop = run(other, tick)
	defer stop()
	tick <- time.Time{} // the queue is empty, and the worker waits again
	receive(200)
	tick <- time.Time{}
	wait()

	all, err := one.store.UnattachedFiles(t.Context(), owner)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	for _, f := range all {
		sizes := make(map[string]image.Point)
		for _, r := range f.Renditions {
			file, err := files.Open(t.Context(), filestore.Name(r.File))
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			if info := file.Info(); info.Size != r.Size || r.Size == 0 {
				t.Errorf("%s has %d bytes, and its row says %d", r.Name, info.Size, r.Size)
			}
			file.Close()
			sizes[r.Name] = image.Pt(r.Width, r.Height)
		}
		if f.State != timeline.AttachmentReady || sizes["original"] != image.Pt(900, 600) || sizes["thumb"] != image.Pt(300, 200) || len(sizes) != 5 {
			t.Errorf("%s: %v", f.State, sizes)
		}
	}
}

// photograph returns a JPEG of one shade and this size in pixels.
func photograph(t *testing.T, width, height int, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetGray(x, y, color.Gray{Y: shade + uint8(x^y)/8})
		}
	}
	var b bytes.Buffer
	if err := jpg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
