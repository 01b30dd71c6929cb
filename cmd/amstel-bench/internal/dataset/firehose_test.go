package dataset

import (
	"testing"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
)

// TestLikesOfFirehoseAreSound: the rows are made without the store, so the test checks them against the rules for all
// stored rows.
func TestLikesOfFirehoseAreSound(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	f := Firehose{Readers: 12, Fans: 6, StarPosts: 3, Strangers: 4, Posts: 5}
	if err := f.Load(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	likes := Likes{Firehose: &f}
	var all []Like
	for range 10 {
		all = append(all, likes.Strange(), likes.Own(), likes.Star())
	}
	counts, err := WriteLikes(t.Context(), pool, all)
	if err != nil {
		t.Fatal(err)
	}
	if n := counts[f.Post(0)]; n != 2 {
		t.Errorf("the first post of a stranger has %d likes, want 2", n)
	}
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	// How many readers follow the author of a liked post.
	const followers = `
		select count(distinct s.user_id) from posts p join timelines t on t.what = 'user' and t.their_id = p.user_id
		left join subscriptions s on s.timeline_id = t.id
		where p.id = any($1)`
	for name, tt := range map[string]struct {
		like Like
		want int
	}{
		"a stranger's post": {likes.Strange(), 0}, "a reader's post": {likes.Own(), 1}, "a star's post": {likes.Star(), f.Fans},
	} {
		var n int
		if err := pool.QueryRow(t.Context(), followers, []int64{int64(tt.like.Post)}).Scan(&n); err != nil || n != tt.want {
			t.Errorf("%s: %d followers (%v), want %d", name, n, err, tt.want)
		}
	}
	var changes int
	if err := pool.QueryRow(t.Context(), `select count(*) from changes where kind = 'post' and cardinality(timelines) = 1`).Scan(&changes); err != nil || changes != len(all) {
		t.Errorf("%d changes (%v), want %d", changes, err, len(all))
	}
}
