package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// small is a run that takes a second or two.
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
		Posts:  300, LargePosts: 400, Scale: 0.001, Homes: 4, Rounds: 2, Pages: 10, Seconds: 0.5, PerSecond: 10,
		Sockets: 200, Strangers: 8, Apart: 20 * time.Millisecond,
		Out: out,
	}
}

// records reads what a run wrote.
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

// watchable is a node as sockets see it.
type watchable struct{ *river.Node }

func (n watchable) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// ample is how long a turn or a frame may take on a test's machine, which has other
// tests to run: longer than any does.
const ample = 10 * time.Minute

// serve runs a site as the command does, which gives up on nothing for being slow.
func serve(t *testing.T) func(context.Context, *timeline.Store, func(context.Context, Site) error) error {
	return func(ctx context.Context, store *timeline.Store, do func(context.Context, Site) error) (err error) {
		path := filepath.Join(t.TempDir(), "river.db")
		node, err := river.Open(ctx, river.Config{Store: store, Path: path, Settings: river.Settings{Limits: river.Limits{Behind: ample, Blind: ample}}})
		if err != nil {
			return err
		}
		looping, end := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- node.Run(report.ByNode(looping)) }()
		defer func() {
			end()
			err = errors.Join(err, <-ended)
		}()
		var site *web.Server
		live := realtime.New(realtime.Config{
			Rivers: watchable{node}, Render: web.Renderer{},
			Identify: func(r *http.Request) (timeline.UserID, []byte, error) { return site.Identify(r) },
			Resolve: func(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error) {
				return site.Addresses().Resolve(ctx, viewer, page, is)
			},
			WriteWithin: ample, Slow: ample, SubWithin: ample, Behind: ample, Away: ample,
		})
		listening := httptest.NewUnstartedServer(nil)
		address := "http://" + listening.Listener.Addr().String()
		site, err = web.New(web.Config{Store: store, Rivers: node, Live: live, URL: address})
		if err != nil {
			return err
		}
		listening.Config.Handler = site
		listening.Start()
		defer listening.Close()
		defer func() {
			closing, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
			defer stop()
			err = errors.Join(err, live.Close(closing))
		}()
		if err := settled(ctx, node); err != nil {
			return err
		}
		return do(ctx, Site{Rivers: node, Handler: site, Wrap: site.Wrap, Address: address, River: path, Sockets: func() int { return live.Stats().Sockets }})
	}
}
