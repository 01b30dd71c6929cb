package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// startBehindProxy starts a scenario with one node, which reaches its primary through a proxy.
func startBehindProxy(t *testing.T, url string, settings river.Settings) (*Scenario, *Node, *Proxy) {
	t.Helper()
	scenario := New(t, url)
	proxy := NewProxy(t, url)
	n := Start(t, proxy.URL, Options{River: filepath.Join(t.TempDir(), "river.db"), Settings: settings})
	scenario.SetNodes(n.URL)
	scenario.OpenPages()
	return scenario, n, proxy
}

// TestDoorbellLost: the connection that a node listens on goes, without a word or
// by its end, and changes that others make come through all the same.
func TestDoorbellLost(t *testing.T) {
	t.Parallel()
	scenario, n, proxy := startBehindProxy(t, pgtest.URL(t), river.Settings{})
	scenario.WaitForWrites(20)
	scenario.Until("nobody listens", func() string {
		if proxy.Freeze(false) == 0 {
			return "yet"
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

// TestConnectionsLost: all connections of a node's are closed under it, again and
// again, or stand still for a while; writes have effect once.
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
	scenario.Until("the node does not say that it is behind", func() string {
		if scenario.WhyNotReady(n.URL, 0) == "" {
			return "it is ready"
		}
		return ""
	})
	proxy.Thaw()
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
}

// TestConnectionsHang: all connections stand still for good; new ones are as ever.
// The node comes back by itself, on new ones.
func TestConnectionsHang(t *testing.T) {
	t.Parallel()
	scenario, n, proxy := startBehindProxy(t, pgtest.URL(t), river.Settings{Limits: river.Limits{Turn: time.Second}})
	scenario.WaitForWrites(20)
	at := n.Rivers.Position() + 20
	proxy.Freeze(true)
	scenario.Until("the node does not come back", func() string { return scenario.WhyNotReady(n.URL, at) })
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	proxy.Cut() // while the node still waits for the connection
}
