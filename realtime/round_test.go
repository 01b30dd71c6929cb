package realtime

import (
	"slices"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		name        string
		costs, want []time.Duration
		told        []time.Duration
	}{
		{"short rounds change nothing", []time.Duration{0, 10 * ms, 99 * ms}, []time.Duration{200 * ms, 200 * ms, 200 * ms}, nil},
		{"one long round doubles it at most", []time.Duration{4000 * ms, 0}, []time.Duration{400 * ms, 200 * ms}, []time.Duration{400 * ms, 200 * ms}},
		{"a little more is not told", []time.Duration{150 * ms, 150 * ms, 0}, []time.Duration{300 * ms, 300 * ms, 200 * ms}, nil},
		{"long rounds stretch it to its most",
			slices.Repeat([]time.Duration{9000 * ms}, 6),
			[]time.Duration{400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 5000 * ms, 5000 * ms},
			[]time.Duration{400 * ms, 800 * ms, 1600 * ms, 3200 * ms}},
		{"it comes back by halves",
			[]time.Duration{9000 * ms, 9000 * ms, 0, 0, 0},
			[]time.Duration{400 * ms, 800 * ms, 400 * ms, 200 * ms, 200 * ms},
			[]time.Duration{400 * ms, 800 * ms, 200 * ms}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPace(200*ms, 5000*ms)
			var got, told []time.Duration
			for _, cost := range tt.costs {
				p.adjust(cost)
				got = append(got, p.now)
				if p.announce() {
					told = append(told, p.told)
				}
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(told, tt.told) {
				t.Errorf("paces %v, told %v; want %v, %v", got, told, tt.want, tt.told)
			}
		})
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	r := rateLimit{times: make([]int64, 2)}
	for i, tt := range []struct {
		at   time.Duration
		many bool
	}{
		{0, false}, {0, false}, {0, true}, {999 * time.Millisecond, true},
		{time.Second, false}, {1999 * time.Millisecond, false}, {2000 * time.Millisecond, false}, {2001 * time.Millisecond, true},
	} {
		if many := r.exceeded(int64(tt.at)); many != tt.many {
			t.Errorf("frame %d at %v: %v", i, tt.at, many)
		}
	}
}
