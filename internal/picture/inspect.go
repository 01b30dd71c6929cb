package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// A Header describes a picture by its first bytes, before a pixel is decoded.
type Header struct {
	Format        Format
	Width, Height int
	Frames        int
	Profile       bool // whether the picture contains a colour profile
}

// Inspect reads the header of an upload, and refuses an upload that is no picture, or a
// picture beyond the limits. The name and the type that a client gave do not count.
func Inspect(upload []byte, limits Limits) (Header, error) {
	limits = limits.orDefault()
	if len(upload) > limits.Bytes {
		return Header{}, fmt.Errorf("%w: %d, and %d are allowed", ErrBytes, len(upload), limits.Bytes)
	}
	format, ok := formatOf(upload)
	if !ok {
		return Header{}, ErrType
	}
	h := Header{Format: format, Frames: 1, Profile: hasProfile(format, upload)}
	switch format {
	case GIF:
		h.Width, h.Height, h.Frames, ok = inspectGIF(upload)
	case AVIF:
		h.Width, h.Height, ok = inspectAVIF(upload)
	default:
		config, err := configOf(format, upload)
		h.Width, h.Height, ok = config.Width, config.Height, err == nil
	}
	if format == WebP && ok {
		h.Frames = framesOfWebP(upload)
	}
	if !ok || h.Width <= 0 || h.Height <= 0 {
		return Header{}, ErrDamaged
	}
	if h.Frames > limits.Frames {
		return Header{}, fmt.Errorf("%w: %d are allowed", ErrFrames, limits.Frames)
	}
	if max(h.Width, h.Height) > limits.Side {
		return Header{}, fmt.Errorf("%w: it is %d x %d, and a side of %d is allowed", ErrPixels, h.Width, h.Height, limits.Side)
	}
	if h.Width*h.Height*h.Frames > limits.Pixels { // fits: a side has 31 bits at most, and passed
		return Header{}, fmt.Errorf("%w: %d x %d in %d frames, and %d are allowed", ErrPixels, h.Width, h.Height, h.Frames, limits.Pixels)
	}
	return h, nil
}

// formatOf returns the format that the first bytes of a picture claim.
func formatOf(data []byte) (Format, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return JPEG, true
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return PNG, true
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return GIF, true
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return WebP, true
	case len(data) >= 12 && string(data[4:8]) == "ftyp" && isAVIF(data):
		return AVIF, true
	}
	return "", false
}

// hasProfile reports whether a picture contains a colour profile. A profile stands before
// the pixels.
func hasProfile(format Format, data []byte) bool {
	switch format {
	case JPEG:
		return bytes.Contains(data, []byte("ICC_PROFILE\x00"))
	case PNG:
		head, _, _ := bytes.Cut(data, []byte("IDAT"))
		return bytes.Contains(head, []byte("iCCP"))
	case WebP:
		return len(data) > 34 && string(data[30:34]) == "ICCP"
	case AVIF:
		return bytes.Contains(data, []byte("colrprof")) || bytes.Contains(data, []byte("colrrICC"))
	}
	return false
}

// isAVIF reports whether the first box of a file names the brand of AVIF, as its own or as a
// compatible one.
func isAVIF(data []byte) bool {
	_, brands, _, ok := nextBox(data)
	for i := 0; ok && i+4 <= len(brands); i += 4 {
		if brand := string(brands[i : i+4]); i != 4 && (brand == "avif" || brand == "avis") { // at 4 is a version
			return true
		}
	}
	return false
}

// inspectGIF returns the size of the area of all frames of a GIF, and the number of frames,
// without decompressing them.
func inspectGIF(data []byte) (width, height, frames int, ok bool) {
	if len(data) < 13 {
		return 0, 0, 0, false
	}
	u16 := func(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }
	width, height = u16(data[6:]), u16(data[8:])
	rest := data[13:]
	skip := func(n int) bool {
		if n > len(rest) {
			return false
		}
		rest = rest[n:]
		return true
	}
	palette := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	blocks := func() bool { // pieces of up to 255 bytes, and an empty one at the end
		for len(rest) > 0 {
			n := int(rest[0])
			if !skip(1 + n) {
				return false
			}
			if n == 0 {
				return true
			}
		}
		return false
	}
	if !skip(palette(data[10])) {
		return 0, 0, 0, false
	}
	for len(rest) > 0 {
		switch rest[0] {
		case 0x21: // an extension: its label, and blocks
			if !skip(2) || !blocks() {
				return 0, 0, 0, false
			}
		case 0x2c: // a frame: its place and size, its palette, the size of codes, and blocks
			if len(rest) < 10 {
				return 0, 0, 0, false
			}
			frames++
			width, height = max(width, u16(rest[1:])+u16(rest[5:])), max(height, u16(rest[3:])+u16(rest[7:]))
			if !skip(10+palette(rest[9])) || !skip(1) || !blocks() {
				return 0, 0, 0, false
			}
		case 0x3b: // the end
			return width, height, frames, frames > 0
		default:
			return 0, 0, 0, false
		}
	}
	return width, height, frames, frames > 0 // many files lack the end
}

// framesOfWebP returns the number of frames of a WebP picture: its chunks named ANMF, or 1.
func framesOfWebP(data []byte) int {
	frames, rest := 0, data[12:]
	for len(rest) >= 8 {
		size := int64(binary.LittleEndian.Uint32(rest[4:]))
		if string(rest[:4]) == "ANMF" {
			frames++
		}
		if next := 8 + size + size&1; next < int64(len(rest)) {
			rest = rest[next:]
			continue
		}
		break
	}
	return max(1, frames)
}

// inspectAVIF returns the largest width and the largest height that any image in an AVIF file
// claims: the picture, its parts and its transparency.
func inspectAVIF(data []byte) (width, height int, ok bool) {
	meta, ok := findBox(data, "meta")
	if !ok || len(meta) < 4 {
		return 0, 0, false
	}
	properties, ok := findBox(meta[4:], "iprp") // after a version and flags
	if !ok {
		return 0, 0, false
	}
	rest, ok := findBox(properties, "ipco")
	for ok {
		var kind string
		var body []byte
		if kind, body, rest, ok = nextBox(rest); ok && kind == "ispe" && len(body) >= 12 {
			w, h := binary.BigEndian.Uint32(body[4:]), binary.BigEndian.Uint32(body[8:])
			if w > math.MaxInt32 || h > math.MaxInt32 {
				return 0, 0, false
			}
			width, height = max(width, int(w)), max(height, int(h))
		}
	}
	return width, height, width > 0
}

// findBox returns the content of the first box of a kind.
func findBox(data []byte, kind string) ([]byte, bool) {
	for {
		found, body, rest, ok := nextBox(data)
		if !ok || found == kind {
			return body, ok
		}
		data = rest
	}
}

// nextBox returns the kind and the content of the first box of an ISO media file, and what
// follows the box. A box of size 0 reaches to the end, one of size 1 has a size of 64 bits.
func nextBox(data []byte) (kind string, body, rest []byte, ok bool) {
	if len(data) < 8 {
		return "", nil, nil, false
	}
	size, head := uint64(binary.BigEndian.Uint32(data)), uint64(8)
	switch {
	case size == 0:
		size = uint64(len(data))
	case size == 1 && len(data) >= 16:
		size, head = binary.BigEndian.Uint64(data[8:]), 16
	}
	if size < head || size > uint64(len(data)) {
		return "", nil, nil, false
	}
	return string(data[4:8]), data[head:size], data[size:], true
}
