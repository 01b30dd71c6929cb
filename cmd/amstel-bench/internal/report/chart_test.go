package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestChartIsADrawingWithItsLines(t *testing.T) {
	t.Parallel()
	c := Chart{
		Title: "A <post>", X: "followers", Y: "ms", LogX: true, LogY: true, Marker: 16, Marked: "here",
		Lines: []Line{{"read", [][2]float64{{1, 2}, {1024, 40}}}, {"timed", [][2]float64{{1, 0}, {1024, 900}}}},
	}
	drawn := c.SVG()
	texts, paths := 0, 0
	from := xml.NewDecoder(strings.NewReader(drawn))
	for {
		token, err := from.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, drawn)
		}
		switch one := token.(type) {
		case xml.CharData:
			if s := string(one); s == "A <post>" || s == "read" || s == "timed" || s == "1024" || s == "here" {
				texts++
			}
		case xml.StartElement:
			for _, a := range one.Attr {
				if a.Name.Local == "d" && strings.Contains(a.Value, "L") {
					paths++
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s=%q", a.Name.Local, a.Value)
				}
			}
		}
	}
	if texts != 5 || paths != 2 {
		t.Errorf("%d texts and %d lines, want 5 and 2: %s", texts, paths, drawn)
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	s := scale{low: 1, high: 1024, from: 0, to: 100, log: true}
	for v, want := range map[float64]float64{1: 0, 32: 50, 1024: 100, 0: 0} {
		if got := s.at(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v is drawn at %v, want %v", v, got, want)
		}
	}
	if got, want := s.marks(), []float64{1, 4, 16, 64, 256, 1024}; !slices.Equal(got, want) {
		t.Errorf("marks %v, want %v", got, want)
	}
	s = scale{low: -4, high: 30, from: 0, to: 340}
	if got := s.at(0); got != 40 {
		t.Errorf("0 is drawn at %v, want 40", got)
	}
	if got, want := s.marks(), []float64{0, 5, 10, 15, 20, 25, 30}; !slices.Equal(got, want) {
		t.Errorf("marks %v, want %v", got, want)
	}
	if got := (scale{low: 3, high: 3, from: 7, to: 9}).at(3); got != 7 {
		t.Errorf("the only value is drawn at %v, want 7", got)
	}
}
