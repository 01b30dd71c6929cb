package attachment

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// setAvatar gives the owner an avatar of an upload with so many bytes.
func (d *desk) setAvatar(length int) error {
	return d.KeepPicture(d.t.Context(), timeline.Avatar, bytes.NewReader(make([]byte, length)), picture.Crop{}, func(files timeline.PictureFiles, kept timeline.Kept) error {
		return d.store.SetUserPicture(d.t.Context(), d.owner, timeline.Avatar, files, kept)
	})
}

// TestAvatarHasItsFiles replaces an avatar. A day later a sweep removes the files of the first
// avatar and leaves both sizes of the second.
func TestAvatarHasItsFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{})
	for _, length := range []int{50, 150} {
		if err := d.setAvatar(length); err != nil {
			t.Fatal(err)
		}
	}
	d.wait(25 * time.Hour)
	if removed := d.sweep(); removed != 2 {
		t.Errorf("the sweep removed %d files, want the 2 of the first avatar", removed)
	}
	var widths []int
	for _, file := range d.files.all {
		header, err := picture.Inspect(file.bytes, picture.Limits{})
		if err != nil || header.Format != picture.JPEG {
			t.Fatalf("a file of the avatar is %s, %v", header.Format, err)
		}
		widths = append(widths, header.Width)
	}
	if slices.Sort(widths); !slices.Equal(widths, []int{100, 400}) {
		t.Errorf("the avatar has the widths %v, want 100 and 400", widths)
	}
}

// TestAvatarWhoseFilesASweepRemoves lets a day go by and a sweep run after the files were
// put and before a row names them.
func TestAvatarWhoseFilesASweepRemoves(t *testing.T) {
	t.Parallel()
	var d *desk
	again := 0
	d = newDesk(t, Options{Reached: func(point string) {
		switch {
		case point == pointPicture && again == 0:
			d.wait(25 * time.Hour)
			d.sweep()
		case point == pointAgain:
			again++
		}
	}})
	if err := d.setAvatar(50); err != nil || again != 1 {
		t.Errorf("got %v after %d further tries, want none after 1", err, again)
	}
	if n := len(d.files.all); n != 2 {
		t.Errorf("there are %d files, want 2", n)
	}
}

// TestAvatarThatCanNotBe sets avatars from files that are no pictures, on a server without the
// tool, and for a person who does not exist: nothing remains.
func TestAvatarThatCanNotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{Maker: fake{picture.ErrDamaged}})
	if err := d.setAvatar(50); !errors.Is(err, picture.ErrDamaged) {
		t.Errorf("a damaged picture: %v", err)
	}
	if n := len(d.files.all); n != 0 {
		t.Errorf("of a damaged picture %d files are left", n)
	}
	d.opts.Maker = nil
	if err := d.setAvatar(50); !errors.Is(err, picture.ErrNoTool) {
		t.Errorf("without the tool: %v", err)
	}
	d.opts.Maker, d.owner = fake{}, 1<<40
	if err := d.setAvatar(50); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("of no person: %v", err)
	}
	d.wait(25 * time.Hour)
	d.sweep()
	if n := len(d.files.all); n != 0 {
		t.Errorf("after a day %d files are left, want none", n)
	}
}
