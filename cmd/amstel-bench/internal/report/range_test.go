package report

import (
	"slices"
	"testing"
	"time"
)

func TestRangeHasTheFifthsOfTheSamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		samples []float64
		want    *Range
	}{
		{"no samples", nil, nil},
		{"too few samples", []float64{1, 2, 3, 4}, nil},
		{"one sample in each fifth", []float64{3, 1, 5, 2, 4}, &Range{1, 5}},
		{"one slow sample is not the median of its fifth", []float64{2, 2, 2, 1, 1, 90, 3, 3, 3, 2, 2, 2, 2, 2, 2}, &Range{1, 3}},
	} {
		got := RangeOf(tt.samples, Median)
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTimesSetARecord(t *testing.T) {
	t.Parallel()
	var times Times
	for i := range 100 {
		times = append(times, time.Duration(i+1)*time.Millisecond)
	}
	slices.Reverse(times)
	var r Record
	r.SetTimes(times, 0.5)
	if r.N != 100 || r.P50 != 50 || r.P95 != 95 || r.P99 != 99 || r.Value != 50 || *r.Range != (Range{10, 90}) {
		t.Errorf("%+v with the range %+v", r, r.Range)
	}
	if r.SetTimes(times, 0.99); r.Value != 99 || *r.Range != (Range{20, 100}) {
		t.Errorf("with the slowest as its value: %+v with the range %+v", r, r.Range)
	}
}
