package faulttest

import (
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

// TestRiverDBDamagedWhileStopped: the same where a node finds it so when it starts.
func TestRiverDBDamagedWhileStopped(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	town, n := under(t, url, Options{})
	for _, d := range Damages() {
		t.Run(d.Name, func(t *testing.T) {
			town.TB = t
			town.Busy(20)
			n.Stop()
			town.Must(d.Do(n.River))
			n = n.Again()
			town.Busy(20)
			town.Right(n.Place)
		})
	}
}
