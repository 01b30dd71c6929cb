package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A Chart is a line chart.
type Chart struct {
	Name   string // the name of the chart's file
	Title  string
	X, Y   string // the labels of the axes
	LogX   bool   // whether the axis is logarithmic
	LogY   bool
	Lines  []Line
	Marker float64 // where to draw a vertical line
	Marked string  // the label of the vertical line; empty: there is none
}

// A Line is one line of a chart.
type Line struct {
	Name   string
	Points [][2]float64 // x and y
}

// The size of a chart, and its margins, in pixels.
const (
	chartWidth, chartHeight                = 720, 360
	chartLeft, chartTop, chartRight, below = 64, 40, 110, 48
)

// colours are the colours of lines. People with defective colour vision can tell them apart.
var colours = []string{"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"}

// A scale maps the numbers from low to high to the pixels from from to to.
type scale struct {
	low, high, from, to float64
	log                 bool
}

func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		low, high, v = math.Log(low), math.Log(high), math.Log(max(v, s.low))
	}
	if high == low {
		return s.from
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

// marks returns the numbers to print on the axis. On a logarithmic scale each is 4 or 10 times the
// previous one; else they are about six round numbers.
func (s scale) marks() (all []float64) {
	if s.log {
		base := 10.0
		if s.high/s.low <= 2000 {
			base = 4
		}
		for v := s.low; v <= s.high*1.0001; v *= base {
			all = append(all, v)
		}
		return all
	}
	step := math.Pow(10, math.Floor(math.Log10(max(s.high-s.low, 1e-9)/6)))
	for _, times := range []float64{1, 2, 5, 10} {
		if (s.high-s.low)/(step*times) <= 7 {
			step *= times
			break
		}
	}
	for v := math.Ceil(s.low/step) * step; v <= s.high*1.0001; v += step {
		all = append(all, v)
	}
	return all
}

// scales returns scales on which all points of the chart fit.
func (c *Chart) scales() (x, y scale) {
	x = scale{low: math.Inf(1), high: math.Inf(-1), from: chartLeft, to: chartWidth - chartRight, log: c.LogX}
	y = scale{low: math.Inf(1), high: math.Inf(-1), from: chartHeight - below, to: chartTop, log: c.LogY}
	for _, line := range c.Lines {
		for _, p := range line.Points {
			x.low, x.high = min(x.low, p[0]), max(x.high, p[0])
			y.low, y.high = min(y.low, p[1]), max(y.high, p[1])
		}
	}
	if c.LogY {
		y.low = math.Pow(4, math.Floor(math.Log(max(y.low, 0.1))/math.Log(4)))
		y.high = math.Pow(4, math.Ceil(math.Log(max(y.high, 0.4))/math.Log(4)))
	} else {
		y.low = 0
	}
	if c.LogX {
		x.low = max(x.low, 1e-3)
	}
	return x, y
}

// SVG returns the chart as an SVG drawing that needs no other file.
func (c *Chart) SVG() string {
	var b strings.Builder
	x, y := c.scales()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="%s">`+"\n",
		chartWidth, chartHeight, html.EscapeString(c.Title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", chartWidth, chartHeight)
	text := func(x, y float64, anchor, more, what string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(what))
	}
	text(chartLeft, 22, "start", ` font-weight="bold"`, c.Title)
	for _, v := range x.marks() {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#ddd"/>`+"\n", x.at(v), chartTop, chartHeight-below)
		text(x.at(v), chartHeight-below+16, "middle", "", short(v))
	}
	for _, v := range y.marks() {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/>`+"\n", chartLeft, y.at(v), chartWidth-chartRight)
		text(chartLeft-6, y.at(v)+4, "end", "", short(v))
	}
	text((chartLeft+chartWidth-chartRight)/2, chartHeight-10, "middle", "", c.X)
	text(14, chartHeight/2, "middle", fmt.Sprintf(` transform="rotate(-90 14 %d)"`, chartHeight/2), c.Y)
	if c.Marked != "" {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#888" stroke-dasharray="4 3"/>`+"\n", x.at(c.Marker), chartTop, chartHeight-below)
		text(x.at(c.Marker)+4, chartTop+12, "start", ` fill="#555"`, c.Marked)
	}
	for i, line := range c.Lines {
		colour := colours[i%len(colours)]
		var path strings.Builder
		for j, p := range line.Points {
			fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[j == 0], x.at(p[0]), y.at(p[1]))
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", &path, colour)
		at := float64(chartTop + 14*i + 8)
		fmt.Fprintf(&b, `<path d="M%d %.0fh16" stroke="%s" stroke-width="3"/>`+"\n", chartWidth-chartRight+10, at, colour)
		text(chartWidth-chartRight+32, at+4, "start", "", line.Name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// short formats a number of an axis.
func short(v float64) string {
	switch {
	case v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case v < 1:
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.1f", v)
}
