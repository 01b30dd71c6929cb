package exporter_test

import (
	"context"
	"image"
	"image/color"
	"io"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// A plainMaker makes renditions of any upload. The renditions are texts, not pictures.
type plainMaker struct{}

func (plainMaker) Make(_ context.Context, upload []byte) (*picture.Picture, error) {
	r := func(name string) picture.Rendition {
		return picture.Rendition{Format: picture.JPEG, Width: 30, Height: 20, Bytes: append([]byte(name+" of "), upload...)}
	}
	return &picture.Picture{Uploaded: picture.JPEG, Frames: 1, Original: r("original"), Medium: r("medium"), Thumb: r("thumb"), Grid: r("grid"), Grid2x: r("grid2x")}, nil
}

// Flat returns pixels of one shade, which depends on the length of the upload.
func (plainMaker) Flat(_ context.Context, upload []byte) (image.Image, error) {
	m := image.NewGray(image.Rect(0, 0, 60, 60))
	for i := range m.Pix {
		m.Pix[i] = byte(len(upload))
	}
	m.SetGray(1, 1, color.Gray{Y: 255})
	return m, nil
}

// withFiles returns a site on which anna has an avatar and a cover, a post with a picture and a text, and a
// comment with another picture.
func withFiles(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	anna, err := s.store.SignUp(ctx, timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
	must(err)
	keeper := attachment.New(s.store, s.files, attachment.Options{Maker: plainMaker{}})
	upload := func(name, bytes string) timeline.AttachmentID {
		id, err := keeper.Receive(ctx, anna, timeline.NewAttachment{FileName: name, Alt: "seen on " + name, Size: int64(len(bytes))}, strings.NewReader(bytes))
		must(err)
		return id
	}
	boat, notes, ferry := upload("boat.jpg", "\xff\xd8\xffa boat"), upload("notes.txt", "the notes of a captain\n"), upload("ferry.jpg", "\xff\xd8\xffa ferry")
	for more := true; more; {
		more, err = keeper.Work(ctx)
		must(err)
	}
	post, err := s.store.CreatePost(ctx, anna, timeline.NewPost{To: []string{"user"}, Text: "on the river", Files: timeline.Files{IDs: []timeline.AttachmentID{boat, notes}}})
	must(err)
	_, err = s.store.AddComment(ctx, anna, post, timeline.NewComment{Text: "and back", Files: timeline.Files{IDs: []timeline.AttachmentID{ferry}}})
	must(err)
	for _, role := range []timeline.PictureRole{timeline.Avatar, timeline.Cover} {
		must(keeper.KeepPicture(ctx, role, strings.NewReader("a face"), picture.Crop{}, func(files timeline.PictureFiles, kept timeline.Kept) error {
			return s.store.SetUserPicture(ctx, anna, role, files, kept)
		}))
	}
	return s
}

// contents returns the contents of the files in the site's store, by their names.
func (s *site) contents() map[filestore.Name]string {
	s.t.Helper()
	all := make(map[filestore.Name]string)
	for info, err := range s.files.List(s.t.Context()) {
		if err != nil {
			s.t.Fatal(err)
		}
		file, err := s.files.Open(s.t.Context(), info.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		_ = file.Close()
		if err != nil {
			s.t.Fatal(err)
		}
		all[info.Name] = string(text)
	}
	return all
}

// TestRestoredFilesExportTheSame: an export has the bytes of each attachment, avatar and cover. A site that
// is restored from the export has them too, so its own export is the same.
func TestRestoredFilesExportTheSame(t *testing.T) {
	t.Parallel()
	from := withFiles(t)
	want := from.export(0)
	if len(from.lost) > 0 {
		t.Fatalf("the export lacks %v", from.lost)
	}
	to := newSite(t)
	to.take(want, true, 0)
	same(t, want, to.export(0))
	if len(to.lost) > 0 {
		t.Errorf("the restored site lacks %v", to.lost)
	}
	to.sound()
	there, kept := from.contents(), to.contents()
	uses := 0
	if err := to.store.FileUses(t.Context(), func(use timeline.FileUse) error {
		name := filestore.Name(use.File)
		if uses++; kept[name] == "" || kept[name] != there[name] {
			t.Errorf("the restored file %s, of %s, has %q, want %q", use.File, use.By, kept[name], there[name])
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if uses < 5+1+5+2+2 {
		t.Errorf("the restored site needs %d files only", uses)
	}
	if len(kept) < 13 { // the avatar and the cover must have different files
		t.Errorf("the restored site has %d files", len(kept))
	}
}
