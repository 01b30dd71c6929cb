package main

import (
	"flag"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/faulttest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
)

var awayFor = flag.Duration("away", 5*time.Second, "how long the primary is away in TestPrimaryAwayFromTwoProcesses; more than 30 s is the long form")

// TestPrimaryAwayFromTwoProcesses kills the primary of two nodes, which run in processes of their own with
// the time limits of a real server, and starts it again. Meanwhile the nodes show the pages that they
// hold, marked as behind, and answer writes with 503. After 30 s they show nothing. No acknowledged
// write is lost, and none is made twice.
func TestPrimaryAwayFromTwoProcesses(t *testing.T) {
	long(t)
	t.Parallel()
	const behind, blind = 2 * time.Second, 30 * time.Second
	server := pgtest.Server(t)
	url := server.URL()
	scenario := faulttest.New(t, url)
	scenario.Oracle = oracle(t, url)
	var endpoints []faulttest.Endpoint
	var urls []string
	for _, name := range []string{"one", "other"} {
		endpoint := faulttest.Endpoint{River: filepath.Join(t.TempDir(), name+".db")}
		endpoint.URL = startKillable(t, "", "web", "--listen=127.0.0.1:0", "--writes=1000000", "--database", url, "--river", endpoint.River).url
		endpoints, urls = append(endpoints, endpoint), append(urls, endpoint.URL)
	}
	scenario.SetNodes(urls...)
	scenario.OpenPages()
	scenario.WaitForWrites(40)
	scenario.CheckAll(endpoints...)
	scenario.StartLoad()

	killed := time.Now()
	scenario.Must(server.Kill())
	for _, endpoint := range endpoints {
		scenario.Until("a node does not report that it is behind", func() string {
			if a, err := scenario.Get(endpoint.URL, "/readyz", ""); err != nil || a.Status == http.StatusOK {
				return "/readyz says that the node is ready"
			}
			return ""
		})
		a, err := scenario.Get(endpoint.URL, "/healthz", "")
		if scenario.Must(err); a.Status != http.StatusOK {
			t.Errorf("/healthz of a node that is behind answers %d %s", a.Status, a.Body)
		}
	}
	if late := time.Since(killed); late < behind/2 {
		t.Errorf("nodes report after %v already that they are behind", late)
	}
	_, before := scenario.WriteCounts()
	for time.Since(killed) < *awayFor {
		began := time.Since(killed)
		for _, endpoint := range endpoints {
			a, err := scenario.Get(endpoint.URL, "/filter/everything.json", "")
			scenario.Must(err)
			held := a.Status == http.StatusOK && strings.Contains(a.Body, `"behind":true`)
			// Around that time, one node may show nothing already while the other still does.
			if ended := time.Since(killed); ended < blind-time.Second && !held || began > blind+time.Second && a.Status != http.StatusServiceUnavailable {
				t.Errorf("after %v a page that the node holds is answered %d %.200s", ended, a.Status, a.Body)
			}
		}
		<-time.After(100 * time.Millisecond)
	}
	scenario.Until("no writer is answered 503", func() string {
		if _, retries := scenario.WriteCounts(); retries == before {
			return "the count of retries did not rise"
		}
		return ""
	})
	if *awayFor > blind {
		for _, p := range scenario.AlwaysOpen() {
			scenario.Until("a page stays open though its node shows nothing", func() string {
				if p.Stats().Closed[realtime.CodeBehind] == 0 {
					return p.Path
				}
				return ""
			})
		}
	}
	scenario.Must(server.Restart(t.Context()))
	scenario.WaitForWrites(40)
	scenario.CheckAll(endpoints...)
	for _, p := range scenario.AlwaysOpen() {
		s := p.Stats()
		if s.BehindFrames == 0 || p.Behind() {
			t.Errorf("%s was told %d times that its node is behind, want some; shows it still: %v", p.Path, s.BehindFrames, p.Behind())
		}
		if *awayFor < blind-behind && len(s.Closed) > 0 {
			t.Errorf("%s was closed: %v", p.Path, s.Closed)
		}
	}
}
