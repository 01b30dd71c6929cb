package client

import "testing"

func TestActsHaveTheirShares(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for n := range 100 {
		counts[pickAct(n).Name]++
	}
	sum := 0
	for _, act := range LifeActs {
		if sum += act.share; counts[act.Name] != act.share {
			t.Errorf("%s has %d of 100 acts, want %d", act.Name, counts[act.Name], act.share)
		}
	}
	if sum != 100 {
		t.Errorf("the shares add up to %d", sum)
	}
}
