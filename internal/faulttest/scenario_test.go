package faulttest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	liveclient "amstel.dev/amstel/realtime/client"
)

// startScenario returns a new scenario, changed by setup, with one node in the test's process and
// the pages of [Scenario.OpenPages].
func startScenario(t *testing.T, url string, o Options, setup ...func(*Scenario)) (*Scenario, *Node) {
	t.Helper()
	racetest.Long(t)
	scenario := NewAt(t, url, o.Now)
	for _, change := range setup {
		change(scenario)
	}
	if o.River == "" {
		o.River = filepath.Join(t.TempDir(), "river.db")
	}
	n := Start(t, url, o)
	scenario.SetNodes(n.URL)
	scenario.OpenPages()
	return scenario, n
}

// TestPeace runs a scenario in which nothing fails. All checks pass, pages are sent patches and
// stay open, and writes are acknowledged at the first try.
func TestPeace(t *testing.T) {
	t.Parallel()
	scenario, n := startScenario(t, pgtest.URL(t), Options{}, (*Scenario).Strict)
	scenario.WaitForWrites(200)
	scenario.CheckAll(n.Endpoint)
	for _, p := range scenario.AlwaysOpen() {
		if seen := p.Stats(); seen.Patches == 0 || len(seen.Closed) > 0 {
			t.Errorf("%s: %+v", p.Path, seen)
		}
	}
	if done, retries := scenario.WriteCounts(); done == 0 || retries > 0 {
		t.Errorf("%d writes were acknowledged, %d requests were answered 429 or 503; want some, and none", done, retries)
	}
}

// TestScenarioNotices violates the invariants that a scenario checks, one after another. Each check
// must report its violation.
func TestScenarioNotices(t *testing.T) {
	t.Parallel()
	scenario, n := startScenario(t, pgtest.URL(t), Options{})
	scenario.WaitForWrites(60)
	scenario.CheckAll(n.Endpoint)
	wantReport := func(what, part string, found ...string) {
		t.Helper()
		if all := strings.Join(found, "; "); !strings.Contains(all, part) {
			t.Errorf("%s: %q, want %q", what, all, part)
		}
	}
	page := scenario.pages[0]
	page.mu.Lock()
	first := page.page.Order[0]
	shown := page.page.Entries[first]
	old := shown
	old.Tag = "another"
	page.page.Entries[first] = old
	page.mu.Unlock()
	wantReport("an entry with another tag", "shows at 0", page.differenceFrom(n.URL))
	page.mu.Lock()
	page.page.Entries[first] = shown
	page.page.Order = append(page.page.Order, first)
	page.mu.Unlock()
	wantReport("one entry too many", ", the node", page.differenceFrom(n.URL))
	page.mu.Lock()
	page.page.Order = page.page.Order[:len(page.page.Order)-1]
	page.mu.Unlock()
	if why := page.differenceFrom(n.URL); why != "" {
		t.Errorf("the page as it was before %s", why)
	}

	page.mu.Lock()
	shown.Version--
	frame, err := json.Marshal(map[string]any{"type": "patch", "epoch": page.page.Epoch, "from": page.page.Counter, "to": page.page.Counter + 1,
		"ops": []any{map[string]any{"post": first, "tag": "old", "after": nil, "entry": shown}}})
	page.mu.Unlock()
	scenario.Must(err)
	if _, err := page.apply(frame); err != nil {
		t.Error(err)
	}
	wantReport("an entry in an older state", "back to", fmt.Sprint(page.page.Faults))

	head, err := scenario.Store.Sequence(t.Context())
	scenario.Must(err)
	for _, tt := range []struct {
		name  string
		fault liveclient.Fault
		may   bool
	}{
		{"after changes of rights", liveclient.Fault{Newest: 1, Version: 1, Left: 1, Back: head}, true},
		{"without a change in between", liveclient.Fault{Newest: 1, Version: 1, Left: head, Back: head}, false},
		{"in an older state", liveclient.Fault{Newest: 2, Version: 1, Left: 1, Back: head}, false},
	} {
		if may := scenario.mayReturn(page.Viewer, tt.fault); may != tt.may {
			t.Errorf("%s an entry may come back: %t", tt.name, may)
		}
	}

	if _, err := page.apply([]byte(`{"type":"patch","epoch":"x","from":0,"to":1,"ops":[],"x":"secret99999x"}`)); err != nil {
		t.Error(err)
	}
	wantReport("a text that no viewer may read", "was shown secret99999x", scenario.leaks()...)

	scenario.exec(`update posts set text = 'write 1 .' where text = 'write 1.'`)
	wantReport("a lost post", `"write 1." was acknowledged, and is missing`, scenario.lostWrites()...)
	scenario.exec(`update posts set text = (select text from comments where text like 'write %' limit 1) where text = 'write 1 .'`)
	wantReport("a post and a comment with one text", "was made 2 times", scenario.lostWrites()...)
	if why := scenario.runOracle(n.River); why == "" {
		t.Error("the oracle does not report a post that changed without an entry in the log")
	}
}
