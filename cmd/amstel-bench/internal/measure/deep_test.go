package measure

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestFirstVisitEndsWithItsContext requests a page of a node whose loop has ended, which no longer shows any
// page. The request is repeated until its context ends.
func TestFirstVisitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	store := timeline.New(pgtest.New(t), timeline.Options{})
	settings := river.Settings{Limits: river.Limits{Behind: time.Nanosecond}}
	node, err := river.Open(t.Context(), river.Config{Store: store, Path: filepath.Join(t.TempDir(), "river.db"), Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- node.Run(ctx) }()
	if err := settled(ctx, node); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	d := &deepRun{Site: Site{Rivers: node}, people: []timeline.UserID{1}}
	if _, err := d.first(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was stopped", err)
	}
}

func TestRunMeasuresDeepPages(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Rounds, c.Strangers = []string{Deep}, 1, 2 // strangers come from two addresses, and then from one
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	names := []string{"deep.page", "deep.page.changed", "deep.page.first", "deep.flood.first", "deep.flood.write", "deep.flood.one.first", "deep.flood.one.write"}
	for _, name := range names {
		if r := found[name]; r.N == 0 || r.Value <= 0 || r.Ratio <= 0 || r.Of == "" || r.Beside == nil || r.Beside.Value <= 0 {
			t.Errorf("%s: nothing was measured: %+v", name, r)
		}
	}
	if len(found) != len(names) {
		t.Errorf("%d records, want %d", len(found), len(names))
	}
}
