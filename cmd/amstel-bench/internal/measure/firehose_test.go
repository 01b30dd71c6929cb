package measure

import (
	"bytes"
	"flag"
	"strings"
	"testing"
)

var firehose = flag.Bool("firehose", false, "measure how many changes a node follows")

// TestRunMeasuresTheFirehose checks the records of the firehose. It runs by hand and in scripts/soak: it writes likes until a node that fell
// behind follows again, so a busy machine makes it write more likes than the small community has people and posts for.
func TestRunMeasuresTheFirehose(t *testing.T) {
	t.Parallel()
	if !*firehose {
		t.Skip("runs with -firehose")
	}
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Firehose}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range []string{"firehose.sparse", "firehose.thousand"} {
		r := found[name]
		if r.N == 0 || r.Value <= 0 || name == "firehose.thousand" && r.P50 <= 0 || r.Bar == "" || !strings.Contains(r.Of, "40 rivers, 4 of them open") {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
		if r := found[name+".behind"]; r.N == 0 || r.Value <= 0 || r.Beside == nil || r.Beside.Value < 400 || r.Ratio <= 0 {
			t.Errorf("%s.behind: nothing was measured: %+v", name, r)
		}
	}
	for _, name := range []string{"firehose.unconcerned", "firehose.unconcerned.many"} {
		if r := found[name]; r.N != c.Homes || r.Value <= 0 || r.Beside == nil || r.Beside.Value <= 0 || r.Parts["statements"] <= 0 || r.Parts["statements without changes"] <= 0 {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	if len(found) != 6 {
		t.Errorf("%d records, want 6", len(found))
	}
}
