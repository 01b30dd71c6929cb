package main

import (
	"path/filepath"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/faulttest"
	"amstel.dev/amstel/internal/pgtest"
)

// oracle returns an oracle that runs amstel check on a river DB. The oracle returns the output
// if the check fails, or if it leaves out rivers that still have work to do.
func oracle(t *testing.T, url string) func(path string) string {
	return func(path string) string {
		out, err, code := command(t.Context(), "check", "--river", path, "--database", url)
		if code != 0 || strings.Contains(out, "still have work") {
			return out + err
		}
		return ""
	}
}

// TestNodeKilled kills one of two nodes at each point of its work, under writes through both
// nodes and to the primary, and starts the node again.
func TestNodeKilled(t *testing.T) {
	long(t)
	t.Parallel()
	url := pgtest.URL(t)
	scenario := faulttest.New(t, url)
	scenario.Oracle = oracle(t, url)
	scenario.Strict()
	dir := t.TempDir()
	killed, other := faulttest.Endpoint{River: filepath.Join(dir, "killed.db")}, faulttest.Endpoint{River: filepath.Join(dir, "other.db")}
	other.URL = start(t, "web", "--listen=127.0.0.1:0", "--writes=1000000", "--database", url, "--data", t.TempDir(), "--river", other.River).url
	args := []string{"web", "--listen=127.0.0.1:0", "--writes=1000000", "--database", url, "--river", killed.River}
	m := startKillable(t, "", args...)
	killed.URL = m.url
	args[1] = "--listen=" + strings.TrimPrefix(m.url, "http://")
	scenario.SetNodes(killed.URL, other.URL)
	scenario.OpenPages()
	for _, point := range []string{
		"river: sequenced", "river: decided", "river: written", "river: published", "river: building",
		"timeline: committed", "timeline: sequenced",
		killAtOnce + "river: decided", killAtOnce + "river: written",
	} {
		t.Log(point)
		m.kill()
		m = startKillable(t, point, args...)
		if !strings.HasPrefix(point, killAtOnce) {
			scenario.WaitForWrites(10)
			m.arm()
		}
		m.waitKilled()
		scenario.WaitForWrites(10)
		m = startKillable(t, "", args...)
		scenario.WaitForWrites(10)
		scenario.CheckAll(killed, other)
	}
	// The test damages the files of the river DB that a kill leaves, before it starts the node again.
	for _, d := range faulttest.Damages() {
		if !strings.HasPrefix(d.Name, "its ") && !strings.HasPrefix(d.Name, "both ") {
			continue
		}
		t.Log(d.Name)
		scenario.WaitForWrites(10)
		m.kill()
		scenario.Must(d.Do(killed.River))
		m = startKillable(t, "", args...)
		scenario.WaitForWrites(10)
		scenario.CheckAll(killed, other)
	}
}
