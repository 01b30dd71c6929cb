package faulttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
)

// TestPrimaryAway: the primary is killed and is away for a while. Meanwhile the node
// answers pages that it holds, tells clients and open pages that it is behind, and asks
// clerks to come again. After a time the node shows nothing and closes pages, which come
// back by themselves once the primary is there again.
func TestPrimaryAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	const blind = 6 * time.Second
	scenario, n := startScenario(t, server.URL(), Options{Settings: river.Settings{Limits: river.Limits{Blind: blind}}, Away: blind})
	scenario.WaitForWrites(30)
	scenario.CheckAll(n.Endpoint)
	scenario.StartLoad()
	scenario.Must(server.Kill())
	scenario.Until("the node does not say that it is behind", func() string {
		if a, err := scenario.Get(n.URL, "/readyz", ""); err != nil || a.Status == 503 {
			return ""
		}
		return "it is ready"
	})
	for n.Rivers.Age() < blind { // or, on a slow machine, not at all
		a, err := scenario.Get(n.URL, "/filter/everything.json", "")
		scenario.Must(err)
		if a.Status != 200 && n.Rivers.Age() < blind || a.Status == 200 && !strings.Contains(a.Body, `"behind":true`) {
			t.Fatalf("a page that the node holds: %d %.300s", a.Status, a.Body)
		}
	}
	_, before := scenario.WriteCounts()
	scenario.Until("clerks are not asked to come again", func() string {
		if _, retries := scenario.WriteCounts(); retries == before {
			return "none of them"
		}
		return ""
	})
	scenario.Until("pages stay open on what nobody vouches for", func() string {
		for _, p := range scenario.AlwaysOpen() {
			if s := p.Stats(); s.Closed[realtime.CodeBehind] == 0 {
				return fmt.Sprintf("%s: %+v", p.Path, s)
			}
		}
		return ""
	})
	if a, err := scenario.Get(n.URL, "/filter/everything.json", ""); err != nil || a.Status != 503 {
		t.Errorf("a page in the end: %v %v", a, err)
	}
	scenario.Must(server.Restart(t.Context()))
	scenario.WaitForWrites(30)
	scenario.CheckAll(n.Endpoint)
	for _, p := range scenario.AlwaysOpen() {
		s := p.Stats()
		if s.BehindFrames == 0 {
			t.Errorf("%s was not told that its node is behind: %+v", p.Path, s)
		}
		if n := s.Closed[websocket.StatusCode(-1)]; n > 0 {
			t.Errorf("%s was cut %d times without a word", p.Path, n)
		}
		if p.Behind() {
			t.Errorf("%s still says that its node is behind", p.Path)
		}
	}
}

// TestPrimaryBackInTime: the primary is away for less than that, again and again;
// pages stay open.
func TestPrimaryBackInTime(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	scenario, n := startScenario(t, server.URL(), Options{Settings: river.Settings{Limits: river.Limits{Blind: time.Hour}}, Away: time.Hour}, (*Scenario).Strict)
	for i := range 4 {
		scenario.WaitForWrites(20)
		if i%2 == 0 { // or is told to stop
			scenario.Must(server.Kill())
			scenario.Until("the node has turns", func() string {
				if n.Rivers.Age() < 500*time.Millisecond {
					return "yet"
				}
				return ""
			})
		}
		scenario.Must(server.Restart(t.Context()))
	}
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint)
	for _, p := range scenario.AlwaysOpen() {
		if s := p.Stats(); len(s.Closed) > 0 {
			t.Errorf("%s: %+v", p.Path, s)
		}
	}
}
