package client

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

func TestMarked(t *testing.T) {
	t.Parallel()
	for frame, want := range map[string]int{
		"":                           -1,
		`{"type":"beat"}`:            -1,
		Mark(0):                      0,
		"<p>" + Mark(12) + "</p>":    12,
		Mark(3) + " … " + Mark(7):    7,
		Mark(7) + " … " + Mark(3):    7,
		markPrefix + "x. " + Mark(5): 5,
		markPrefix:                   -1,
	} {
		if got := newestMark([]byte(frame)); got != want {
			t.Errorf("%q shows %d, want %d", frame, got, want)
		}
	}
}

func TestArrivals(t *testing.T) {
	t.Parallel()
	begun := time.Unix(1_800_000_000, 0)
	at := func(ms int) int64 { return begun.Add(time.Duration(ms) * time.Millisecond).UnixNano() }
	committed := []time.Time{begun, begun.Add(100 * time.Millisecond), begun.Add(200 * time.Millisecond)}
	for _, tt := range []struct {
		name string
		page []Sighting
		want report.Times
		lost int
	}{
		{"each by itself", []Sighting{{0, at(10)}, {1, at(120)}, {2, at(230)}},
			report.Times{10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond}, 0},
		{"two in one frame", []Sighting{{1, at(150)}, {2, at(230)}},
			report.Times{150 * time.Millisecond, 50 * time.Millisecond, 30 * time.Millisecond}, 0},
		{"the last never came", []Sighting{{0, at(10)}, {1, at(120)}}, report.Times{10 * time.Millisecond, 20 * time.Millisecond}, 1},
		{"nothing came", nil, nil, 3},
		{"before the writer knew", []Sighting{{0, at(-1)}, {2, at(210)}}, report.Times{0, 110 * time.Millisecond, 10 * time.Millisecond}, 0},
	} {
		took, lost := Arrivals(committed, [][]Sighting{tt.page})
		if diff := cmp.Diff(tt.want, took); diff != "" || lost != tt.lost {
			t.Errorf("%s: %d lost, want %d; (-want +got)\n%s", tt.name, lost, tt.lost, diff)
		}
	}
}
