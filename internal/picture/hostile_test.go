package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
)

// claims returns a PNG with a size in its header, but without the pixels.
func claims(t testing.TB, width, height uint32) []byte {
	t.Helper()
	data := asPNGBytes(t, flag(8, 8))
	header := append([]byte("IHDR"), data[16:29]...)
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	return append(withChunk(data, "IHDR", header[4:])[:8:8], withChunk(data, "IHDR", header[4:])[33:]...)
}

// claimsAVIF returns an AVIF picture with a wrong size in its header.
func claimsAVIF(t testing.TB, width, height uint32) []byte {
	t.Helper()
	data := converted(t, asPNGBytes(t, flag(64, 48)), "stdin", ".avif[effort=0]")
	at := bytes.Index(data, []byte("ispe"))
	if at < 0 {
		t.Fatal("the AVIF has no size")
	}
	binary.BigEndian.PutUint32(data[at+8:], width)
	binary.BigEndian.PutUint32(data[at+12:], height)
	return data
}

// hugeFrame is a GIF of 8 x 8 pixels with a frame of 60,000 x 60,000: its header, the
// frame's with a palette of two colours, no pixels, and the end.
const hugeFrame = "GIF89a\x08\x00\x08\x00\x00\x00\x00" + ",\x00\x00\x00\x00\x60\xea\x60\xea\x80abcdef" + "\x02\x00" + ";"

// resized returns a GIF with a false size.
func resized(data []byte, width, height uint16) []byte {
	binary.LittleEndian.PutUint16(data[6:], width)
	binary.LittleEndian.PutUint16(data[8:], height)
	return data
}

// TestMakeRefuses: a hostile file, a broken one, or one without a picture causes an error with
// the reason.
func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	m := maker(t, Limits{})
	whole := asJPEGBytes(t, flag(640, 480))
	noise := image.NewGray(image.Rect(0, 0, 256, 256))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 3)
	}
	png := asPNGBytes(t, noise)
	damaged := bytes.Clone(png)
	damaged[len(damaged)/2] ^= 0xff
	webp := converted(t, png, "stdin", ".webp")
	avif := converted(t, png, "stdin", ".avif[effort=0]")
	for _, tt := range []struct {
		name   string
		upload []byte
		want   error
	}{
		{"nothing", nil, ErrType},
		{"text", []byte("hello"), ErrType},
		{"an SVG with a script", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), ErrType},
		{"an XML prolog before an SVG", []byte("<?xml version=\"1.0\"?><svg/>"), ErrType},
		{"a page", []byte("<!doctype html><script>alert(1)</script>"), ErrType},
		{"a PDF", []byte("%PDF-1.7\n"), ErrType},
		{"a TIFF", []byte("II*\x00\x08\x00\x00\x00"), ErrType},
		{"a BMP", []byte("BM\x00\x00\x00\x00"), ErrType},
		{"PostScript", []byte("%!PS\n"), ErrType},
		{"a video of the same family as AVIF", []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"), ErrType},
		{"a brand at the place of the version", []byte("\x00\x00\x00\x14ftypmp42avifmp42"), ErrType},
		{"a JPEG's first bytes", whole[:3], ErrDamaged},
		{"a broken-off JPEG", whole[:len(whole)/2], ErrDamaged},
		{"a broken-off PNG", png[:len(png)/2], ErrDamaged},
		{"a PNG with a wrong byte", damaged, ErrDamaged},
		{"a broken-off GIF", moving(t, 64, 48, 3)[:60], ErrDamaged},
		{"a broken-off WebP", webp[:len(webp)/2], ErrDamaged},
		{"a broken-off AVIF", avif[:len(avif)-len(avif)/4], ErrDamaged},
		{"20,000 pixels wide and high", claims(t, 20000, 20000), ErrPixels},
		{"20,000 pixels wide", asPNGBytes(t, image.NewPaletted(image.Rect(0, 0, 20000, 1), color.Palette{red})), ErrPixels},
		{"more pixels than a number holds", claims(t, 1<<31-1, 1<<31-1), ErrDamaged},
		{"no pixels", claims(t, 0, 8), ErrDamaged},
		{"a header that claims more than there is", claims(t, 4000, 4000), ErrDamaged},
		{"a GIF with a frame beyond its size", []byte(hugeFrame), ErrPixels},
		{"a GIF with too many frames", moving(t, 1, 1, 601), ErrFrames},
		{"a GIF of too many pixels in all frames", resized(moving(t, 1, 1, 12), 3000, 2000), ErrPixels},
		{"an AVIF of 60,000 pixels", claimsAVIF(t, 60000, 60000), ErrPixels},
		{"too many bytes", append(bytes.Clone(whole), make([]byte, 20<<20)...), ErrBytes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := m.Make(t.Context(), tt.upload)
			if !errors.Is(Refusal(err), tt.want) || p != nil {
				t.Errorf("got %v, %v; want %v", p, err, tt.want)
			}
		})
	}
}

// TestMakeDropsWhatFollows: of files that are a picture and something else, no rendition
// contains the bytes after the pixels.
func TestMakeDropsWhatFollows(t *testing.T) {
	t.Parallel()
	const page = "<script>alert(1)</script>"
	for name, upload := range map[string][]byte{
		"a page after a JPEG": append(asJPEGBytes(t, flag(64, 48)), page...),
		"a page in a JPEG":    withSegments(asJPEGBytes(t, flag(64, 48)), segment(0xfe, []byte("*/"+page))),
		"a page after a PNG":  append(asPNGBytes(t, flag(64, 48)), page...),
		"a page in a PNG":     withChunk(asPNGBytes(t, flag(64, 48)), "zTXt", []byte("a\x00"+page)),
		"a page after a GIF":  append(moving(t, 64, 48, 1), page...),
	} {
		for rendition, v := range made(t, upload).renditions() {
			if strings.Contains(string(v.Bytes), "script") {
				t.Errorf("%s: it is in the %s", name, rendition)
			}
		}
	}
}

// TestStrip checks pictures with all kinds of metadata, without the help of libvips.
func TestStrip(t *testing.T) {
	t.Parallel()
	m := flag(64, 48)
	tagged := photo(t, m, 1)
	moving := converted(t, moving(t, 64, 48, 3), "stdin[n=-1]", ".webp")
	chunk := append([]byte("EXIF\x17\x00\x00\x00"), secret[:23]+"\x00"...)
	for _, tt := range []struct {
		name   string
		format Format
		data   []byte
	}{
		{"JPEG", JPEG, tagged},
		{"PNG", PNG, withChunk(withChunk(asPNGBytes(t, m), "eXIf", exif(1)), "tEXt", []byte("Comment\x00"+secret))},
		{"WebP", WebP, converted(t, tagged, "stdin", ".webp")},
		{"WebP that moves", WebP, append(moving, chunk...)},
	} {
		if !bytes.Contains(tt.data, []byte(secret[:23])) {
			t.Errorf("%s has no metadata to lose", tt.name)
		}
		stripped, ok := strip(tt.format, tt.data)
		if !ok || bytes.Contains(stripped, []byte(secret[:23])) {
			t.Errorf("%s still has its metadata (%v)", tt.name, ok)
		}
		before, err := Inspect(tt.data, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if after, err := Inspect(stripped, Limits{}); err != nil || after != before {
			t.Errorf("%s was %+v and is %+v (%v)", tt.name, before, after, err)
		}
		if before.Frames == 1 && !near(decoded(t, Rendition{Bytes: stripped}).At(10, 10), red) {
			t.Errorf("%s has other pixels", tt.name)
		}
	}
}

// FuzzInspect checks that bytes from strangers neither break the server nor pass with a size
// beyond the limits.
func FuzzInspect(f *testing.F) {
	m := flag(16, 12)
	for _, seed := range [][]byte{
		asJPEGBytes(f, m), asPNGBytes(f, m), moving(f, 16, 12, 3), photo(f, m, 6), claims(f, 20000, 20000), []byte(hugeFrame),
		[]byte("RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x0f\x00\x00\x0b\x00\x00ANMF\x04\x00\x00\x00abcd"),
		[]byte("\x00\x00\x00\x14ftypavif\x00\x00\x00\x00avif\x00\x00\x00\x30meta\x00\x00\x00\x00\x00\x00\x00\x24iprp\x00\x00\x00\x1cipco\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x0c"),
		[]byte("\x00\x00\x00\x01ftyp\x00\x00\x00\x00\x00\x00\x00\x18avifavif"),
	} {
		f.Add(seed)
	}
	limits := Limits{Bytes: 1 << 16, Side: 5000, Pixels: 1_000_000, Frames: 10}
	f.Fuzz(func(t *testing.T, data []byte) {
		if format, ok := formatOf(data); ok {
			strip(format, data)
		}
		h, err := Inspect(data, limits)
		if err != nil {
			if Refusal(err) == nil {
				t.Errorf("an error that is not the picture's fault: %v", err)
			}
			return
		}
		if len(data) > limits.Bytes || h.Width < 1 || h.Height < 1 || h.Frames < 1 ||
			max(h.Width, h.Height) > limits.Side || h.Frames > limits.Frames || h.Width*h.Height*h.Frames > limits.Pixels {
			t.Errorf("%+v passed", h)
		}
	})
}
