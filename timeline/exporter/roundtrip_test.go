package exporter_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline/importer"
)

// withSample returns a site with the sample community.
func withSample(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	if _, err := importer.Import(t.Context(), s.pool, sample.Reader(), importer.Options{Source: sample.Source}); err != nil {
		t.Fatal(err)
	}
	return s
}

// An export of everything, imported into an empty site, gives the same export, byte for byte, also where the import
// has small batches, and a second import adds nothing.
func TestRestoredSiteExportsTheSame(t *testing.T) {
	t.Parallel()
	from := withSample(t)
	want := from.export(0)
	same(t, want, from.export(0))
	for _, batch := range []int{0, 7} {
		to := newSite(t)
		report := to.take(want, true, batch)
		if report.New() != report.Lines {
			t.Errorf("%d of %d lines are new:\n%v", report.New(), report.Lines, &report)
		}
		same(t, want, to.export(0))
		if again := to.take(want, true, batch); again.New() != 0 {
			t.Errorf("the second import: %v", &again)
		}
		same(t, want, to.export(0))
		to.sound()
	}
}

// The same of a random life, with all that people can do here.
func TestRestoredWorldExportsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	from := newSite(t)
	w := world.New(t, from.store, 11)
	for range 700 {
		if what, err := w.Step(t.Context()); err != nil && !world.Refused(err) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	from.sound()
	want := from.export(0)
	kinds := make(map[string]int)
	for _, l := range linesOf(t, want, "data.jsonl") {
		kind, _, _ := strings.Cut(strings.TrimPrefix(l, `{"type":"`), `"`)
		kinds[kind]++
	}
	t.Log(kinds)
	to := newSite(t)
	report := to.take(want, true, 0)
	if report.New() != report.Lines {
		t.Errorf("%d of %d lines are new:\n%v", report.New(), report.Lines, &report)
	}
	same(t, want, to.export(0))
	to.sound()
}
