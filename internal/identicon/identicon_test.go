package identicon

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"testing"
)

// TestPicturesOfManyNamesDiffer counts pairs of people in a large community that have the
// same pattern in nearly the same colour.
func TestPicturesOfManyNamesDiffer(t *testing.T) {
	t.Parallel()
	const people = 10_000
	seen := make(map[string]string)
	alike := 0
	for i := range people {
		p := patternOf(fmt.Sprintf("person%d", i))
		key := fmt.Sprint(p.filled, p.ink.R/32, p.ink.G/32, p.ink.B/32)
		if seen[key] != "" {
			alike++
		}
		seen[key] = fmt.Sprint(i)
	}
	if alike > people/50 {
		t.Errorf("%d of %d people have the picture of another person, want at most one of fifty", alike, people)
	}
}

func TestPictureOfANameStaysTheSame(t *testing.T) {
	t.Parallel()
	if got, want := string(SVG("alice")), string(SVG("alice")); got != want {
		t.Errorf("the second picture is %s, the first was %s", got, want)
	}
	if bytes.Equal(SVG("alice"), SVG("bobby")) {
		t.Error("alice and bobby have the same picture")
	}
}

// TestPNGAndSVGAgree compares the middle of each square of the PNG picture with the pattern
// of the SVG picture.
func TestPNGAndSVGAgree(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"alice", "bobby", "", "a name with <tags> & more", "ёжик"} {
		p := patternOf(name)
		for _, size := range []int{50, 100, 128} {
			m, err := png.Decode(bytes.NewReader(PNG(name, size)))
			if err != nil {
				t.Fatal(err)
			}
			for row := range across {
				for column := range across {
					want := p.paper
					inside := row > 0 && row <= cells && column > 0 && column <= cells
					if inside && p.filled[row-1][column-1] {
						want = p.ink
					}
					at := func(i int) int { return (2*i + 1) * size / (2 * across) }
					if got := color.RGBAModel.Convert(m.At(at(column), at(row))); got != want {
						t.Fatalf("%q in %d pixels, row %d, column %d: got %v, want %v", name, size, row, column, got, want)
					}
				}
			}
		}
		for d := xml.NewDecoder(bytes.NewReader(SVG(name))); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("the SVG picture of %q is no XML: %v", name, err)
			}
		}
	}
}

// TestInkStandsOutFromPaper checks every hue against the contrast that WCAG 2.2, criterion
// 1.4.11, requires of graphics: 3 to 1.
func TestInkStandsOutFromPaper(t *testing.T) {
	t.Parallel()
	light := func(c color.RGBA) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	for i := range 2000 {
		p := patternOf(fmt.Sprint(i))
		if ratio := (light(p.paper) + 0.05) / (light(p.ink) + 0.05); ratio < 3 {
			t.Errorf("name %d: %s on %s has a contrast of %.2f, want 3", i, hex(p.ink), hex(p.paper), ratio)
		}
	}
}
