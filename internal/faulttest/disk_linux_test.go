package faulttest

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// TestDiskFull fills the disk of the river DB, while a node runs and before it starts. Pages
// stay right, the node reports that its river DB is incomplete, and completes the river DB when
// there is room again.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := NewDisk(t, "8m")
	scenario, n := startScenario(t, pgtest.URL(t), Options{River: filepath.Join(disk.Path, "river.db"), Settings: river.Settings{Limits: river.Limits{SaveAgain: 20 * time.Millisecond}}})
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	waitIncomplete := func(want bool) {
		t.Helper()
		scenario.StartLoad()
		scenario.Until("the node does not notice whether the disk is full", func() string {
			if n.Rivers.Stats().RiverDBIncomplete != want {
				return fmt.Sprintf("its river DB is incomplete: %v, want %v", !want, want)
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
