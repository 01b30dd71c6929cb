package picture

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"
)

// TestCutKeepsThePart cuts parts out of a flag, red at the top left, and looks at the
// corners.
func TestCutKeepsThePart(t *testing.T) {
	t.Parallel()
	whole := flag(400, 200)
	corner := func(x, y float64) color.Color { return whole.At(int(x*399), int(y*199)) }
	for name, tt := range map[string]struct {
		crop          Crop
		width, height int
		topLeft       color.Color
		bottomRight   color.Color
	}{
		"the top left quarter":         {Crop{0, 0, 0.25}, 100, 100, corner(0, 0), corner(0.2, 0.4)},
		"the right half":               {Crop{0.5, 0, 0.5}, 100, 100, corner(0.52, 0.02), corner(1, 1)},
		"a part beyond the right edge": {Crop{0.9, 0.9, 0.5}, 100, 100, corner(0.52, 0.02), corner(1, 1)},
		"no crop":                      {Crop{}, 100, 100, corner(0.27, 0.02), corner(0.73, 0.98)},
		"a wide shape":                 {Crop{0, 0.5, 1}, 400, 100, corner(0, 0.52), corner(1, 1)},
		"what is no number":            {Crop{math.NaN(), math.NaN(), math.NaN()}, 100, 100, corner(0, 0), corner(0.48, 0.98)},
		"infinite and negative":        {Crop{-3, math.Inf(-1), math.Inf(1)}, 100, 100, corner(0, 0), corner(0.48, 0.98)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Cut(whole, tt.crop, tt.width, tt.height)
			if err != nil {
				t.Fatal(err)
			}
			m := decoded(t, got)
			if size := m.Bounds().Size(); size != image.Pt(tt.width, tt.height) || got.Format != JPEG {
				t.Fatalf("got %s of %v, want jpeg of %d x %d", got.Format, size, tt.width, tt.height)
			}
			if c := m.At(3, 3); !near(c, tt.topLeft) {
				t.Errorf("the top left is %v, want %v", c, tt.topLeft)
			}
			if c := m.At(tt.width-4, tt.height-4); !near(c, tt.bottomRight) {
				t.Errorf("the bottom right is %v, want %v", c, tt.bottomRight)
			}
		})
	}
}

// TestCutOfTinyPictures cuts shapes out of pictures smaller than the shapes.
func TestCutOfTinyPictures(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1, 1}, {1, 900}, {900, 1}, {3, 2}} {
		for _, crop := range []Crop{{}, {0.99, 0.99, 0.001}, {0, 0, 1}} {
			for _, shape := range []image.Point{{100, 100}, {1600, 400}} {
				if _, err := Cut(image.NewRGBA(image.Rectangle{Max: size}), crop, shape.X, shape.Y); err != nil {
					t.Errorf("%v, %v to %v: %v", size, crop, shape, err)
				}
				part := crop.within(image.Rectangle{Max: size}, float64(shape.Y)/float64(shape.X))
				if part.Empty() || !part.In(image.Rectangle{Max: size}) {
					t.Errorf("%v, %v to %v: the part is %v", size, crop, shape, part)
				}
			}
		}
	}
}

func TestFlatTurnsAndIsBounded(t *testing.T) {
	t.Parallel()
	m := maker(t, Limits{})
	pixels, err := m.Flat(t.Context(), asJPEGBytes(t, flag(3000, 1500)))
	if err != nil {
		t.Fatal(err)
	}
	if size := pixels.Bounds().Size(); size != image.Pt(2400, 1200) {
		t.Errorf("pixels are %v, want 2400 x 1200", size)
	}
	if _, err := m.Flat(t.Context(), []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")); !errors.Is(err, ErrType) {
		t.Errorf("of an SVG file: %v, want %v", err, ErrType)
	}
}

// TestCutOfTransparentPixelsIsWhite cuts a fully transparent picture.
func TestCutOfTransparentPixelsIsWhite(t *testing.T) {
	t.Parallel()
	got, err := Cut(image.NewNRGBA(image.Rect(0, 0, 50, 50)), Crop{}, 100, 100)
	if err != nil {
		t.Fatal(err)
	}
	if c := decoded(t, got).At(50, 50); !near(c, color.White) {
		t.Errorf("the middle is %v, want white", c)
	}
}
