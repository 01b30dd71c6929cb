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

// TestPrimaryAway kills the primary and starts it again after some seconds. Meanwhile the node
// serves the pages it holds, tells clients and open pages that it is behind, and answers writers
// 503. After Blind the node shows nothing and closes its sockets; the pages reconnect by
// themselves when the primary is back.
func TestPrimaryAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	const blind = 6 * time.Second
	scenario, n := startScenario(t, server.URL(), Options{Settings: river.Settings{Limits: river.Limits{Blind: blind}}, Away: blind})
	scenario.WaitForWrites(30)
	scenario.CheckAll(n.Endpoint)
	scenario.StartLoad()
	scenario.Must(server.Kill())
	scenario.Until("the node does not report that it is behind", func() string {
		if a, err := scenario.Get(n.URL, "/readyz", ""); err != nil || a.Status == 503 {
			return ""
		}
		return "/readyz says that the node is ready"
	})
	for n.Rivers.Age() < blind { // a slow machine may never come in here
		a, err := scenario.Get(n.URL, "/filter/everything.json", "")
		scenario.Must(err)
		if a.Status != 200 && n.Rivers.Age() < blind || a.Status == 200 && !strings.Contains(a.Body, `"behind":true`) {
			t.Fatalf("a page that the node holds was answered %d %.300s", a.Status, a.Body)
		}
	}
	_, before := scenario.WriteCounts()
	scenario.Until("no writer is answered 503", func() string {
		if _, retries := scenario.WriteCounts(); retries == before {
			return "the count of retries did not rise"
		}
		return ""
	})
	scenario.Until("a page stays open though the node shows nothing", func() string {
		for _, p := range scenario.AlwaysOpen() {
			if s := p.Stats(); s.Closed[realtime.CodeBehind] == 0 {
				return fmt.Sprintf("%s: %+v", p.Path, s)
			}
		}
		return ""
	})
	if a, err := scenario.Get(n.URL, "/filter/everything.json", ""); err != nil || a.Status != 503 {
		t.Errorf("a page after Blind was answered %v, %v, want 503", a, err)
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
			t.Errorf("%s lost its connection %d times without a close frame", p.Path, n)
		}
		if p.Behind() {
			t.Errorf("%s still shows that its node is behind", p.Path)
		}
	}
}

// TestPrimaryBackInTime takes the primary away four times, each time for less than Blind.
// All pages stay open.
func TestPrimaryBackInTime(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	scenario, n := startScenario(t, server.URL(), Options{Settings: river.Settings{Limits: river.Limits{Blind: time.Hour}}, Away: time.Hour}, (*Scenario).Strict)
	for i := range 4 {
		scenario.WaitForWrites(20)
		if i%2 == 0 { // else Restart stops the server in order
			scenario.Must(server.Kill())
			scenario.Until("the node still has turns", func() string {
				if n.Rivers.Age() < 500*time.Millisecond {
					return "its age is below 0.5 s"
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
