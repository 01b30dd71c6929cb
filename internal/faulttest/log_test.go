package faulttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestLogLost makes the change log unusable in several ways, while a node runs and while it
// is stopped. The node notices and starts over, and in the end all pages are right.
func TestLogLost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		do   func(*Scenario)
	}{
		{"pruned", func(s *Scenario) {
			s.Until("the log is not pruned", func() string {
				_, err := s.Store.Sequence(s.Context())
				if err == nil {
					err = s.Store.PrunePrimary(s.Context(), timeline.Ages{Log: time.Nanosecond})
				}
				if err != nil {
					return err.Error()
				}
				return ""
			})
		}},
		{"another epoch", func(s *Scenario) { s.exec(`update log_head set uuid = gen_random_uuid()`) }},
		{"far ahead", func(s *Scenario) {
			s.exec(fmt.Sprintf(`insert into changes (kind, post_id) select 'post', min(id) from posts, generate_series(1, %d) group by generate_series`, timeline.Lag+1))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			scenario, n := startScenario(t, pgtest.URL(t), Options{})
			scenario.WaitForWrites(20)
			tt.do(scenario) // the running node has often read the log already, and then loses nothing
			scenario.WaitForWrites(20)
			scenario.CheckAll(n.Endpoint)
			n.Stop()
			scenario.WaitForWrites(20)
			tt.do(scenario)
			n = n.Restart()
			scenario.WaitForWrites(20)
			scenario.CheckAll(n.Endpoint)
			if n.Log.Count("the change log can't be followed") == 0 {
				t.Error("the node did not start over")
			}
		})
	}
}

// exec runs a statement on the primary directly, not through the store.
func (s *Scenario) exec(query string) {
	s.Helper()
	_, err := s.Pool.Exec(s.Context(), query)
	s.Must(err)
}

// TestPrimaryRestored restores an earlier state of the primary, on which other writes follow. A
// node that runs meanwhile and a node that was stopped show the present state, and open pages go
// back with the primary.
func TestPrimaryRestored(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	data, backup := filepath.Join(server.Folder(), "data"), filepath.Join(server.Folder(), "backup")
	copyFolder := func(from, to string) {
		t.Helper()
		if text, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	scenario, n := startScenario(t, server.URL(), Options{})
	stopped := Start(t, server.URL(), Options{River: filepath.Join(t.TempDir(), "river.db")})
	scenario.WaitForWrites(20)
	scenario.CheckAll(n.Endpoint, stopped.Endpoint)
	scenario.Must(server.Kill())
	copyFolder(data, backup)
	scenario.Must(server.Restart(t.Context()))
	scenario.WaitForWrites(40)
	scenario.CheckAll(n.Endpoint, stopped.Endpoint)
	stopped.Stop()

	scenario.Must(server.Kill())
	scenario.Must(os.RemoveAll(data))
	copyFolder(backup, data)
	scenario.ExpectOlderState()
	scenario.Must(server.Restart(t.Context()))
	scenario.SetNodes(n.URL)
	scenario.WaitForWrites(60) // the log may have passed the old position by now
	stopped = stopped.Restart()
	scenario.CheckAll(n.Endpoint, stopped.Endpoint)
	for _, n := range []*Node{n, stopped} {
		if n.Log.Count("the change log can't be followed") == 0 {
			t.Error("a node did not start over")
		}
	}
}
