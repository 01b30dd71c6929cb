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

// TestPrimaryAwayFromTwoProcesses: the primary is killed and is away for a while, from two nodes in
// processes of their own, with the times of a real site. The nodes show what they
// hold, and say that it may be old; writers are asked to come again; after 30 s the nodes
// show nothing. No write is lost or doubled.
func TestPrimaryAwayFromTwoProcesses(t *testing.T) {
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
		scenario.Until("a node is ready", func() string {
			if a, err := scenario.Get(endpoint.URL, "/readyz", ""); err != nil || a.Status == http.StatusOK {
				return "it is"
			}
			return ""
		})
		a, err := scenario.Get(endpoint.URL, "/healthz", "")
		if scenario.Must(err); a.Status != http.StatusOK {
			t.Errorf("the process lives, but: %d %s", a.Status, a.Body)
		}
	}
	if late := time.Since(killed); late < behind/2 {
		t.Errorf("nodes say after %v that they are behind", late)
	}
	_, before := scenario.WriteCounts()
	for time.Since(killed) < *awayFor {
		began := time.Since(killed)
		for _, endpoint := range endpoints {
			a, err := scenario.Get(endpoint.URL, "/filter/everything.json", "")
			scenario.Must(err)
			held := a.Status == http.StatusOK && strings.Contains(a.Body, `"behind":true`)
			// In the second around it one node may be blind, and the other not yet.
			if ended := time.Since(killed); ended < blind-time.Second && !held || began > blind+time.Second && a.Status != http.StatusServiceUnavailable {
				t.Errorf("after %v a page that the node holds: %d %.200s", ended, a.Status, a.Body)
			}
		}
		<-time.After(100 * time.Millisecond)
	}
	scenario.Until("clerks are not asked to come again", func() string {
		if _, retries := scenario.WriteCounts(); retries == before {
			return "none was"
		}
		return ""
	})
	if *awayFor > blind {
		for _, p := range scenario.AlwaysOpen() {
			scenario.Until("a page stays open on what nobody vouches for", func() string {
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
			t.Errorf("%s was told %d times that its node is behind, and still says so: %v", p.Path, s.BehindFrames, p.Behind())
		}
		if *awayFor < blind-behind && len(s.Closed) > 0 {
			t.Errorf("%s was closed: %v", p.Path, s.Closed)
		}
	}
}
