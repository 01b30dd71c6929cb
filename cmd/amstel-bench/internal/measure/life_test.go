package measure

import (
	"bytes"
	"strings"
	"testing"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
)

// TestLifeIsMeasured checks that people do everything that they can do, and that nothing is lost. It does not
// check how long acts take, which depends on the test's machine.
func TestLifeIsMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Seconds, c.Acts = []string{Life}, 3, 100
	c.Notice = func(sentence string) { t.Log(sentence) }
	missed, err := Run(t.Context(), c)
	if err != nil || len(missed) > 0 {
		t.Fatalf("missed %q: %v", missed, err)
	}
	found := records(t, &out)
	names := []string{"life", "life.frames"}
	for _, act := range client.LifeActs {
		names = append(names, "life."+act.Name)
	}
	for _, name := range names {
		if r := found[name]; r.N == 0 || r.Value <= 0 || r.Of == "" {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	life := found["life"]
	for _, want := range []string{" 0 acts failed; 0 of ", " acknowledged writes lost; 0 open pages unlike their river; ", ", 0 differences"} {
		if !strings.Contains(life.Of, want) || strings.Contains(life.Of, "0 of 0 acknowledged") {
			t.Errorf("%q does not say %q", life.Of, want)
		}
	}
	if life.Sent < 1000*int64(life.N) || life.Written == 0 || life.CPU != 0 {
		t.Errorf("%d acts: %d bytes sent, %d written, %v s of CPU, which can't be told apart from the clients' in this process", life.N, life.Sent, life.Written, life.CPU)
	}
}
