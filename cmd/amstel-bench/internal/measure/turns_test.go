package measure

import (
	"errors"
	"testing"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline"
)

func TestInTurns(t *testing.T) {
	t.Parallel()
	asked := [2]int{}
	thing := func(i, answers int) func(time.Duration) (client.Load, error) {
		return func(d time.Duration) (client.Load, error) {
			asked[i]++
			if i == 0 && asked[i] == 3 { // a turn in which the machine is busy with other work
				return client.Load{Took: make(report.Times, 1), Lasts: d}, nil
			}
			return client.Load{Took: make(report.Times, answers), Lasts: d}, nil
		}
	}
	p, err := inTurns(time.Second, thing(0, 50), thing(1, 100))
	if err != nil {
		t.Fatal(err)
	}
	if asked != [2]int{turns + 1, turns + 1} {
		t.Errorf("turns: %v, want %d each", asked, turns+1)
	}
	if n := len(p.other.Took); n != 100*turns || p.other.Rate() != 100 {
		t.Errorf("%d requests, %v a second, want what all turns but the first had", n, p.other.Rate())
	}
	if p.ratio() != 0.5 {
		t.Errorf("ratio %v, want 0.5 whatever went on in one turn", p.ratio())
	}
	failing := func(time.Duration) (client.Load, error) { return client.Load{}, timeline.ErrNotFound }
	if _, err := inTurns(time.Second, thing(1, 1), failing); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}
