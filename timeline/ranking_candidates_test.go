package timeline

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Whichever way they are walked for, and wherever the walk ends, the best are
// those that all posts with their scores say.
func TestBestAreFound(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	random := rand.New(rand.NewPCG(5, 5))
	all, feed := s.everything(), s.timeline(WhatUser, "anna")
	dutch := one[TimelineID](s, `
		insert into timelines (what, their_id, access) values ('everything', 99999, 'public') returning id`)
	type counted struct {
		id                    PostID
		at                    time.Time
		likes, comments, favs int
		dutch                 bool
	}
	var counts []counted
	var posts, entries, favs [][]any
	for i := range 3000 {
		c := counted{
			at: s.clock.Add(-time.Duration(i) * time.Hour), likes: random.IntN(4), comments: random.IntN(3), favs: max(0, random.IntN(5)-2), dutch: random.IntN(5) == 0,
		}
		if random.IntN(50) == 0 {
			c.likes, c.favs = 1000, 1+c.favs
		}
		c.id = FirstID(c.at) + PostID(i)
		counts = append(counts, c)
		posts = append(posts, []any{c.id, s.user("anna"), "", []TimelineID{feed}, c.at, c.at, c.at.UnixMilli(), c.likes, c.comments, c.favs})
		entries = append(entries, []any{all, c.id, c.at.UnixMilli(), c.at.UnixMilli()})
		if c.dutch {
			entries = append(entries, []any{dutch, c.id, c.at.UnixMilli(), c.at.UnixMilli()})
		}
		if c.favs > 0 {
			favs = append(favs, []any{c.id, s.user("bert"), c.at})
		}
	}
	_, err := s.db.Pool.CopyFrom(ctx, pgx.Identifier{"posts"}, []string{"id", "user_id", "text", "places", "published_at", "updated_at",
		"fresh_at", "likes_count", "comments_count", "favs_count"}, pgx.CopyFromRows(posts))
	s.must(err)
	_, err = s.db.Pool.CopyFrom(ctx, pgx.Identifier{"timeline_entries"}, []string{"timeline_id", "post_id", "fresh_at", "entered_at"}, pgx.CopyFromRows(entries))
	s.must(err)
	_, err = s.db.Pool.CopyFrom(ctx, pgx.Identifier{"favs"}, []string{"post_id", "user_id", "created_at"}, pgx.CopyFromRows(favs))
	s.must(err)

	walks := make(map[bool]int) // rankings of all time by whether a walk down the counts found them
	for name, w := range map[string]Weights{
		"best": DefaultSite().BestOf, "most faved": DefaultSite().MostFaved,
		"best, soon gone": {Like: 1, Comment: 0.1, HalfLife: time.Hour}, "most faved, soon gone": {Fav: 1, HalfLife: time.Hour},
		"never gone": {Like: 1, Fav: 3, HalfLife: 1000 * time.Hour},
	} {
		for _, chunk := range []int{90, 800, rankChunk} {
			of := make(map[TimelineID][]*ranking)
			for _, everything := range []TimelineID{all, dutch} {
				for _, p := range Periods() {
					r := &ranking{weights: w, period: p}
					if p.Length() > 0 {
						r.since = FirstID(s.clock.Add(-p.Length()))
					}
					of[everything] = append(of[everything], r)
				}
			}
			s.must(findRanked(ctx, s.db.Pool, of, chunk))
			for everything, rankings := range of {
				for _, r := range rankings {
					var want []Cursor
					for _, c := range counts {
						if w.points(c.likes, c.comments, c.favs) > 0 && c.id >= r.since && (everything == all || c.dutch) {
							want = append(want, Cursor{w.Score(c.likes, c.comments, c.favs, c.at, r.period), c.id})
						}
					}
					slices.SortFunc(want, Cursor.Compare)
					r.shorten()
					if r.period == Ever {
						walks[r.found]++
					}
					if diff := gocmp.Diff(want[:min(len(want), rankedMost)], r.best); diff != "" {
						t.Errorf("%s, period %d of %d, %d at a time (-want +got):\n%.2000s", name, r.period, everything, chunk, diff)
					}
				}
			}
		}
	}
	if walks[true] == 0 || walks[false] == 0 {
		t.Errorf("a walk down the counts found all of %d rankings and gave up on %d: one of the two is not tested", walks[true], walks[false])
	}

	// The statements of a walk down the counts.
	for name, tt := range map[string]struct {
		weights     Weights
		of          TimelineID
		chunk, want int
		found       bool
	}{
		"ends where none below can have a place":      {DefaultSite().MostFaved, all, 400, 2, true},
		"reads no count that weighs nothing":          {Weights{Like: 1}, all, 600, 1, true},
		"ends with the counts":                        {Weights{Fav: 1, Comment: 1}, dutch, 1100, 2 * 2, true},
		"gives up on a ranking that few posts are in": {Weights{Like: 1, Comment: 1, Fav: 1}, dutch, 100, 3 * mostChunks, false},
	} {
		r := &ranking{weights: tt.weights, period: Ever}
		q := &countingQuerier{Querier: s.db.Pool}
		s.must(findMost(ctx, q, map[TimelineID][]*ranking{tt.of: {r}}, tt.chunk))
		if q.queries != tt.want || r.found != tt.found {
			t.Errorf("a walk that %s: %d statements, want %d; found is %v", name, q.queries, tt.want, r.found)
		}
	}
}

// A countingQuerier counts the statements that rows are asked for with.
type countingQuerier struct {
	primary.Querier
	queries int
}

func (q *countingQuerier) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	q.queries++
	return q.Querier.Query(ctx, query, args...)
}
