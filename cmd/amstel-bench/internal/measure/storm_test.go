package measure

import (
	"bytes"
	"strings"
	"testing"
)

// TestStorm: pages that all reconnect at once end up equal to their rivers, without a statement to the
// primary.
func TestStorm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Storm}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	if r, pages := found["storm"], c.Sockets/10; r.N != pages*c.Rounds || !strings.Contains(r.Of, " 0 pages unlike their river; 0 sockets ended before they were open, 0 pages had to subscribe anew,") {
		t.Errorf("not all pages came back right: %+v", r)
	}
	if r := found["storm.statements"]; r.Value != 0 || r.Parts["builds"] != 0 {
		t.Errorf("the primary was asked for pages that came back: %+v", r)
	} else if r.Parts["of turns"] == 0 || r.Parts["turns"] == 0 {
		t.Errorf("of the loop's own turns nothing was counted: %+v", r)
	}
}
