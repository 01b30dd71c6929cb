package measure

import (
	"bytes"
	"strings"
	"testing"
)

func TestRunMeasuresKinds(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Rounds = []string{Kinds}, 1
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for name, r := range found {
		if !strings.HasPrefix(name, "kind.") || r.N == 0 || r.Value <= 0 || r.Ratio <= 0 || r.Beside == nil || r.Beside.Value <= 0 {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	for _, kind := range []string{"user", "group", "comments", "likes", "discussions", "everything", "best_of", "list", "day", "search"} {
		if _, is := found["kind."+kind]; !is {
			t.Errorf("rivers of the kind %s were not measured", kind)
		}
	}
}
