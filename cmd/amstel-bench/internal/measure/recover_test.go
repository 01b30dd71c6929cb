package measure

import (
	"bytes"
	"strings"
	"testing"
)

// TestRecover: the loss of a river DB while pages are read causes no error.
func TestRecover(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Recover}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range []string{"recover", "recover.restart"} {
		r := found[name]
		if r.N == 0 || r.Value <= 0 || r.Parts["all of them"] < r.Value || r.OK == nil || !*r.OK {
			t.Errorf("%s: %+v", name, r)
		}
		if !strings.Contains(r.Of, ": 0 of ") || !strings.Contains(r.Of, "; 0 open pages unlike their river") {
			t.Errorf("%s: %s", name, r.Of)
		}
	}
}
