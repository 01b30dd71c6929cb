package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// TestRiverDBDamaged: checklist BE2. The river DB is damaged while its node runs, in each way
// there is: pages are right, no client gets an error, no open page goes back to an older
// state, and the node makes a new river DB.
func TestRiverDBDamaged(t *testing.T) {
	t.Parallel()
	// After each loss a node waits longer before it makes a new file: here a moment.
	scenario, n := startScenario(t, pgtest.URL(t), Options{Settings: river.Settings{Limits: river.Limits{SaveAgain: time.Millisecond}}}, (*Scenario).Strict)
	for _, d := range Damages() {
		t.Log(d.Name)
		scenario.WaitForWrites(10)
		before := n.Log.Count("river DB lost")
		scenario.Until("the node does not notice", func() string {
			// The node takes damage for an error of the turn that it is writing
			// at this moment, so the damage is repeated until the node notices.
			scenario.Must(d.Do(n.River))
			if scenario.WaitForWrites(5); n.Log.Count("river DB lost") == before {
				return "it goes on"
			}
			return ""
		})
		scenario.WaitForWrites(10)
		scenario.CheckAll(n.Endpoint)
	}
}

// TestRiverDBDamagedWhileStopped: the same where a node finds it so when it starts.
func TestRiverDBDamagedWhileStopped(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	scenario, n := startScenario(t, url, Options{}, (*Scenario).Strict)
	for _, d := range Damages() {
		t.Log(d.Name)
		scenario.WaitForWrites(10)
		n.Stop()
		scenario.Must(d.Do(n.River))
		n = n.Restart()
		scenario.WaitForWrites(10)
		scenario.CheckAll(n.Endpoint)
	}
}

// TestOlderCopyOfTheRiverDB puts an older copy of the river DB in endpoint, as after the loss of its log
// or a restored disk. Pages that slept get the changes that they missed, though the node
// uses the same counters again.
func TestOlderCopyOfTheRiverDB(t *testing.T) {
	t.Parallel()
	scenario, n := startScenario(t, pgtest.URL(t), Options{})
	copied := filepath.Join(t.TempDir(), "copied.db")
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	CopyRiverDB(t, n.River, copied)
	scenario.WaitForWrites(60)
	scenario.CheckAll(n.Endpoint)
	last := int64(0)
	for _, p := range scenario.pages {
		p.Sleep()
		last = max(last, p.Counter())
	}
	n.Stop()
	CopyRiverDB(t, copied, n.River)
	n = n.Restart()
	for n.Counter() <= last+1 {
		scenario.WaitForWrites(5)
	}
	for _, p := range scenario.pages {
		p.Wake()
	}
	scenario.CheckAll(n.Endpoint)
}
