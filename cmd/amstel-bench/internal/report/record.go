package report

import (
	"math"
	"slices"
	"time"
)

// A Record is one thing that was measured.
type Record struct {
	Name   string  `json:"name"`
	Of     string  `json:"of"` // what it was measured on, in words
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	N      int     `json:"n"` // how many were measured
	P50    float64 `json:"p50,omitzero"`
	P99    float64 `json:"p99,omitzero"`
	Beside *Beside `json:"beside,omitempty"`
	// Parts are what else was measured of the same thing, in the same unit.
	Parts map[string]float64 `json:"parts,omitempty"`
	Ratio float64            `json:"ratio,omitzero"` // how many times better than what stands beside it
	Bar   string             `json:"bar,omitempty"`  // what is expected
	OK    *bool              `json:"ok,omitempty"`   // whether it is so
}

// Beside is what was measured in the same run to compare with.
type Beside struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	P99   float64 `json:"p99,omitzero"`
}

// Expect sets what a record is held to.
func (r *Record) Expect(bar string, ok bool) { r.Bar, r.OK = bar, &ok }

// Missed says that the record is not what is expected.
func (r *Record) Missed() bool { return r.OK != nil && !*r.OK }

// Times are how long each of many things took.
type Times []time.Duration

// Quantile answers the time that a part q of all took at most, in milliseconds.
func (t Times) Quantile(q float64) float64 {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return Milliseconds(sorted[min(max(at, 0), len(sorted)-1)])
}

// Milliseconds are those of a duration, to the microsecond.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Round keeps three digits behind the point.
func Round(v float64) float64 { return math.Round(v*1000) / 1000 }

// Ratio divides; what can't be divided is 0, which is no ratio.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return Round(a / b)
}

// Median is the number in the middle.
func Median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(numbers))[len(numbers)/2]
}
