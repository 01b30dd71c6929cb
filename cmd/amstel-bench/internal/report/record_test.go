package report

import (
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	hundred := make(Times, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100-i) * time.Millisecond
	}
	for _, tt := range []struct {
		name  string
		times Times
		q     float64
		want  float64
	}{
		{"of nothing", nil, 0.5, 0},
		{"of one", Times{3 * time.Millisecond}, 0.99, 3},
		{"half of two", Times{4 * time.Millisecond, 2 * time.Millisecond}, 0.5, 2},
		{"half", hundred, 0.5, 50},
		{"nearly all", hundred, 0.99, 99},
		{"all", hundred, 1, 100},
	} {
		if got := tt.times.Quantile(tt.q); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
