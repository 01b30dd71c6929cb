package logo_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/logo"
)

// TestIconsAreThoseThatAreCommitted compares the icons with those of package static, pixel by
// pixel: another version of Go may compress the same pixels into other bytes.
func TestIconsAreThoseThatAreCommitted(t *testing.T) {
	t.Parallel()
	files, err := logo.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, fresh := range files {
		committed, err := os.ReadFile("../../" + logo.Folder + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		same := bytes.Equal(fresh, committed)
		if !strings.HasSuffix(name, ".svg") {
			same = samePictures(t, fresh, committed)
		}
		if !same {
			t.Errorf("%s is not what the package draws; run make generate", name)
		}
	}
}

// samePictures reports whether two files, PNG or ICO, have the same pixels.
func samePictures(t *testing.T, a, b []byte) bool {
	t.Helper()
	one, other := picturesOf(t, a), picturesOf(t, b)
	for i := range one {
		if i >= len(other) || !bytes.Equal(pixels(one[i]), pixels(other[i])) {
			return false
		}
	}
	return len(one) == len(other)
}

// picturesOf returns the pictures in a file: one in a PNG, several in an ICO.
func picturesOf(t *testing.T, file []byte) (all []image.Image) {
	t.Helper()
	parts := [][]byte{file}
	if bytes.HasPrefix(file, []byte{0, 0, 1, 0}) {
		parts = nil
		for i := range int(binary.LittleEndian.Uint16(file[4:])) {
			entry := file[6+16*i:]
			size, from := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
			parts = append(parts, file[from:from+size])
			if width := int(entry[0]); width != 16*(i+1) {
				t.Errorf("picture %d of the icon is %d pixels wide", i, width)
			}
		}
	}
	for _, part := range parts {
		m, err := png.Decode(bytes.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// pixels returns the size and the colours of a picture.
func pixels(m image.Image) []byte {
	var b bytes.Buffer
	b.WriteString(m.Bounds().String())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			red, green, blue, alpha := m.At(x, y).RGBA()
			b.Write([]byte{byte(red >> 8), byte(green >> 8), byte(blue >> 8), byte(alpha >> 8)})
		}
	}
	return b.Bytes()
}
