package exporter_test

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
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
	from.importsFeeds("anna", "user", "user_private", "user_fyeo")
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

// importsFeeds adds a feed of another site for each place.
func (s *site) importsFeeds(who string, places ...string) {
	s.t.Helper()
	var id timeline.UserID
	if err := s.pool.QueryRow(s.t.Context(), `select id from users where name = $1`, who).Scan(&id); err != nil {
		s.t.Fatal(err)
	}
	for _, to := range places {
		feed := timeline.IntakeDocument{Title: "A blog for " + to, Site: "https://blog.example/"}
		if _, err := s.store.AddIntake(s.t.Context(), id, timeline.NewIntake{To: to, Address: "https://blog.example/feed?key=1", Feed: feed}, time.Minute); err != nil {
			s.t.Fatal(err)
		}
	}
}

// A person's export has the feeds that they import, and no one else's. On another site they are
// paused until their owner goes on; a restore keeps their states. The first document posts nothing
// in both.
func TestImportedFeedsAreInExports(t *testing.T) {
	t.Parallel()
	from := withSample(t)
	from.importsFeeds("anna", "user")
	from.importsFeeds("dmitri", "user")
	var anna timeline.UserID
	if err := from.pool.QueryRow(t.Context(), `select id from users where name = 'anna'`).Scan(&anna); err != nil {
		t.Fatal(err)
	}
	own := from.export(anna)
	var feeds []string
	for _, l := range linesOf(t, own, "data.jsonl") {
		if strings.Contains(l, `"type":"intake"`) {
			feeds = append(feeds, l)
		}
	}
	if len(feeds) != 1 || !strings.Contains(feeds[0], `"user":"anna","target":"anna","title":"A blog for user","address":"https://blog.example/feed?key=1","url":"https://blog.example/","state":"on"`) {
		t.Errorf("her export has %q", feeds)
	}
	for _, tt := range []struct {
		data    []byte
		restore bool
		want    string
	}{{own, false, "anna paused true"}, {from.export(0), true, "anna on true, dmitri on true"}} {
		to := newSite(t)
		for range 2 {
			to.take(tt.data, tt.restore, 0)
			var got string
			const states = `select string_agg(u.name || ' ' || n.state || ' ' || n.quiet, ', ' order by u.name) from intakes n join users u on u.id = n.user_id`
			if err := to.pool.QueryRow(t.Context(), states).Scan(&got); err != nil || got != tt.want {
				t.Errorf("imported are %q, %v, want %q", got, err, tt.want)
			}
		}
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
