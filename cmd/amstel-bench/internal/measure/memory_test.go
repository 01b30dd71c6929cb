package measure

import (
	"bytes"
	"strings"
	"testing"
)

func TestRunMeasuresMemory(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Memory}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	// Other tests share the process, so the test checks no amount of memory.
	r := found["memory"]
	if r.N != c.Rivers || r.Value == 0 || r.Beside == nil || r.Beside.Value <= 0 || !strings.Contains(r.Of, "and of 4 open pages") {
		t.Errorf("nothing was measured: %+v", r)
	}
	if !strings.Contains(r.Of, "40 living homes with 4040 entries") {
		t.Errorf("the homes do not have 101 entries each: %s", r.Of)
	}
	if len(found) != 1 {
		t.Errorf("%d records, want 1", len(found))
	}
}
