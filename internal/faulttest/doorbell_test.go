package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/river"
)

// startBehindProxy returns a new scenario with one node, which reaches the primary through the
// proxy.
func startBehindProxy(t *testing.T, url string, settings river.Settings) (*Scenario, *Node, *Proxy) {
	t.Helper()
	racetest.Long(t)
	scenario := New(t, url)
	proxy := NewProxy(t, url)
	n := Start(t, proxy.URL, Options{River: filepath.Join(t.TempDir(), "river.db"), Settings: settings})
	scenario.SetNodes(n.URL)
	scenario.OpenPages()
	return scenario, n, proxy
}

// TestDoorbellLost freezes, and then ends, the connection on which a node is notified of
// changes. The node still shows changes made elsewhere.
func TestDoorbellLost(t *testing.T) {
	t.Parallel()
	scenario, n, proxy := startBehindProxy(t, pgtest.URL(t), river.Settings{})
	scenario.WaitForWrites(20)
	scenario.Until("no connection listens", func() string {
		if proxy.Freeze(false) == 0 {
			return "no connection was frozen"
		}
		return ""
	})
	scenario.WaitForWrites(40)
	scenario.CheckAll(n.Endpoint)
	for range 3 {
		scenario.exec(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`)
		scenario.WaitForWrites(10)
	}
	scenario.CheckAll(n.Endpoint)
}

// TestConnectionsLost closes all connections of a node ten times, and then freezes them for
// some time. Every write has effect once.
func TestConnectionsLost(t *testing.T) {
	t.Parallel()
	scenario, n, proxy := startBehindProxy(t, pgtest.URL(t), river.Settings{})
	for range 10 {
		scenario.WaitForWrites(10)
		proxy.Cut()
	}
	scenario.CheckAll(n.Endpoint)
	scenario.WaitForWrites(20)
	proxy.Freeze(true)
	scenario.Until("the node does not report that it is behind", func() string {
		if scenario.WhyNotReady(n.URL, 0) == "" {
			return "/readyz says that the node is ready"
		}
		return ""
	})
	proxy.Thaw()
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
}

// TestConnectionsHang freezes all connections of a node for good; new connections work. The
// node opens new connections by itself and is ready again.
func TestConnectionsHang(t *testing.T) {
	t.Parallel()
	scenario, n, proxy := startBehindProxy(t, pgtest.URL(t), river.Settings{Limits: river.Limits{Turn: time.Second}})
	scenario.WaitForWrites(20)
	at := n.Rivers.Position() + 20
	proxy.Freeze(true)
	scenario.Until("the node is not ready again", func() string { return scenario.WhyNotReady(n.URL, at) })
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	proxy.Cut() // while the node still waits for an answer on a frozen connection
}
