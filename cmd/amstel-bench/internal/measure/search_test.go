package measure

import (
	"bytes"
	"strings"
	"testing"
)

func TestRunMeasuresLiveSearches(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Searches = []string{Search}, 20
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	r := found["search.live"]
	if len(found) != 1 || r.N == 0 || r.P50 <= 0 || r.Beside == nil || r.Beside.Value <= 0 || !strings.Contains(r.Of, "while 20 searches are open") {
		t.Errorf("nothing was measured: %+v", found)
	}
	if strings.HasSuffix(r.Of, " show 0 entries") {
		t.Errorf("the searches found nothing: %s", r.Of)
	}
}
