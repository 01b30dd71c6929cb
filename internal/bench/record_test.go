package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	hundred := make(times, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100-i) * time.Millisecond
	}
	for _, tt := range []struct {
		name  string
		times times
		q     float64
		want  float64
	}{
		{"of nothing", nil, 0.5, 0},
		{"of one", times{3 * time.Millisecond}, 0.99, 3},
		{"half of two", times{4 * time.Millisecond, 2 * time.Millisecond}, 0.5, 2},
		{"half", hundred, 0.5, 50},
		{"nearly all", hundred, 0.99, 99},
		{"all", hundred, 1, 100},
	} {
		if got := tt.times.quantile(tt.q); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestMarked(t *testing.T) {
	t.Parallel()
	for frame, want := range map[string]int{
		"":                            -1,
		`{"type":"beat"}`:             -1,
		markOf(0):                     0,
		"<p>" + markOf(12) + "</p>":   12,
		markOf(3) + " … " + markOf(7): 7,
		markOf(7) + " … " + markOf(3): 7,
		mark + "x. " + markOf(5):      5,
		mark:                          -1,
	} {
		if got := marked([]byte(frame)); got != want {
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
		page []sighting
		want times
		lost int
	}{
		{"each by itself", []sighting{{0, at(10)}, {1, at(120)}, {2, at(230)}},
			times{10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond}, 0},
		{"two in one frame", []sighting{{1, at(150)}, {2, at(230)}},
			times{150 * time.Millisecond, 50 * time.Millisecond, 30 * time.Millisecond}, 0},
		{"the last never came", []sighting{{0, at(10)}, {1, at(120)}}, times{10 * time.Millisecond, 20 * time.Millisecond}, 1},
		{"nothing came", nil, nil, 3},
		{"before the writer knew", []sighting{{0, at(-1)}, {2, at(210)}}, times{0, 110 * time.Millisecond, 10 * time.Millisecond}, 0},
	} {
		took, lost := arrivals(committed, [][]sighting{tt.page})
		if diff := cmp.Diff(tt.want, took); diff != "" || lost != tt.lost {
			t.Errorf("%s: %d lost, want %d; (-want +got)\n%s", tt.name, lost, tt.lost, diff)
		}
	}
}

func TestNaivePageMustBeTheRivers(t *testing.T) {
	t.Parallel()
	if err := same([]timeline.PostID{1, 2}, []timeline.PostID{1, 2}); err != nil {
		t.Error(err)
	}
	if err := same([]timeline.PostID{1, 2}, []timeline.PostID{2, 1}); err == nil {
		t.Error("another order is taken for the same page")
	}
}

func TestInTurns(t *testing.T) {
	t.Parallel()
	asked := [2]int{}
	thing := func(i, answers int) func(time.Duration) (load, error) {
		return func(d time.Duration) (load, error) {
			asked[i]++
			if i == 0 && asked[i] == 3 { // something else was going on
				return load{took: make(times, 1), lasts: d}, nil
			}
			return load{took: make(times, answers), lasts: d}, nil
		}
	}
	p, err := inTurns(time.Second, thing(0, 50), thing(1, 100))
	if err != nil {
		t.Fatal(err)
	}
	if asked != [2]int{turns + 1, turns + 1} {
		t.Errorf("turns: %v, want %d each", asked, turns+1)
	}
	if n := len(p.other.took); n != 100*turns || p.other.rate() != 100 {
		t.Errorf("%d requests, %v a second, want what all turns but the first had", n, p.other.rate())
	}
	if p.ratio() != 0.5 {
		t.Errorf("ratio %v, want 0.5 whatever went on in one turn", p.ratio())
	}
	failing := func(time.Duration) (load, error) { return load{}, timeline.ErrNotFound }
	if _, err := inTurns(time.Second, thing(1, 1), failing); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}
