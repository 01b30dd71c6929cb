package measure

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestStrangersAreMeasured checks the report, and that nothing is lost. It does not check how
// long members wait, which depends on the test's machine.
func TestStrangersAreMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Seconds = []string{Strangers}, 4 // on busy processors a write may take longer than two seconds
	var said []string
	c.Notice = func(sentence string) { said = append(said, sentence) }
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range []string{"strangers.reads", "strangers.writes", "strangers.memory"} {
		if r := found[name]; r.N == 0 || r.Value <= 0 || r.Of == "" {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	for _, want := range []string{"; 0 of ", " acknowledged writes lost; 0 open pages unlike their river; ", ", 0 differences"} {
		if of := found["strangers.reads"].Of; !strings.Contains(of, want) {
			t.Errorf("%q does not say %q", of, want)
		}
	}
	for _, what := range []string{"crawl", "deep", "search", "sockets", "slow", "cookies", "passwords", "accounts"} {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, what+": map[") }) {
			t.Errorf("strangers did not %s: %q", what, said)
		}
	}
}
