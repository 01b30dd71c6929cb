package bench

import (
	"bytes"
	"testing"
)

func TestRunMeasuresDeepPages(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Rounds, c.Strangers = []string{Deep}, 1, 2 // strangers are from two addresses, and then from one
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	names := []string{"deep.page", "deep.page.changed", "deep.flood.first", "deep.flood.write", "deep.flood.one.first", "deep.flood.one.write"}
	for _, name := range names {
		if r := found[name]; r.N == 0 || r.Value <= 0 || r.Ratio <= 0 || r.Of == "" || r.Beside == nil || r.Beside.Value <= 0 {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	if len(found) != len(names) {
		t.Errorf("%d records, want %d", len(found), len(names))
	}
}
