package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// small returns the settings of a run that takes a second or two.
func small(t *testing.T, out *bytes.Buffer) Config {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the bench")
	}
	return Config{
		Pool:   pgtest.New(t),
		Fresh:  func(context.Context, string) (*pgxpool.Pool, error) { return pgxpool.New(t.Context(), pgtest.URL(t)) },
		Serve:  serve(t),
		Folder: t.TempDir(),
		Posts:  300, LargePosts: 400, Sizes: []int{150, 300}, Scale: 0.001, Homes: 4, Rounds: 2, Pages: 10, Seconds: 0.5, PerSecond: 10, Acts: 40,
		Sockets: 200, Rivers: 40, Late: ample, Strangers: 8, Apart: 20 * time.Millisecond,
		Out: out,
	}
}

// records reads the records of a run.
func records(t *testing.T, out *bytes.Buffer) map[string]report.Record {
	t.Helper()
	found := map[string]report.Record{}
	for from := json.NewDecoder(out); from.More(); {
		var r report.Record
		if err := from.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if _, twice := found[r.Name]; twice {
			t.Errorf("%s is reported twice", r.Name)
		}
		found[r.Name] = r
	}
	return found
}

// ample is a time limit for turns and frames that is never reached, even on a machine that runs other tests
// too.
const ample = 10 * time.Minute

// serve returns a function that runs a site, as the command does, but with time limits that are never
// reached.
func serve(t *testing.T) func(context.Context, *timeline.Store, func(context.Context, Site) error) error {
	return func(ctx context.Context, store *timeline.Store, do func(context.Context, Site) error) error {
		path := filepath.Join(t.TempDir(), "river.db")
		site := nodetest.Start(t, nodetest.Config{
			Store: store, River: river.Config{Path: path, Settings: river.Settings{Limits: river.Limits{Behind: ample, Blind: ample}}},
			Live: realtime.Config{Limits: realtime.Limits{WriteWithin: ample, Slow: ample, SubWithin: ample, Behind: ample, Away: ample}},
			Loop: report.ByNode,
		})
		defer site.Stop()
		if err := settled(ctx, site.Node); err != nil {
			return err
		}
		return do(ctx, Site{
			Rivers: site.Node, Handler: site.Web, Wrap: site.Web.Wrap, Address: site.HTTP.URL, River: path,
			Sockets: func() int { return site.Live.Stats().Sockets }, Live: func() realtime.Stats { return site.Live.Stats() },
		})
	}
}
