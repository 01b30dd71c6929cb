package exporter_test

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline/exporter"
)

// TestExportOfEverythingIsOfOneMoment: an export of everything shows the site at one moment. The export has
// nothing that people write meanwhile, no write waits for the export, and a site that is restored from
// the export is sound.
func TestExportOfEverythingIsOfOneMoment(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	from := newSite(t)
	w := world.New(t, from.store, 23)
	live := func(ctx context.Context, steps int) {
		for range steps {
			if what, err := w.Step(ctx); err != nil && !world.Refused(err) {
				t.Errorf("%s: %v", what, err)
				return
			}
		}
	}
	live(t.Context(), 400)
	before := from.export(0)
	// People write when the export has its accounts and not yet its posts, and again when it has its posts.
	written := 0
	during := from.exportWhile(exporter.Options{Progress: func(int, int) { live(t.Context(), 80); written++ }})
	if written < 2 {
		t.Fatalf("there were writes at %d points of the export only", written)
	}
	same(t, before, during)
	if bytes.Equal(before, from.export(0)) {
		t.Fatal("nothing was written while the export was made")
	}

	// Another goroutine writes all the time.
	var writers sync.WaitGroup
	ctx, end := context.WithCancel(t.Context())
	defer end()
	begun := make(chan struct{})
	writers.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			if live(t.Context(), 5); n == 0 {
				close(begun)
			}
		}
	})
	<-begun
	export := from.export(0)
	end()
	writers.Wait()
	to := newSite(t)
	report := to.take(export, true, 0)
	if report.New() != report.Lines {
		t.Errorf("%d of %d lines of an export under writes are new:\n%v", report.New(), report.Lines, &report)
	}
	same(t, export, to.export(0))
	to.sound()
}
