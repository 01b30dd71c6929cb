package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"

	"golang.org/x/image/draw"
)

// flatBox is the box into which an upload is scaled before a part of it is cut out.
var flatBox = box{2400, 2400}

// Flat returns the first frame of an upload as pixels, turned as the camera was held, in
// sRGB, and within 2400 x 2400. Parts of the pixels are cut out by [Cut]. The errors are
// those of [Maker.Make].
func (m *Maker) Flat(ctx context.Context, upload []byte) (image.Image, error) {
	header, err := Inspect(upload, m.limits)
	if err != nil {
		return nil, err
	}
	header.Frames = 1
	made, _, err := m.rendition(ctx, upload, header, flatBox, asPNG)
	if err != nil {
		return nil, err
	}
	pixels, err := png.Decode(bytes.NewReader(made.Bytes))
	if err != nil {
		return nil, fmt.Errorf("vipsthumbnail wrote a damaged picture: %w", err)
	}
	return pixels, nil
}

// A Crop says which part of a picture is kept. X and Y are the top left corner and Width is
// the width of the part, as fractions of the whole width and height; the height follows from
// the shape that is wanted. The zero Crop keeps the largest part around the middle.
type Crop struct{ X, Y, Width float64 }

// Cut returns a part of a picture as a JPEG of width x height pixels, on white where the picture
// is transparent. A part that reaches beyond the picture, or is not a number, becomes the
// nearest part within the picture.
func Cut(pixels image.Image, crop Crop, width, height int) (Rendition, error) {
	part := crop.within(pixels.Bounds(), float64(height)/float64(width))
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(to, to.Bounds(), pixels, part, draw.Over, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, to, &jpeg.Options{Quality: 85}); err != nil {
		return Rendition{}, fmt.Errorf("encode a part of a picture: %w", err)
	}
	return Rendition{JPEG, width, height, b.Bytes()}, nil
}

// within returns the part of a picture in pixels. shape is the part's height by its width.
func (c Crop) within(whole image.Rectangle, shape float64) image.Rectangle {
	w, h := float64(whole.Dx()), float64(whole.Dy())
	widest := min(w, h/shape)
	width := c.Width * w
	if !(width > 0) || width > widest { // not a number is not greater than 0
		width = widest
	}
	width = min(max(width, 1, 1/shape), widest)
	x, y := c.X*w, c.Y*h
	if c == (Crop{}) {
		x, y = (w-width)/2, (h-width*shape)/2
	}
	// For NaN, the comparison of clamp is false, so the part begins at the corner.
	clamp := func(v, most float64) int {
		if !(v > 0) {
			return 0
		}
		return int(min(v, most)) // never beyond most
	}
	left, top := clamp(x, w-width), clamp(y, h-width*shape)
	part := image.Rect(0, 0, max(1, int(math.Round(width))), max(1, int(math.Round(width*shape)))).Add(image.Pt(left, top))
	return part.Add(whole.Min).Intersect(whole)
}
