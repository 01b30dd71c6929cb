package report

import (
	"fmt"
	"html"
	"strings"
)

// Bars is a chart of horizontal bars: one for each record, and one for the value beside it.
type Bars struct {
	Title string
	Unit  string
	Rows  []Bar
}

// A Bar is the row of one record.
type Bar struct {
	Name   string
	Value  float64
	Range  *Range  // is drawn as a line; nil: none
	P99    float64 // is drawn as a ring; 0: none
	Beside float64 // is drawn as a second bar; 0: none
}

// The sizes in a chart of bars, in pixels.
const (
	barsLeft, barsRight, barsTop, barsBelow = 260, 16, 36, 24
	barHeight, besideHeight, barGap         = 14, 8, 10
	valueWidth                              = 72 // the width of the column of values, left of the bars
)

// height returns the height of a row.
func (b *Bar) height() float64 {
	if b.Beside > 0 {
		return barHeight + besideHeight + barGap
	}
	return barHeight + barGap
}

// most returns the greatest number that a row shows.
func (b *Bar) most() float64 {
	most := max(b.Value, b.P99, b.Beside)
	if b.Range != nil {
		most = max(most, b.Range.High)
	}
	return most
}

// SVG returns the chart as an SVG drawing that needs no other file.
func (c *Bars) SVG() string {
	bottom := float64(barsTop)
	x := scale{from: barsLeft, to: chartWidth - barsRight}
	for i := range c.Rows {
		bottom += c.Rows[i].height()
		x.high = max(x.high, c.Rows[i].most())
	}
	var b strings.Builder
	text := func(x, y float64, anchor, more, what string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(what))
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="12" role="img" aria-label="%s">`+"\n",
		chartWidth, bottom+barsBelow, html.EscapeString(c.Title+", "+c.Unit))
	fmt.Fprintf(&b, `<rect width="%d" height="%.0f" fill="#fff"/>`+"\n", chartWidth, bottom+barsBelow)
	text(barsLeft, 18, "start", ` font-weight="bold"`, c.Title+", "+c.Unit)
	for _, v := range x.marks() {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%.1f" stroke="#ddd"/>`+"\n", x.at(v), barsTop-6, bottom)
		text(x.at(v), bottom+16, "middle", ` fill="#555"`, short(v))
	}
	y := float64(barsTop)
	for i := range c.Rows {
		r := &c.Rows[i]
		middle := y + barHeight/2
		text(barsLeft-valueWidth, middle+4, "end", "", r.Name)
		text(barsLeft-8, middle+4, "end", ` font-weight="bold"`, number(r.Value))
		fmt.Fprintf(&b, `<rect x="%d" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", barsLeft, y, x.at(r.Value)-barsLeft, barHeight, barColour)
		if r.Range != nil {
			fmt.Fprintf(&b, `<path d="M%.1f %.1fH%.1fm0 -4v8M%.1f %.1fv8" stroke="#000" fill="none"/>`+"\n",
				x.at(r.Range.Low), middle, x.at(r.Range.High), x.at(r.Range.Low), middle-4)
		}
		if r.P99 > 0 {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="none" stroke="%s" stroke-width="2"/>`+"\n", x.at(r.P99), middle, ringColour)
		}
		if r.Beside > 0 {
			fmt.Fprintf(&b, `<rect x="%d" y="%.1f" width="%.1f" height="%d" fill="#bbb"/>`+"\n", barsLeft, y+barHeight, x.at(r.Beside)-barsLeft, besideHeight)
		}
		y += r.height()
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// The colours of bars, and of the rings for p99. People with defective colour vision can tell them apart.
const (
	barColour  = "#56b4e9"
	ringColour = "#d55e00"
)

// bars returns a chart of the records of one unit. It leaves out negative values, which a bar can't show.
func bars(title, unit string, records []Record) *Bars {
	c := &Bars{Title: title, Unit: unit}
	for i := range records {
		r := &records[i]
		if r.Unit != unit || r.Value < 0 {
			continue
		}
		row := Bar{Name: r.Name, Value: r.Value, Range: r.Range}
		if unit == milliseconds {
			row.P99 = r.P99
		}
		row.Beside, _ = r.Comparable()
		c.Rows = append(c.Rows, row)
	}
	return c
}

// milliseconds is the unit in which records have their quantiles.
const milliseconds = "ms"
