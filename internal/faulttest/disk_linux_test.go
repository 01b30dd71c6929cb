package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// TestDiskFull: there is no room for the river DB, while a node runs and when it
// starts. Pages are right all the same, the node says so, and when there is room
// again it goes on as ever.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := NewDisk(t, "8m")
	scenario, n := startScenario(t, pgtest.URL(t), Options{River: filepath.Join(disk.Path, "river.db"), Settings: river.Settings{Limits: river.Limits{SaveAgain: 20 * time.Millisecond}}})
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	waitIncomplete := func(is bool) {
		t.Helper()
		scenario.StartLoad()
		scenario.Until("the node does not notice", func() string {
			if n.Rivers.Stats().RiverDBIncomplete != is {
				return map[bool]string{true: "it has all it knows on the disk", false: "it has not"}[is]
			}
			return ""
		})
	}
	for range 2 {
		disk.Fill()
		waitIncomplete(true)
		scenario.WaitForWrites(20)
		scenario.CheckAll(Endpoint{URL: n.URL})
		n.Stop()
		scenario.WaitForWrites(5)
		n = n.Restart()
		scenario.WaitForWrites(20)
		waitIncomplete(true)
		scenario.CheckAll(Endpoint{URL: n.URL})
		disk.Free()
		waitIncomplete(false)
		scenario.WaitForWrites(20)
		scenario.CheckAll(n.Endpoint)
	}
}
