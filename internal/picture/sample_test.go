package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"os/exec"
	"testing"
)

// The tests make every picture they need; the repository has none.

// secret stands in the metadata of sample pictures, and must stand nowhere afterwards.
const secret = "52.3676N 4.9041E at home"

var (
	red   = color.NRGBA{230, 20, 20, 255}
	green = color.NRGBA{20, 200, 20, 255}
	blue  = color.NRGBA{20, 20, 230, 255}
	white = color.NRGBA{250, 250, 250, 255}
)

// quarters returns a picture of four colours: at the top left and right, and at the bottom
// left and right.
func quarters(width, height int, tl, tr, bl, br color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := []color.NRGBA{tl, tr, bl, br}[2*(2*y/height)+2*x/width]
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func flag(width, height int) *image.NRGBA { return quarters(width, height, red, green, blue, white) }

func encoded(t testing.TB, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEGBytes(t testing.TB, m image.Image) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, &jpeg.Options{Quality: 95}) })
}

func asPNGBytes(t testing.TB, m image.Image) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, m) })
}

// moving returns an animated GIF of so many frames; the first is red.
func moving(t testing.TB, width, height, frames int) []byte {
	t.Helper()
	palette := color.Palette{red, green, blue, color.NRGBA{}}
	all := &gif.GIF{}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, width, height), palette)
		for p := range m.Pix {
			m.Pix[p] = byte(i % 3)
		}
		all.Image, all.Delay = append(all.Image, m), append(all.Delay, 7)
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, all) })
}

// converted has libvips write a picture in another format, with its metadata.
func converted(t testing.TB, data []byte, load, as string, more ...string) []byte {
	t.Helper()
	cmd := exec.Command("vipsthumbnail", append(more, load, "--size", "16000x16000>", "--no-rotate", "--output", as)...)
	cmd.Stdin = bytes.NewReader(data)
	made, err := cmd.Output()
	if err != nil {
		t.Fatalf("vipsthumbnail as %s: %v", as, err)
	}
	return made
}

// withSegments inserts segments into a JPEG, after its first two bytes.
func withSegments(data []byte, segments ...[]byte) []byte {
	out := bytes.Clone(data[:2])
	for _, s := range segments {
		out = append(out, s...)
	}
	return append(out, data[2:]...)
}

func segment(marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

// exif returns metadata as cameras write it: the orientation, a description with the secret, and
// a place.
func exif(orientation int) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.BigEndian, v) // to memory
		}
	}
	const entries, first = 3, 8
	const text = first + 2 + entries*12 + 4
	place := uint32(text + len(secret) + 1)
	b.WriteString("MM\x00\x2a")
	put(uint32(first), uint16(entries))
	put(uint16(0x010e), uint16(2), uint32(len(secret)+1), uint32(text))       // a description
	put(uint16(0x0112), uint16(3), uint32(1), uint16(orientation), uint16(0)) // which way up
	put(uint16(0x8825), uint16(4), uint32(1), place, uint32(0))               // the offset of the place
	b.WriteString(secret + "\x00")                                            //
	put(uint16(2), uint16(1), uint16(2), uint32(2), []byte("N\x00\x00\x00"))  // north
	put(uint16(2), uint16(5), uint32(3), place+2+2*12+4, uint32(0))           // how far
	put(uint32(52), uint32(1), uint32(22), uint32(1), uint32(3), uint32(1))   // degrees, minutes, seconds
	return b.Bytes()
}

// photo returns a JPEG with all the metadata of a camera and its owner.
func photo(t testing.TB, m image.Image, orientation int) []byte {
	t.Helper()
	return withSegments(asJPEGBytes(t, m),
		segment(0xe1, append([]byte("Exif\x00\x00"), exif(orientation)...)),
		segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><a>"+secret+"</a></x:xmpmeta>")),
		segment(0xfe, []byte(secret)))
}

// withChunk inserts a chunk into a PNG, after its header.
func withChunk(data []byte, kind string, body []byte) []byte {
	const header = 8 + 25
	named := append([]byte(kind), body...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = binary.BigEndian.AppendUint32(append(chunk, named...), crc32.ChecksumIEEE(named))
	return append(append(bytes.Clone(data[:header]), chunk...), data[header:]...)
}

// swapped returns a colour profile whose red is the green of sRGB, and the other way round: a
// picture keeps its colours only if the profile is applied.
func swapped() []byte {
	fixed := func(b []byte, values ...float64) []byte {
		for _, v := range values {
			b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
		}
		return b
	}
	xyz := func(x, y, z float64) []byte { return fixed([]byte("XYZ \x00\x00\x00\x00"), x, y, z) }
	curve := []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33\x00\x00") // a power of 2.2
	text := []byte("text\x00\x00\x00\x00none\x00\x00\x00\x00")
	desc := append([]byte("desc\x00\x00\x00\x00\x00\x00\x00\x05swap\x00"), make([]byte, 79)...)
	tags := []struct {
		name string
		body []byte
	}{
		{"desc", desc}, {"cprt", text}, {"wtpt", xyz(0.9642, 1, 0.8249)},
		{"rXYZ", xyz(0.3851, 0.7169, 0.0971)}, {"gXYZ", xyz(0.4361, 0.2225, 0.0139)}, {"bXYZ", xyz(0.1431, 0.0606, 0.7141)},
		{"rTRC", curve}, {"gTRC", curve}, {"bTRC", curve},
	}
	head := make([]byte, 128)
	copy(head[4:], "lcms\x02\x10\x00\x00mntrRGB XYZ ")
	copy(head[36:], "acsp")
	copy(head[68:], fixed(nil, 0.9642, 1, 0.8249))
	table := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	var bodies []byte
	start := len(head) + 4 + 12*len(tags)
	for _, tag := range tags {
		table = append(table, tag.name...)
		table = binary.BigEndian.AppendUint32(table, uint32(start+len(bodies)))
		table = binary.BigEndian.AppendUint32(table, uint32(len(tag.body)))
		bodies = append(bodies, tag.body...)
		bodies = append(bodies, make([]byte, (4-len(bodies)%4)%4)...)
	}
	all := append(append(head, table...), bodies...)
	binary.BigEndian.PutUint32(all, uint32(len(all)))
	return all
}

// decoded decodes a rendition.
func decoded(t testing.TB, v Rendition) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(v.Bytes))
	if err != nil {
		t.Fatalf("decode %s: %v", v.Format, err)
	}
	return m
}

// near reports whether two colours look alike, as they do after an encoder with loss.
func near(a, b color.Color) bool {
	p, q := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B), int(p.A) - int(q.A)} {
		if d > 40 || d < -40 {
			return false
		}
	}
	return true
}
