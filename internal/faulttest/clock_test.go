package faulttest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// TestClockMoved sets the clock of the machine forward and back, while a node runs and
// while it is stopped. Rivers of open pages stay, other rivers expire when their time is
// over, and all entries are in order.
func TestClockMoved(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())).Round(0) }
	scenario, n := startScenario(t, pgtest.URL(t), Options{Now: now})
	scenario.World.Without["forward only"] = true // such a subscription begins at a time of this clock
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	for life, by := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -48 * time.Hour, 24 * time.Hour} {
		open := scenario.epochs()
		compared := 0
		scenario.StartLoad()
		ahead.Add(int64(by))
		scenario.WaitForWrites(20)
		for range 3 {
			n.Rivers.Expire()
			scenario.waitApplied(n)
		}
		scenario.WaitForWrites(10)
		scenario.CheckAll(n.Endpoint)
		// Rivers that were last visited before a restart may have expired: a node knows
		// their age only by the clock. So only the first run is checked.
		if s := n.Rivers.Stats(); life == 0 && s.Expired > 0 {
			t.Errorf("the clock was moved by %v: %d rivers expired", by, s.Expired)
		}
		for conn, is := range scenario.epochs() {
			was, ok := open[conn]
			if !ok {
				continue
			}
			if compared++; was != is {
				t.Errorf("the clock was moved by %v: the river of the open page was built again: %s, was %s", by, is, was)
			}
		}
		if compared == 0 {
			t.Errorf("the clock was moved by %v: no page stayed open", by)
		}
		n.Stop()
		ahead.Add(int64(by))
		n = n.Restart()
		scenario.WaitForWrites(20)
		scenario.CheckAll(n.Endpoint)
	}
	// Rivers expire when their time is over, also after the clock was moved.
	n.Stop()
	n.options.Settings = river.Settings{Grace: time.Millisecond, GraceHome: time.Millisecond}
	ahead.Add(int64(-24 * time.Hour))
	n = n.Restart()
	scenario.Until("rivers without an open page stay", func() string {
		n.Rivers.Expire()
		scenario.waitApplied(n)
		living, open := 0, 0
		s := n.Rivers.Stats()
		for _, many := range s.Living {
			living += many
		}
		for _, many := range s.Open {
			open += many
		}
		if open == 0 || living > open {
			return fmt.Sprintf("%d rivers live, %d are open", living, open)
		}
		return ""
	})
	scenario.CheckAll(n.Endpoint)
}

// waitApplied waits until a turn that began after the call is over. It tries again when the
// node answers that it is behind, as a node on a slow machine may.
func (s *Scenario) waitApplied(n *Node) {
	s.Helper()
	s.Until("no turn ends", func() string {
		if err := n.Rivers.WaitApplied(s.Context()); err != nil {
			return err.Error()
		}
		return ""
	})
}

// epochs returns the epochs of the rivers of open pages, with the viewer's name and the page's
// path, by the page's connection. A page on another connection than before was closed in the
// meantime, such as the page of a person whose feed was private for a while, and a river without
// an open page may be dropped.
func (s *Scenario) epochs() map[*websocket.Conn]string {
	all := make(map[*websocket.Conn]string)
	for _, p := range s.pages {
		p.mu.Lock()
		if p.page != nil && p.conn != nil {
			all[p.conn] = s.viewerName(p.Viewer) + p.Path + ": " + p.page.Epoch
		}
		p.mu.Unlock()
	}
	return all
}
