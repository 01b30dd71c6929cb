package report

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A Record is one result of a measurement.
type Record struct {
	Name  string  `json:"name"`
	Of    string  `json:"of"` // the subject of the measurement, in words
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	N     int     `json:"n"` // how many were measured
	P50   float64 `json:"p50,omitzero"`
	P95   float64 `json:"p95,omitzero"`
	P99   float64 `json:"p99,omitzero"`
	Range *Range  `json:"range,omitempty"` // how the value varied while it was measured
	// CPU, Sent and Written are what all N things together cost, where a measurement knows it.
	CPU     float64 `json:"cpu,omitzero"`     // seconds of CPU of the server's process
	Sent    int64   `json:"sent,omitzero"`    // bytes that the server sent
	Written int64   `json:"written,omitzero"` // bytes of the primary's write-ahead log

	Beside *Beside `json:"beside,omitempty"`
	// Parts are other results of the same measurement, in the same unit.
	Parts map[string]float64 `json:"parts,omitempty"`
	Ratio float64            `json:"ratio,omitzero"` // the record compared with Beside; each measurement says how
	Bar   string             `json:"bar,omitempty"`  // what is expected of the record
	OK    *bool              `json:"ok,omitempty"`   // whether the record meets the bar
}

// Beside is another result of the same run, with which to compare the record.
type Beside struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	P99   float64 `json:"p99,omitzero"`
}

// Expect sets the bar of a record, and whether the record meets it.
func (r *Record) Expect(bar string, ok bool) { r.Bar, r.OK = bar, &ok }

// Missed reports whether the record misses its bar.
func (r *Record) Missed() bool { return r.OK != nil && !*r.OK }

// Comparable returns the value of Beside that is the same statistic as the record's value: the p99 if that is
// the record's value, or else the value. It reports false if Beside has no such value.
func (r *Record) Comparable() (beside float64, ok bool) {
	switch {
	case r.Beside == nil:
		return 0, false
	case r.P99 != 0 && r.Value == r.P99:
		return r.Beside.P99, r.Beside.P99 != 0
	case r.Value == r.P50 || r.Ratio != 0:
		return r.Beside.Value, r.Beside.Value != 0
	}
	return 0, false
}

// Times are how long each of many things took.
type Times []time.Duration

// Quantile returns the time within which the share q of all things were done, in milliseconds:
// Quantile(0.5) is the median, Quantile(1) the longest time.
func (t Times) Quantile(q float64) float64 {
	if len(t) == 0 {
		return 0
	}
	return Milliseconds(Quantile(slices.Sorted(slices.Values(t)), q))
}

// Quantile returns the least of some sorted numbers than which the share q of all are not greater, or 0 if
// there are no numbers.
func Quantile[T cmp.Ordered](sorted []T, q float64) (found T) {
	if len(sorted) == 0 {
		return found
	}
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

// Milliseconds returns a duration in milliseconds, to the microsecond.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Round rounds a number to three decimals.
func Round(v float64) float64 { return math.Round(v*1000) / 1000 }

// Ratio returns a divided by b, rounded. It returns 0 if b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return Round(a / b)
}

// Median returns the number in the middle, or 0 if there are no numbers.
func Median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(numbers))[len(numbers)/2]
}
