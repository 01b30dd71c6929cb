package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// behindProxy starts a town with one node, which reaches its primary through a proxy.
func behindProxy(t *testing.T, url string, settings river.Settings) (*Town, *Node, *Proxy) {
	t.Helper()
	town := New(t, url)
	proxy := NewProxy(t, url)
	n := Start(t, proxy.URL, Options{River: filepath.Join(t.TempDir(), "river.db"), Settings: settings})
	town.Serve(n.URL)
	town.OpenDozen()
	return town, n, proxy
}

// TestDoorbellLost: the connection that a node listens on goes, without a word or
// by its end, and changes that others make come through all the same.
func TestDoorbellLost(t *testing.T) {
	t.Parallel()
	town, n, proxy := behindProxy(t, pgtest.URL(t), river.Settings{})
	town.Busy(20)
	town.Until("nobody listens", func() string {
		if proxy.Freeze(false) == 0 {
			return "yet"
		}
		return ""
	})
	town.Busy(40)
	town.Right(n.Place)
	for range 3 {
		town.exec(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`)
		town.Busy(10)
	}
	town.Right(n.Place)
}

// TestConnectionsLost: all connections of a node's are closed under it, again and
// again, or stand still for a while; writes have effect once.
func TestConnectionsLost(t *testing.T) {
	t.Parallel()
	town, n, proxy := behindProxy(t, pgtest.URL(t), river.Settings{})
	for range 10 {
		town.Busy(10)
		proxy.Cut()
	}
	town.Right(n.Place)
	town.Busy(20)
	proxy.Freeze(true)
	town.Until("the node does not say that it is behind", func() string {
		if town.Ready(n.URL, 0) == "" {
			return "it is ready"
		}
		return ""
	})
	proxy.Thaw()
	town.Busy(20)
	town.Right(n.Place)
}

// TestConnectionsHang: all connections stand still for good; new ones are as ever.
// The node comes back by itself, on new ones.
func TestConnectionsHang(t *testing.T) {
	t.Parallel()
	town, n, proxy := behindProxy(t, pgtest.URL(t), river.Settings{Limits: river.Limits{Turn: time.Second}})
	town.Busy(20)
	at := n.Rivers.Position() + 20
	proxy.Freeze(true)
	town.Until("the node does not come back", func() string { return town.Ready(n.URL, at) })
	town.Busy(20)
	town.Right(n.Place)
	proxy.Cut() // while the node still waits for the connection
}
