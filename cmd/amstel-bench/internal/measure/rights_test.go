package measure

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestRightsAreMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Scale = []string{Rights}, 0.001
	c.Notice = func(sentence string) { t.Log(sentence) } // the wrong pages, and their faults
	missed, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range steps {
		r, there := found["rights."+name]
		if !there {
			t.Errorf("%s is not reported", name)
			continue
		}
		for _, part := range []string{"statement", "turn", "answer", "done"} {
			if r.Parts[part] <= 0 {
				t.Errorf("%s: no %s was measured: %+v", name, part, r)
			}
		}
		if strings.Contains(r.Of, "wrong") {
			t.Errorf("%s: %s", name, r.Of)
		}
		if r.OK == nil || *r.OK == slices.Contains(missed, r.Name) {
			t.Errorf("%s is ok=%v, and missed are %q", name, r.OK, missed)
		}
	}
	if len(found) != len(steps) {
		t.Errorf("%d records, want %d", len(found), len(steps))
	}
}

// steps are all measured steps of rights.
var steps = []string{
	"reader.unsubscribe", "reader.subscribe", "reader.ban", "reader.banned",
	"reader.unsubscribe.closed", "reader.subscribe.closed", "reader.ban.closed", "reader.banned.closed",
	"feed.private", "feed.public", "feed.flips", "feed.back",
	"group.expel", "group.private", "group.expel.private", "group.public",
	"account.delete", "account.withhold", "account.erase", "account.workoff",
}
