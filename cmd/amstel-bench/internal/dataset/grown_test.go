package dataset

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
)

// TestGrownCommunityIsSound: the rows are made without the store and copied without checks, so the test checks them
// against the rules for all stored rows.
func TestGrownCommunityIsSound(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	grown := Grown{
		Posts: 1500, PerDay: 1000, People: 60, Groups: 5, Readers: 4, Subscriptions: 25, Until: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC),
	}
	if err := grown.Load(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	const counts = `
		select (select count(*) from posts), (select max(published_at) from posts), (select count(*) from users),
			(select count(*) from subscriptions where user_id = $1), (select count(*) from comments), (select count(*) from likes),
			(select count(*) from posts where user_id = 1), (select count(*) from posts where user_id = 10),
			(select count(*) from pg_constraint where contype = 'f' and not convalidated)`
	var posts, people, follows, comments, likes, first, tenth, unchecked int
	var last time.Time
	if err := pool.QueryRow(t.Context(), counts, grown.Reader(3)).Scan(&posts, &last, &people, &follows, &comments, &likes, &first, &tenth, &unchecked); err != nil {
		t.Fatal(err)
	}
	if posts != grown.Posts || people != grown.People || follows != grown.Subscriptions || !last.Equal(grown.Until) {
		t.Errorf("%d posts, the last at %v, %d people, %d subscriptions; want %+v", posts, last, people, follows, grown)
	}
	if comments < posts/4 || likes < posts/4 {
		t.Errorf("%d comments and %d likes for %d posts", comments, likes, posts)
	}
	if first < 4*tenth {
		t.Errorf("the first person has %d posts, and the tenth %d: that is not by Zipf's law", first, tenth)
	}
}

// TestCopyingKeepsTheIndexes: indexes are dropped while rows are copied.
func TestCopyingKeepsTheIndexes(t *testing.T) {
	t.Parallel()
	const query = `select string_agg(indexdef, '; ' order by indexname) from pg_indexes where schemaname = 'public'`
	pool := pgtest.New(t)
	var before, after string
	if err := pool.QueryRow(t.Context(), query).Scan(&before); err != nil {
		t.Fatal(err)
	}
	small := SmallExtremes(1)
	if err := small.Load(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if err := pool.QueryRow(t.Context(), query).Scan(&after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Errorf("indexes before:\n%s\nafter:\n%s", before, after)
	}
}

// TestGrownCommunityIsTheSameEachTime: rows of equal descriptions are equal, and a larger community is an
// older one, with the same last day.
func TestGrownCommunityIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	texts := []string{Word(0), Word(1), Word(2)}
	all := func() (rows [][]any) {
		g := GrownTo(300, until)
		for _, table := range []string{"users", "subscriptions", "posts", "timeline_entries", "comments", "likes"} {
			from := g.rows(table, texts)
			for from.Next() {
				row, err := from.Values()
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, row)
			}
		}
		return rows
	}
	one, two := all(), all()
	if diff := gocmp.Diff(one, two); diff != "" || len(one) < 10_000 {
		t.Errorf("%d rows; another time: %.1000s", len(one), diff)
	}
	small, large := GrownTo(300, until), GrownTo(3000, until)
	if a, b := small.post(299), large.post(2999); !a.at.Equal(until) || !b.at.Equal(until) {
		t.Errorf("the last posts are of %v and %v", a.at, b.at)
	}
	if a, b := small.post(0), large.post(0); b.at.Sub(a.at) > -24*time.Hour {
		t.Errorf("the first posts are of %v and %v", a.at, b.at)
	}
}

func TestWordsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i := range words {
		if j, twice := seen[Word(i)]; twice {
			t.Fatalf("words %d and %d are %q", j, i, Word(i))
		}
		seen[Word(i)] = i
	}
}
