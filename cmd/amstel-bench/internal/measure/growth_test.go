package measure

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestRunMeasuresGrowth(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Growth}
	missed, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, size := range []int{150, 300} {
		for _, cost := range costs {
			name := fmt.Sprintf("growth.%d.%s", size, cost.name)
			r := found[name]
			heap := cost.name == "heap" // other tests share it, so it may even shrink
			if r.N == 0 || !heap && r.Value <= 0 || r.P99 < r.P50 || r.Unit == "" || !strings.Contains(r.Of, fmt.Sprintf("%d posts", size)) {
				t.Errorf("%s: nothing was measured: %+v", name, r)
			}
			if larger := size == 300; larger != (r.Beside != nil && (heap || r.Ratio > 0) && strings.HasPrefix(r.Beside.Name, "150 posts")) {
				t.Errorf("%s is compared with %+v, ratio %v", name, r.Beside, r.Ratio)
			}
			if barred := size == 300 && cost.bar > 0; barred != (r.OK != nil) {
				t.Errorf("%s has the bar %q", name, r.Bar)
			}
		}
		if n := found[fmt.Sprintf("growth.%d.visit", size)].N; n != c.Homes*c.Rounds {
			t.Errorf("%d homes were visited, want %d in each of %d rounds", n, c.Homes, c.Rounds)
		}
	}
	if len(found) != 2*len(costs) {
		t.Errorf("%d records, want %d", len(found), 2*len(costs))
	}
	for _, name := range missed {
		if !strings.HasPrefix(name, "growth.300.") {
			t.Errorf("%s misses a bar, and is not compared with anything", name)
		}
	}
}
