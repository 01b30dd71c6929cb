package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// strip returns a picture of libvips with only the parts that its pixels need. libvips is asked to
// leave metadata out, but 8.14, Debian 12's, leaves metadata in WebP. strip reports whether data
// is a picture. Profiles go, too: the pixels are in sRGB by now.
func strip(format Format, data []byte) ([]byte, bool) {
	switch format {
	case JPEG:
		return stripJPEG(data)
	case PNG:
		return stripPNG(data)
	case WebP:
		return stripWebP(data)
	}
	return data, format == GIF // its encoder writes no comments
}

// stripJPEG keeps only the segments before the pixels that decoding needs: it drops comments and
// the segments of applications, except JFIF's and Adobe's, which describe the colours.
func stripJPEG(data []byte) ([]byte, bool) {
	out, rest := bytes.Clone(data[:2]), data[2:]
	for len(rest) >= 4 && rest[0] == 0xff {
		marker, size := rest[1], 2+int(binary.BigEndian.Uint16(rest[2:]))
		if marker == 0xda { // the pixels
			return append(out, rest...), true
		}
		if size > len(rest) {
			return nil, false
		}
		const jfif, adobe, comment = 0xe0, 0xee, 0xfe
		if application := marker >= 0xe0 && marker <= 0xef; marker == jfif || marker == adobe || !application && marker != comment {
			out = append(out, rest[:size]...)
		}
		rest = rest[size:]
	}
	return nil, false
}

// stripPNG keeps the chunks of the header, the palette, transparency and the pixels.
func stripPNG(data []byte) ([]byte, bool) {
	const signature, frame = 8, 12 // a chunk has a size and a name before its body, and a checksum after
	out, rest := bytes.Clone(data[:signature]), data[signature:]
	for len(rest) >= frame {
		size := frame + int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)) {
			return nil, false
		}
		name := string(rest[4:8])
		if slices.Contains([]string{"IHDR", "PLTE", "tRNS", "IDAT", "IEND"}, name) {
			out = append(out, rest[:size]...)
		}
		if name == "IEND" {
			return out, true
		}
		rest = rest[size:]
	}
	return nil, false
}

// stripWebP keeps the chunks of the pixels, of transparency and of motion, and clears the
// flags of the others in the header.
func stripWebP(data []byte) ([]byte, bool) {
	const profile, exif, xmp = 0x20, 0x08, 0x04 // flags of the header
	out, rest := bytes.Clone(data[:12]), data[12:]
	for len(rest) >= 8 {
		size := int64(binary.LittleEndian.Uint32(rest[4:]))
		size += 8 + size&1
		if size > int64(len(rest)) {
			return nil, false
		}
		switch string(rest[:4]) {
		case "VP8X":
			if size < 9 {
				return nil, false
			}
			at := len(out) + 8
			out = append(out, rest[:size]...)
			out[at] &^= profile | exif | xmp
		case "ALPH", "VP8 ", "VP8L", "ANIM", "ANMF":
			out = append(out, rest[:size]...)
		}
		rest = rest[size:]
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out, len(out) > 12
}
