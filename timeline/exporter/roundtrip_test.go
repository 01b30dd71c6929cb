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

// TestRestoredSiteExportsTheSame restores an empty site from an export of everything. The export of that
// site is the same, byte for byte, even if the import has small batches. A second import adds nothing.
func TestRestoredSiteExportsTheSame(t *testing.T) {
	t.Parallel()
	from := withSample(t)
	from.importsFeeds("anna", "user", "user_private", "user_fyeo")
	if _, err := from.pool.Exec(t.Context(), `
		update users set email = name || '@example.org', email_confirmed_at = case when name = 'anna' then now() end,
			suspended_at = case when name = 'boris' then now() end, erase_at = case when name = 'boris' then now() + interval '5 days' end, barred = name = 'boris', rules_agreed_at = case when name = 'boris' then now() - interval '1 year' end`); err != nil {
		t.Fatal(err)
	}
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
		var confirmed, suspended string
		err := to.pool.QueryRow(t.Context(), `
			select string_agg(name, ',') filter (where email_confirmed_at is not null), string_agg(name, ',') filter (where suspended_at is not null)
			from users`).Scan(&confirmed, &suspended)
		if err != nil || confirmed != "anna" || suspended != "boris" {
			t.Errorf("confirmed are the addresses of %q, suspended is %q, %v", confirmed, suspended, err)
		}
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

// TestImportedFeedsAreInExports: a person's export has the feeds that this person imports, and no others.
// After an import into another site these feeds are paused until their owner resumes them; after
// a restore they have their old states. In both cases the first document that is read posts nothing.
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

// TestRestoredWorldExportsTheSame is TestRestoredSiteExportsTheSame for a site with a random life, in which
// people do everything that they can do.
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
