package report

import "slices"

// A Range has the least and the greatest value of a record in the fifths of its measurement. It shows how
// much a value varies by itself; see [Compare].
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// rangeParts is the number of parts whose values make a range.
const rangeParts = 5

// RangeOf splits samples into five parts, in the order in which they were taken, and returns the least and
// the greatest value of the parts. It returns nil if there are fewer than five samples.
func RangeOf[S ~[]T, T any](samples S, value func(S) float64) *Range {
	if len(samples) < rangeParts {
		return nil
	}
	values := make([]float64, rangeParts)
	for i := range values {
		values[i] = value(samples[i*len(samples)/rangeParts : (i+1)*len(samples)/rangeParts])
	}
	return &Range{Round(slices.Min(values)), Round(slices.Max(values))}
}

// SetQuantiles sets the number and the quantiles of a record from times.
func (r *Record) SetQuantiles(t Times) {
	r.N, r.P50, r.P95, r.P99 = len(t), t.Quantile(0.5), t.Quantile(0.95), t.Quantile(0.99)
}

// SetTimes sets the number, the quantiles and the value of a record from times in the order in which they were
// measured. The value is the quantile q of all times, and its range has the same quantile of their fifths.
func (r *Record) SetTimes(t Times, q float64) {
	r.SetQuantiles(t)
	r.Value = t.Quantile(q)
	r.Range = RangeOf(t, func(t Times) float64 { return t.Quantile(q) })
}
