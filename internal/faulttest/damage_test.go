package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// TestRiverDBDamaged damages the river DB of a running node in every way of [Damages]
// (checklist BE2). Pages stay right, no client gets an error, no open page goes back to an
// older state, and the node makes a new river DB.
func TestRiverDBDamaged(t *testing.T) {
	t.Parallel()
	// After each loss a node waits longer before it makes a new file; SaveAgain keeps the wait
	// short.
	scenario, n := startScenario(t, pgtest.URL(t), Options{Settings: river.Settings{Limits: river.Limits{SaveAgain: time.Millisecond}}}, (*Scenario).Strict)
	for _, d := range Damages() {
		t.Log(d.Name)
		scenario.WaitForWrites(10)
		before := n.Log.Count("river DB lost")
		scenario.Until("the node does not notice the damage", func() string {
			// Damage in the middle of a turn's write counts as an error of that turn
			// alone, so the damage is repeated until the node reports a lost file.
			scenario.Must(d.Do(n.River))
			if scenario.WaitForWrites(5); n.Log.Count("river DB lost") == before {
				return "its log reports no lost river DB"
			}
			return ""
		})
		scenario.WaitForWrites(10)
		scenario.CheckAll(n.Endpoint)
	}
}

// TestRiverDBDamagedWhileStopped damages the river DB of a stopped node in every way of [Damages].
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

// TestOlderCopyOfTheRiverDB replaces the river DB by an older copy, as after the loss of its log
// or a restored disk. Pages that slept get the changes they missed, although the node uses the
// same counters a second time.
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
