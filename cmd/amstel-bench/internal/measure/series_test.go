package measure

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

func TestChangeSeries_Arrivals(t *testing.T) {
	t.Parallel()
	begun := time.Unix(1_800_000_000, 0)
	at := func(ms int) int64 { return begun.Add(time.Duration(ms) * time.Millisecond).UnixNano() }
	ms := func(all ...int) (times report.Times) {
		for _, n := range all {
			times = append(times, time.Duration(n)*time.Millisecond)
		}
		return times
	}
	s := &changeSeries{
		committed: []time.Time{begun, begun.Add(100 * time.Millisecond), begun.Add(200 * time.Millisecond)},
		// The first socket gets each change in a frame of its own, the second gets two changes in one
		// frame, the third never gets the last change, and the fourth gets the first change before the
		// writer knows of the commit.
		seen: [][]int64{{at(10), at(150), at(10), at(-1)}, {at(120), at(150), at(120), at(210)}, {at(230), at(230), 0, at(210)}},
	}
	for _, tt := range []struct {
		first, past int
		want        report.Times
		lost        int
	}{
		{0, 1, ms(10, 20, 30), 0},
		{1, 2, ms(150, 50, 30), 0},
		{2, 3, ms(10, 20), 1},
		{3, 4, ms(0, 110, 10), 0},
		{0, 2, ms(10, 150, 20, 50, 30, 30), 0},
		{3, 5, ms(0, 110, 10), 3}, // the fifth socket does not exist, and so gets no frame
	} {
		took, lost, p99 := s.arrivals(tt.first, tt.past)
		if diff := cmp.Diff(tt.want, took); diff != "" || lost != tt.lost || len(p99) != 3 {
			t.Errorf("sockets %d to %d: %d lost, want %d; %d changes; (-want +got)\n%s", tt.first, tt.past, lost, tt.lost, len(p99), diff)
		}
	}
}
