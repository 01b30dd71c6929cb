package measure

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestCrowd: every socket of a crowd gets every frame, and stuck sockets are recognised.
func TestCrowd(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Crowd}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	if len(found) != 3 {
		t.Errorf("%d records, want 3", len(found))
	}
	if r := found["crowd.memory"]; r.N != c.Sockets || r.Unit != "KB" {
		t.Errorf("memory: %+v", r)
	}
	if r := found["crowd"]; r.N != c.Sockets*2*c.Rounds || !strings.Contains(r.Of, "; 0 frames never came") || !strings.Contains(r.Of, "each a frame of 20") {
		t.Errorf("not every socket was shown every change, of 2 KB: %+v", r)
	}
	r, stuck := found["crowd.stuck"], c.Sockets/10
	if r.N != (c.Sockets-stuck)*stuckChanges*c.Rounds || !strings.Contains(r.Of, "; 0 frames never came") {
		t.Errorf("not every socket that is read was shown every change: %+v", r)
	}
	if all := stuck * c.Rounds; !strings.Contains(r.Of, fmt.Sprintf("of %d in all, the server had not closed %d ", all, all)) ||
		!strings.Contains(r.Of, fmt.Sprintf(" %d were found behind, 0 closed", all)) {
		t.Errorf("not all were stuck: %s", r.Of)
	}
}

func TestHomes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Homes}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	r := records(t, &out)["homes"]
	if r.N != c.Sockets/10*2*c.Rounds || !strings.Contains(r.Of, "; 0 frames never came") {
		t.Errorf("not every home was shown every change: %+v", r)
	}
}
