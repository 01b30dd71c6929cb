// Package identicon draws the pictures of people and groups that have uploaded none: a
// pattern of squares, the same on the left and on the right, in one colour. Pattern and
// colour follow from a hash of the name, so that the same name always has the same picture
// and nothing has to be stored.
package identicon

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// The pattern has cells x cells squares, and a margin of one square.
const (
	cells  = 5
	across = cells + 2
)

// half is the number of columns decided by the hash: the columns on the left, and the middle
// one.
const half = (cells + 1) / 2

// The fewest and the most filled squares in these columns: with fewer or more, two pictures look
// alike.
const (
	fewest = 5
	most   = 10
)

// A pattern is the squares and the colours that follow from the hash of a name.
type pattern struct {
	filled [cells][cells]bool // by row and column
	ink    color.RGBA
	paper  color.RGBA
}

// patternOf returns the pattern of a name. A hash with too few or too many squares is
// hashed again.
func patternOf(name string) pattern {
	sum := sha256.Sum256([]byte(name))
	for {
		var p pattern
		count := 0
		for i := range cells * half {
			if sum[i]&1 == 0 {
				continue
			}
			row, column := i/half, i%half
			p.filled[row][column], p.filled[row][cells-1-column] = true, true
			count++
		}
		if count >= fewest && count <= most {
			hue := float64(int(sum[30])<<8|int(sum[31])) / (1 << 16) * 360
			p.ink, p.paper = hsl(hue, 0.55, 0.36), hsl(hue, 0.45, 0.92)
			return p
		}
		sum = sha256.Sum256(sum[:])
	}
}

// SVG returns the picture of a name as an SVG file.
func SVG(name string) []byte {
	p := patternOf(name)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50" viewBox="0 0 %d %d" shape-rendering="crispEdges">`, across, across)
	fmt.Fprintf(&b, `<path fill="%s" d="M0 0h%dv%dH0z"/><path fill="%s" d="`, hex(p.paper), across, across, hex(p.ink))
	for row := range cells {
		for column := range cells {
			if p.filled[row][column] {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", column+1, row+1)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes()
}

// PNG returns the picture of a name as a PNG file of size x size pixels.
func PNG(name string, size int) []byte {
	p := patternOf(name)
	m := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{p.paper, p.ink})
	for y := range size {
		for x := range size {
			row, column := y*across/size-1, x*across/size-1
			if row >= 0 && row < cells && column >= 0 && column < cells && p.filled[row][column] {
				m.SetColorIndex(x, y, 1)
			}
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, m); err != nil {
		panic(err) // a buffer takes every write, and a palette of two colours can be encoded
	}
	return b.Bytes()
}

// hex returns a colour as CSS has it.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// hsl returns a colour by its hue in degrees, its saturation and its lightness, both from 0
// to 1. Source: CSS Color Module Level 4, section 7.1.
func hsl(hue, saturation, lightness float64) color.RGBA {
	channel := func(n float64) uint8 {
		k := math.Mod(n+hue/30, 12)
		v := lightness - saturation*min(lightness, 1-lightness)*max(-1, min(k-3, 9-k, 1))
		return uint8(math.Round(v * 255))
	}
	return color.RGBA{channel(0), channel(8), channel(4), 255}
}
