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

// TestLogLost: the change log is lost in several ways, while a node runs and while it is
// stopped. The node notices the loss and starts over, and pages end right.
func TestLogLost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		do   func(t *Town)
	}{
		{"pruned", func(t *Town) {
			t.Until("pruned", func() string {
				_, err := t.Store.Sequence(t.Context())
				if err == nil {
					err = t.Store.PrunePrimary(t.Context(), timeline.Ages{Log: time.Nanosecond})
				}
				if err != nil {
					return err.Error()
				}
				return ""
			})
		}},
		{"another epoch", func(t *Town) { t.exec(`update log_head set uuid = gen_random_uuid()`) }},
		{"far ahead", func(t *Town) {
			t.exec(fmt.Sprintf(`insert into changes (kind, post_id) select 'post', min(id) from posts, generate_series(1, %d) group by generate_series`, timeline.Lag+1))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			town, n := under(t, pgtest.URL(t), Options{})
			town.Busy(20)
			tt.do(town) // it runs, and mostly follows
			town.Busy(20)
			town.Right(n.Place)
			n.Stop()
			town.Busy(20)
			tt.do(town)
			n = n.Again()
			town.Busy(20)
			town.Right(n.Place)
			if n.Log.Count("the change log can't be followed") == 0 {
				t.Error("the node did not start over")
			}
		})
	}
}

// exec runs a query as a person at a prompt does.
func (t *Town) exec(query string) {
	t.Helper()
	_, err := t.Pool.Exec(t.Context(), query)
	t.Must(err)
}

// TestPrimaryPutBack: the primary is put back to what it was a while ago, and other
// things happen on it. A node that runs meanwhile, and one that was stopped, show
// what there is now; a page that is open goes back with it.
func TestPrimaryPutBack(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	data, picture := filepath.Join(server.Folder(), "data"), filepath.Join(server.Folder(), "picture")
	copied := func(from, to string) {
		t.Helper()
		if text, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	town, n := under(t, server.URL(), Options{})
	stopped := Start(t, server.URL(), Options{River: filepath.Join(t.TempDir(), "river.db")})
	town.Busy(20)
	town.Right(n.Place, stopped.Place)
	town.Must(server.Kill())
	copied(data, picture)
	town.Must(server.Restart(t.Context()))
	town.Busy(40)
	town.Right(n.Place, stopped.Place)
	stopped.Stop()

	town.Must(server.Kill())
	town.Must(os.RemoveAll(data))
	copied(picture, data)
	town.PutBack()
	town.Must(server.Restart(t.Context()))
	town.Serve(n.URL)
	town.Busy(60) // the log is beyond where it was, or not, by now
	stopped = stopped.Again()
	town.Right(n.Place, stopped.Place)
	for _, n := range []*Node{n, stopped} {
		if n.Log.Count("the change log can't be followed") == 0 {
			t.Error("a node did not start over")
		}
	}
}
