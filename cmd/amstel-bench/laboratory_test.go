package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/models"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// smallLaboratory returns the flags of a laboratory that takes seconds.
func smallLaboratory(out string, more ...string) []string {
	return append([]string{"models", "--test-profile", "--people=40", "--posts=80", "--homes=4", "--rounds=1", "--writes=4", "--ramp-most=16",
		"--active=50", "--seconds=0.5", "--loss=0.3", "--loss-most=1m", "--out=" + out}, more...)
}

// TestModelsMeasuresEverySource: the table, the CSV file and the page have every source with all its
// measurements. Homes were compared, and the recommendation follows from the numbers.
func TestModelsMeasuresEverySource(t *testing.T) {
	out := t.TempDir()
	left := scratch(t)
	table, errs, code := command(t.Context(), smallLaboratory(out)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if names := left(); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
	page := read(t, out, "models.html")
	for _, other := range []string{"<script", "<link", "src=", "href="} {
		if strings.Contains(page, other) {
			t.Errorf("the page has %q: it is to need no other file", other)
		}
	}
	numbers := readNumbers(t, out)
	var costs []models.Cost
	visits, posts := 0.0, 0.0
	for _, source := range timeline.Sources() {
		if !strings.Contains(table, "\n| "+source+" | ") || !strings.Contains(page, "<td>"+source+"</td>") {
			t.Errorf("the table or the page lacks %s", source)
		}
		of := numbers[source]
		for _, name := range []string{"visit.mean", "visit.p99", "visit.statements", "post.mean", "post.statements", "post.rows", "post.wal",
			"ramp.send 1", "ramp.send 16", "ramp.send.done 16", "ramp.read 1", "ramp.read 16", "life.rate", "life.first_visits", "loss.at", "loss.tick.rate 0.00"} {
			if of[name] <= 0 {
				t.Errorf("%s of %s is %v", name, source, of[name])
			}
		}
		if back := of["loss.back"]; back <= 0 {
			t.Errorf("%s: not all came back", source)
		}
		if of["compared"] != 8 {
			t.Errorf("%v homes of %s were compared, want 4 after the life and 4 after the loss", of["compared"], source)
		}
		if inboxes, from := of["inboxes"], of["visit.from_inbox"]; source == timeline.SourceRead && (inboxes != 0 || from != 0) ||
			source != timeline.SourceRead && (inboxes == 0 || from < 90) {
			t.Errorf("%s has %v inboxes, from which %v %% of the pages were read", source, inboxes, from)
		}
		costs = append(costs, models.Cost{Source: source, Post: of["post.mean"] + of["post.work"], Visit: of["visit.mean"]})
		visits, posts = visits+of["life.first_visits"], posts+of["life.send.count"]
	}
	advice := models.Advise(costs, visits/max(1, posts))
	if !strings.Contains(table, advice.Why) {
		t.Errorf("the numbers lead to\n%s\nand the table says\n%s", advice.Why, table)
	}
	if !strings.Contains(page, "Choose "+advice.Choose+" here") {
		t.Errorf("the page does not advise %s", advice.Choose)
	}
	for _, name := range []string{"cost", "send", "send-done", "read", "loss", "loss-rate"} {
		if drawn := read(t, out, "models-"+name+".svg"); !strings.Contains(page, drawn) || strings.Count(drawn, ">hybrid<") != 1 {
			t.Errorf("the chart %s is not in the page, or lacks a source", name)
		}
	}
}

// TestModelsMeasuresACopy measures on a given database, and leaves no copy of it behind.
func TestModelsMeasuresACopy(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the bench")
	}
	url, out := pgtest.URL(t), t.TempDir()
	scratch(t)
	fill(t, url)
	args := []string{"--database=" + url, "--is-a-copy", "--sources=read,sized", "--set=source.embed=text"}
	table, errs, code := command(t.Context(), smallLaboratory(out, args...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if !strings.HasPrefix(table, "A copy of a site's database: 5 people") || strings.Contains(table, "| timed |") {
		t.Errorf("measured was %s", table)
	}
	pool := connect(t, url)
	var copies int
	if err := pool.QueryRow(t.Context(), `select count(*) from pg_database where datname like 'amstel\_models\_%'`).Scan(&copies); err != nil || copies > 0 {
		t.Errorf("%d copies are left: %v", copies, err)
	}
	pool.Close()
	// A second run finds the people of the ramps, whom the first run made.
	if _, errs, code := command(t.Context(), smallLaboratory(out, args...)...); code != 0 {
		t.Errorf("again: exit %d: %s", code, errs)
	}
}

func TestModelsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, err string }{
		{"--database=postgres:///site", "--is-a-copy"},
		{"--database=postgres:///site --is-a-copy --file=x", "exclude each other"},
		{"--file=/nowhere/file.jsonl", "--file"},
		{"--out=/nowhere", "--out"},
		{"--read=10", "add up to 100"},
		{"--sources=guess", "--sources"},
		{"--rate=0", "--rate"},
		{"--ramp-by=1", "--ramp-by"},
		{"--active=0", "--active"},
	} {
		_, err, code := command(t.Context(), append([]string{"models"}, strings.Fields(tt.args)...)...)
		if code != exitUsage || !strings.Contains(err, tt.err) {
			t.Errorf("%s: exit %d, wrote %q, want %d and %q", tt.args, code, err, exitUsage, tt.err)
		}
	}
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readNumbers reads the CSV file of a report. The keys are sources, and then measurements with their
// subjects.
func readNumbers(t *testing.T, folder string) map[string]map[string]float64 {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(read(t, folder, "models.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]map[string]float64)
	for _, line := range lines[1:] {
		value, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if found[line[0]] == nil {
			found[line[0]] = make(map[string]float64)
		}
		name := line[1]
		if strings.HasPrefix(name, "ramp.") || strings.HasPrefix(name, "loss.tick.") {
			name += " " + line[2]
		}
		found[line[0]][name] = value
	}
	return found
}

// connect connects to a database until the test ends.
func connect(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// fill has five people follow each other and publish a post each.
func fill(t *testing.T, url string) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store := timeline.New(pool, timeline.Options{})
	var ids []timeline.UserID
	for i := range 5 {
		id, err := store.SignUp(t.Context(), timeline.NewUser{Name: "member" + strconv.Itoa(i), Email: strconv.Itoa(i) + "@example.org", NoPassword: true})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i, id := range ids {
		if _, err := store.Subscribe(t.Context(), id, timeline.FeedName{Name: "member" + strconv.Itoa((i+1)%5)}, timeline.SubscribeOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := store.CreatePost(t.Context(), id, timeline.NewPost{To: []string{"user"}, Text: "soup"}); err != nil {
			t.Fatal(err)
		}
	}
}
