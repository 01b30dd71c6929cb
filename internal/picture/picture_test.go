package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func maker(t testing.TB, limits Limits) *Maker {
	t.Helper()
	m, err := New(limits, 2)
	if errors.Is(err, ErrNoTool) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func made(t testing.TB, upload []byte) *Picture {
	t.Helper()
	p, err := maker(t, Limits{}).Make(t.Context(), upload)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *Picture) renditions() map[string]Rendition {
	return map[string]Rendition{"original": p.Original, "medium": p.Medium, "thumb": p.Thumb, "grid": p.Grid, "grid 2x": p.Grid2x}
}

// TestMakeRenditions checks the size and the format of each rendition. Mokum had 1100 x 619
// and 300 x 169 of 1280 x 720.
func TestMakeRenditions(t *testing.T) {
	t.Parallel()
	p := made(t, asJPEGBytes(t, flag(1280, 720)))
	for name, want := range map[string]Rendition{
		"original": {JPEG, 1280, 720, nil}, "medium": {JPEG, 1100, 619, nil}, "thumb": {JPEG, 300, 169, nil},
		"grid": {WebP, 660, 371, nil}, "grid 2x": {WebP, 1280, 720, nil},
	} {
		got := p.renditions()[name]
		if got.Format != want.Format || got.Width != want.Width || got.Height != want.Height {
			t.Errorf("%s is %s of %d x %d, want %s of %d x %d", name, got.Format, got.Width, got.Height, want.Format, want.Width, want.Height)
		}
		m := decoded(t, got)
		if size := m.Bounds().Size(); size != (image.Point{want.Width, want.Height}) {
			t.Errorf("%s has %v pixels, want %d x %d", name, size, want.Width, want.Height)
		}
		if c := m.At(want.Width/4, want.Height/4); !near(c, red) {
			t.Errorf("%s has %v at its top left, want red", name, c)
		}
	}
	if p.Uploaded != JPEG || p.Frames != 1 || p.Transparent {
		t.Errorf("it is said to be %s of %d frames, transparent %v", p.Uploaded, p.Frames, p.Transparent)
	}
}

// TestMakeNeverEnlarges checks a picture that is smaller than every rendition.
func TestMakeNeverEnlarges(t *testing.T) {
	t.Parallel()
	for name, v := range made(t, asPNGBytes(t, flag(40, 30))).renditions() {
		if v.Width != 40 || v.Height != 30 {
			t.Errorf("%s is %d x %d, want 40 x 30", name, v.Width, v.Height)
		}
	}
}

// TestMakeEveryFormat checks, for each format, the formats of its renditions. The colours
// remain; the metadata do not.
func TestMakeEveryFormat(t *testing.T) {
	t.Parallel()
	opaque := photo(t, flag(64, 48), 1)
	glass := flag(64, 48)
	for x := range 8 {
		glass.SetNRGBA(63-x, 47, color.NRGBA{})
	}
	withText := withChunk(asPNGBytes(t, glass), "tEXt", []byte("Comment\x00"+secret))
	comment := append([]byte{0x21, 0xfe, byte(len(secret))}, append([]byte(secret), 0)...)
	still := moving(t, 64, 48, 1)
	for _, tt := range []struct {
		name        string
		upload      []byte
		uploaded    Format
		original    Format
		still       Format
		transparent bool
	}{
		{"JPEG", opaque, JPEG, JPEG, JPEG, false},
		{"progressive JPEG", converted(t, opaque, "stdin", ".jpg[interlace]"), JPEG, JPEG, JPEG, false},
		{"PNG", withChunk(asPNGBytes(t, flag(64, 48)), "eXIf", exif(1)), PNG, PNG, JPEG, false},
		{"transparent PNG", withText, PNG, PNG, PNG, true},
		{"GIF", append(append(bytes.Clone(still[:len(still)-1]), comment...), 0x3b), GIF, GIF, JPEG, false},
		{"WebP", converted(t, opaque, "stdin", ".webp[Q=95]"), WebP, WebP, JPEG, false},
		{"transparent WebP", converted(t, withChunk(asPNGBytes(t, glass), "eXIf", exif(1)), "stdin", ".webp[lossless]"), WebP, WebP, PNG, true},
		{"AVIF", converted(t, opaque, "stdin", ".avif[Q=90,effort=0]"), AVIF, JPEG, JPEG, false},
		{"transparent AVIF", converted(t, withChunk(asPNGBytes(t, glass), "eXIf", exif(1)), "stdin", ".avif[Q=90,effort=0]"), AVIF, PNG, PNG, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if !bytes.Contains(tt.upload, []byte(secret)) {
				t.Fatal("the upload has no metadata to lose")
			}
			p := made(t, tt.upload)
			if p.Uploaded != tt.uploaded || p.Transparent != tt.transparent {
				t.Errorf("it is %s, transparent %v", p.Uploaded, p.Transparent)
			}
			for name, v := range p.renditions() {
				want := map[string]Format{"original": tt.original, "medium": tt.still, "thumb": tt.still, "grid": WebP, "grid 2x": WebP}[name]
				if v.Format != want {
					t.Errorf("%s is %s, want %s", name, v.Format, want)
				}
				for _, trace := range []string{secret, "Exif", "EXIF", "xmp", "ICC"} {
					if bytes.Contains(v.Bytes, []byte(trace)) {
						t.Errorf("%s has %q in it", name, trace)
					}
				}
				if c := decoded(t, v).At(10, 10); !near(c, red) {
					t.Errorf("%s has %v at its top left, want red", name, c)
				}
			}
		})
	}
}

// TestMakeTurnsPictures checks the eight ways of holding a camera.
func TestMakeTurnsPictures(t *testing.T) {
	t.Parallel()
	turner := maker(t, Limits{})
	// The colours that are seen at the top left and right and the bottom left and right,
	// of a picture that is stored as red and green above blue and white.
	for orientation, seen := range [][4]color.NRGBA{
		1: {red, green, blue, white}, 2: {green, red, white, blue}, 3: {white, blue, green, red}, 4: {blue, white, red, green},
		5: {red, blue, green, white}, 6: {blue, red, white, green}, 7: {white, green, blue, red}, 8: {green, white, red, blue},
	} {
		if orientation == 0 {
			continue
		}
		v, _, err := turner.rendition(t.Context(), photo(t, flag(80, 40), orientation), Header{Frames: 1}, mediumBox, asPNG)
		if err != nil {
			t.Fatal(err)
		}
		width, height := 80, 40
		if orientation >= 5 {
			width, height = 40, 80
		}
		if v.Width != width || v.Height != height {
			t.Errorf("orientation %d: %d x %d, want %d x %d", orientation, v.Width, v.Height, width, height)
			continue
		}
		m := decoded(t, v)
		for i, want := range seen {
			x, y := width/4+i%2*width/2, height/4+i/2*height/2
			if got := m.At(x, y); !near(got, want) {
				t.Errorf("orientation %d: %v at %d,%d, want %v", orientation, got, x, y, want)
			}
		}
	}
}

// TestMakeKeepsColours: a colour profile is applied before it is removed.
func TestMakeKeepsColours(t *testing.T) {
	t.Parallel()
	plain := asJPEGBytes(t, flag(64, 48))
	p := made(t, withSegments(plain, segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), swapped()...))))
	for name, v := range p.renditions() {
		c := color.NRGBAModel.Convert(decoded(t, v).At(10, 10)).(color.NRGBA)
		if c.G < 150 || c.R > 100 {
			t.Errorf("%s has %v where the profile says green", name, c)
		}
	}
}

// TestMakeReadsAllPixels checks pixels of every kind, and invalid profiles.
func TestMakeReadsAllPixels(t *testing.T) {
	t.Parallel()
	m := maker(t, Limits{})
	grey, grey16, deep := image.NewGray(image.Rect(0, 0, 8, 8)), image.NewGray16(image.Rect(0, 0, 8, 8)), image.NewNRGBA64(image.Rect(0, 0, 8, 8))
	pale := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{red})
	for y := range 8 {
		for x := range 8 {
			grey.Set(x, y, color.Gray{113})
			grey16.Set(x, y, color.Gray{113})
			deep.Set(x, y, blue)
		}
	}
	none := []byte("none\x00\x00\x78\x9c\x03\x00\x00\x00\x00\x01")
	for _, tt := range []struct {
		name   string
		upload []byte
		want   color.Color
	}{
		{"grey PNG", asPNGBytes(t, grey), color.Gray{113}},
		{"grey PNG of 16 bits", asPNGBytes(t, grey16), color.Gray{113}},
		{"grey JPEG", asJPEGBytes(t, grey), color.Gray{113}},
		{"PNG of 16 bits", asPNGBytes(t, deep), blue},
		{"PNG with a palette", asPNGBytes(t, pale), red},
		{"PNG with a profile that is none", withChunk(asPNGBytes(t, deep), "iCCP", none), blue},
		{"grey PNG with a profile that is none", withChunk(asPNGBytes(t, grey), "iCCP", none), color.Gray{113}},
		{"JPEG with a profile that is none", withSegments(asJPEGBytes(t, deep), segment(0xe2, []byte("ICC_PROFILE\x00\x01\x01none"))), blue},
		{"grey JPEG with a profile for colours", withSegments(asJPEGBytes(t, grey), segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), swapped()...))), color.Gray{113}},
		{"CMYK JPEG", converted(t, asPNGBytes(t, flag(64, 48)), "stdin", ".jpg", "--import-profile", "srgb", "--export-profile", "cmyk"), red},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			header, err := Inspect(tt.upload, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			v, _, err := m.rendition(t.Context(), tt.upload, header, mediumBox, asPNG)
			if err != nil {
				t.Fatal(err)
			}
			if got := decoded(t, v).At(4, 4); !near(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestMakeMovingPictures: the original keeps moving, and the other renditions stand still.
func TestMakeMovingPictures(t *testing.T) {
	t.Parallel()
	p := made(t, moving(t, 64, 48, 5))
	if p.Frames != 5 || p.Original.Format != GIF {
		t.Fatalf("%d frames of %s, want 5 of GIF", p.Frames, p.Original.Format)
	}
	all, err := gif.DecodeAll(bytes.NewReader(p.Original.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Image) != 5 || all.Delay[1] != 7 || all.LoopCount != 0 {
		t.Errorf("the original has %d frames, a delay of %d and %d loops; want 5, 7 and 0", len(all.Image), all.Delay[1], all.LoopCount)
	}
	for name, v := range p.renditions() {
		if name != "original" && !near(decoded(t, v).At(10, 10), red) {
			t.Errorf("%s is not the first frame", name)
		}
	}

	p = made(t, converted(t, moving(t, 64, 48, 5), "stdin[n=-1]", ".webp"))
	header, err := Inspect(p.Original.Bytes, Limits{})
	if err != nil || header != (Header{WebP, 64, 48, 5, false}) || p.Frames != 5 {
		t.Errorf("the WebP is %+v of %d frames (%v), want 5 of 64 x 48", header, p.Frames, err)
	}
	if p.Medium.Format != JPEG || !near(decoded(t, p.Medium).At(10, 10), red) {
		t.Errorf("the medium rendition is %s, and not the first frame", p.Medium.Format)
	}
}

// TestMakeEndsWithItsContext: the end of a request is not the picture's fault.
func TestMakeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := maker(t, Limits{}).Make(ctx, asPNGBytes(t, flag(8, 8))); !errors.Is(err, context.Canceled) || Refusal(err) != nil {
		t.Errorf("got %v", err)
	}
}

// tool returns a maker that uses a script as its tool.
func tool(t *testing.T, script string, limits Limits) *Maker {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Maker{path, limits.orDefault(), make(chan struct{}, 1)}
}

// TestChildIsLimited checks how each end of a child process is told.
func TestChildIsLimited(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, script string
		limits       Limits
		want         error // nil: an error that is not the picture's fault
	}{
		{"it takes too long", "while :; do :; done", Limits{CPU: time.Second}, ErrEffort},
		{"it takes too much memory", `x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done`, Limits{Memory: 64 << 20}, ErrEffort},
		{"it crashes", "kill -SEGV $$", Limits{}, ErrEffort},
		{"it writes without end", "exec yes", Limits{Output: 1 << 20}, ErrEffort},
		{"it complains without end", "i=0; while [ $i -lt 3000 ]; do echo bad input >&2; i=$((i+1)); done; exit 255", Limits{}, ErrDamaged},
		{"it hangs", "exec sleep 1000", Limits{Wall: time.Millisecond}, nil},
		{"it can't start a thread", "echo 'glib: Error creating thread: Resource temporarily unavailable' >&2; exit 255", Limits{}, nil},
		{"it writes what is no picture", "echo hello", Limits{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tool(t, tt.script, tt.limits).Make(t.Context(), asPNGBytes(t, flag(8, 8)))
			if err == nil || !errors.Is(Refusal(err), tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err != nil && len(err.Error()) > 2*complaints {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	t.Run("it is not there", func(t *testing.T) {
		t.Parallel()
		m := &Maker{"/nowhere/tool", Limits{}.orDefault(), make(chan struct{}, 1)}
		if _, err := m.Make(t.Context(), asPNGBytes(t, flag(8, 8))); err == nil || Refusal(err) != nil {
			t.Errorf("got %v", err)
		}
	})
}

// TestChildKnowsNothing: no setting of the server reaches a child process.
func TestChildKnowsNothing(t *testing.T) {
	t.Setenv("AMSTEL_SECRET", secret)
	m := tool(t, "env >&2; exit 255", Limits{})
	_, err := m.Make(t.Context(), asPNGBytes(t, flag(8, 8)))
	if !errors.Is(err, ErrDamaged) || !bytes.Contains([]byte(err.Error()), []byte("VIPS_BLOCK_UNTRUSTED=1")) {
		t.Fatalf("the tool did not print its environment: %v", err)
	}
	if bytes.Contains([]byte(err.Error()), []byte(secret)) {
		t.Errorf("the child process has the server's environment: %v", err)
	}
}
