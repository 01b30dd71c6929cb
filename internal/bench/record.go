package bench

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

// expect sets what a record is held to.
func (r *Record) expect(bar string, ok bool) { r.Bar, r.OK = bar, &ok }

// missed says that the record is not what is expected.
func (r *Record) missed() bool { return r.OK != nil && !*r.OK }

// times are how long each of many things took.
type times []time.Duration

// quantile answers the time that a part q of all took at most, in milliseconds.
func (t times) quantile(q float64) float64 {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return milliseconds(sorted[min(max(at, 0), len(sorted)-1)])
}

// milliseconds are those of a duration, to the microsecond.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// rounded keeps three digits behind the point.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }

// over divides; what can't be divided is 0, which is no ratio.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return rounded(a / b)
}
