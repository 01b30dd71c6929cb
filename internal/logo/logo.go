// Package logo draws the icons of the site: three waves on a tile, the lowest in the colour
// of bricks. Only `go generate` uses the package. The icons are committed, in web/static,
// where web/static/favicon.svg has the same drawing for browsers that show SVG.
package logo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

//go:generate go run generate.go

// Folder is where the icons are, from the repository's top.
const Folder = "web/static"

// The drawing, on a tile of 32 x 32 units.
const (
	tile   = 32.0
	corner = 7.0  // the radius of the tile's corners
	left   = 6.0  // where the waves begin
	length = 20.0 // of a wave
	stroke = 3.0  // the width of a wave's line
	swing  = 3.0  // how far the control points of a wave are above and below its middle
)

// A wave is a line on the tile.
type wave struct {
	y      float64
	colour color.NRGBA
}

var (
	ground = color.NRGBA{0x17, 0x60, 0x7a, 0xff}
	waves  = []wave{
		{10.5, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
		{16.5, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
		{22.5, color.NRGBA{0xf0, 0xa5, 0x8f, 0xff}},
	}
)

// A shape is a form of the icon.
type shape struct {
	square bool    // the tile has no corners of its own: the device cuts them
	scale  float64 // of the waves around the middle of the tile
}

// icons are the PNG files, by their names.
var icons = map[string]struct {
	size int
	shape
}{
	"icon-192.png":         {192, shape{scale: 1}},
	"icon-512.png":         {512, shape{scale: 1}},
	"icon-maskable.png":    {512, shape{square: true, scale: 0.8}}, // inside the circle that all devices keep
	"apple-touch-icon.png": {180, shape{square: true, scale: 0.9}},
}

// Files returns the icons by their names.
func Files() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for name, icon := range icons {
		file, err := encode(draw(icon.size, icon.shape))
		if err != nil {
			return nil, err
		}
		files[name] = file
	}
	ico, err := favicon(16, 32, 48)
	files["favicon.ico"] = ico
	files["favicon.svg"] = svg()
	return files, err
}

// svg returns the icon as SVG.
func svg() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[1]g"><rect width="%[1]g" height="%[1]g" rx="%[2]g" fill="%[3]s"/>`, tile, corner, hex(ground))
	fmt.Fprintf(&b, `<g fill="none" stroke-width="%g" stroke-linecap="round">`, stroke)
	third, half := length/6, length/2
	for _, w := range waves {
		fmt.Fprintf(&b, `<path d="M%g %gc%.3g-%g %.3g-%g %g 0s%.3g %g %g 0" stroke="%s"/>`, left, w.y, third, swing, 2*third, swing, half, 2*third, swing, half, hex(w.colour))
	}
	b.WriteString("</g></svg>\n")
	return b.Bytes()
}

// hex returns a colour as CSS has it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// A point is a place on the tile.
type point struct{ x, y float64 }

// line returns points along a wave, close to each other.
func line(w wave, scale float64) []point {
	const steps = 64
	points := make([]point, 0, 2*steps+1)
	for half := range 2 {
		from, up := left+float64(half)*length/2, swing*(1-2*float64(half))
		for step := range steps + 1 {
			t := float64(step) / steps
			at := point{from + t*length/2, w.y - 3*t*(1-t)*up} // a cubic curve with control points a third apart
			points = append(points, point{tile/2 + (at.x-tile/2)*scale, tile/2 + (at.y-tile/2)*scale})
		}
	}
	return points
}

// draw returns the icon of a size in pixels.
func draw(size int, s shape) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	pixel := tile / float64(size)
	lines := make([][]point, len(waves))
	for i, w := range waves {
		lines[i] = line(w, s.scale)
	}
	for py := range size {
		for px := range size {
			at := point{(float64(px) + 0.5) * pixel, (float64(py) + 0.5) * pixel}
			colour := ground
			for i, w := range waves {
				colour = mix(colour, w.colour, covered(distance(at, lines[i])-stroke*s.scale/2, pixel))
			}
			if !s.square {
				colour.A = uint8(math.Round(255 * covered(outside(at), pixel)))
			}
			m.SetNRGBA(px, py, colour)
		}
	}
	return m
}

// covered returns how much of a pixel is inside an edge, by the distance of the pixel's
// middle from the edge, which is negative inside.
func covered(distance, pixel float64) float64 {
	return max(0, min(1, 0.5-distance/pixel))
}

// distance returns how far a point is from the nearest point of a line.
func distance(at point, line []point) float64 {
	nearest := math.Inf(1)
	for _, p := range line {
		nearest = min(nearest, math.Hypot(at.x-p.x, at.y-p.y))
	}
	return nearest
}

// outside returns how far a point is from the edge of a tile with round corners; negative
// inside.
func outside(at point) float64 {
	x := math.Abs(at.x-tile/2) - tile/2 + corner
	y := math.Abs(at.y-tile/2) - tile/2 + corner
	return math.Hypot(max(x, 0), max(y, 0)) + min(max(x, y), 0) - corner
}

// mix returns the colour under with a share of the colour over.
func mix(under, over color.NRGBA, share float64) color.NRGBA {
	channel := func(u, o uint8) uint8 {
		return uint8(math.Round(float64(u) + (float64(o)-float64(u))*share))
	}
	return color.NRGBA{channel(under.R, over.R), channel(under.G, over.G), channel(under.B, over.B), 0xff}
}

func encode(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(&b, m)
	return b.Bytes(), err
}

// favicon returns an ICO file with the icon in several sizes, each as PNG.
func favicon(sizes ...int) ([]byte, error) {
	var head, pictures bytes.Buffer
	// Writes to a buffer do not fail, and neither do numbers of fixed size.
	put := func(v any) { _ = binary.Write(&head, binary.LittleEndian, v) }
	put([]uint16{0, 1, uint16(len(sizes))}) // an icon, and its number of pictures
	for _, size := range sizes {
		file, err := encode(draw(size, shape{scale: 1}))
		if err != nil {
			return nil, err
		}
		put([]uint8{uint8(size), uint8(size), 0, 0})
		put([]uint16{1, 32}) // planes, and bits of a pixel
		put([]uint32{uint32(len(file)), uint32(6 + 16*len(sizes) + pictures.Len())})
		pictures.Write(file)
	}
	return append(head.Bytes(), pictures.Bytes()...), nil
}
