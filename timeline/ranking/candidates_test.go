package ranking

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// TestBestAreFound: whichever walk collects the candidates, and wherever the walk ends, the best candidates
// are the posts with the highest scores of all.
func TestBestAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := sitetest.New(t, "anna", "bert")
	ctx := t.Context()
	random := rand.New(rand.NewPCG(5, 5))
	all, feed := sitetest.One[timeline.TimelineID](s, `select id from timelines where what = 'everything' and their_id = 0`), s.Timeline(timeline.WhatUser, "anna")
	dutch := sitetest.One[timeline.TimelineID](s, `
		insert into timelines (what, their_id, access) values ('everything', 99999, 'public') returning id`)
	type counted struct {
		id                    timeline.PostID
		at                    time.Time
		likes, comments, favs int
		dutch                 bool
	}
	var counts []counted
	var posts, entries, favs [][]any
	for i := range 3000 {
		c := counted{
			at: s.Clock.Add(-time.Duration(i) * time.Hour), likes: random.IntN(4), comments: random.IntN(3), favs: max(0, random.IntN(5)-2), dutch: random.IntN(5) == 0,
		}
		if random.IntN(50) == 0 {
			c.likes, c.favs = 1000, 1+c.favs
		}
		c.id = timeline.FirstID(c.at) + timeline.PostID(i)
		counts = append(counts, c)
		posts = append(posts, []any{c.id, s.User("anna"), "", []timeline.TimelineID{feed}, c.at, c.at, c.at.UnixMilli(), c.likes, c.comments, c.favs})
		entries = append(entries, []any{all, c.id, c.at.UnixMilli(), c.at.UnixMilli()})
		if c.dutch {
			entries = append(entries, []any{dutch, c.id, c.at.UnixMilli(), c.at.UnixMilli()})
		}
		if c.favs > 0 {
			favs = append(favs, []any{c.id, s.User("bert"), c.at})
		}
	}
	_, err := s.Pool().CopyFrom(ctx, pgx.Identifier{"posts"}, []string{"id", "user_id", "text", "places", "published_at", "updated_at",
		"fresh_at", "likes_count", "comments_count", "favs_count"}, pgx.CopyFromRows(posts))
	s.Must(err)
	_, err = s.Pool().CopyFrom(ctx, pgx.Identifier{"timeline_entries"}, []string{"timeline_id", "post_id", "fresh_at", "entered_at"}, pgx.CopyFromRows(entries))
	s.Must(err)
	_, err = s.Pool().CopyFrom(ctx, pgx.Identifier{"all_favs"}, []string{"post_id", "user_id", "created_at"}, pgx.CopyFromRows(favs))
	s.Must(err)

	walks := make(map[bool]int) // how many rankings of all time a walk down the counts found, and how many not
	for name, w := range map[string]timeline.Weights{
		"best": timeline.DefaultSite().BestOf, "most faved": timeline.DefaultSite().MostFaved,
		"best, soon gone": {Like: 1, Comment: 0.1, HalfLife: time.Hour}, "most faved, soon gone": {Fav: 1, HalfLife: time.Hour},
		"never gone": {Like: 1, Fav: 3, HalfLife: 1000 * time.Hour},
	} {
		for _, chunk := range []int{90, 800, rankChunk} {
			of := make(map[timeline.TimelineID][]*ranking)
			for _, everything := range []timeline.TimelineID{all, dutch} {
				for _, p := range timeline.Periods() {
					r := &ranking{weights: w, period: p}
					if p.Length() > 0 {
						r.since = timeline.FirstID(s.Clock.Add(-p.Length()))
					}
					of[everything] = append(of[everything], r)
				}
			}
			s.Must(findRanked(ctx, s.Pool(), of, chunk))
			for everything, rankings := range of {
				for _, r := range rankings {
					var want []timeline.Cursor
					for _, c := range counts {
						if w.Points(c.likes, c.comments, c.favs) > 0 && c.id >= r.since && (everything == all || c.dutch) {
							want = append(want, timeline.Cursor{FreshAt: w.Score(c.likes, c.comments, c.favs, c.at, r.period), Post: c.id})
						}
					}
					slices.SortFunc(want, timeline.Cursor.Compare)
					r.shorten()
					if r.period == timeline.Ever {
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
		weights     timeline.Weights
		of          timeline.TimelineID
		chunk, want int
		found       bool
	}{
		"ends where none below can have a place":      {timeline.DefaultSite().MostFaved, all, 400, 2, true},
		"reads no count that weighs nothing":          {timeline.Weights{Like: 1}, all, 600, 1, true},
		"ends with the counts":                        {timeline.Weights{Fav: 1, Comment: 1}, dutch, 1100, 2 * 2, true},
		"gives up on a ranking that few posts are in": {timeline.Weights{Like: 1, Comment: 1, Fav: 1}, dutch, 100, 3 * mostChunks, false},
	} {
		r := &ranking{weights: tt.weights, period: timeline.Ever}
		q := &countingQuerier{Querier: s.Pool()}
		s.Must(findMost(ctx, q, map[timeline.TimelineID][]*ranking{tt.of: {r}}, tt.chunk))
		if q.queries != tt.want || r.found != tt.found {
			t.Errorf("a walk that %s: %d statements, want %d; found is %v", name, q.queries, tt.want, r.found)
		}
	}
}

// A countingQuerier counts the statements that ask for rows.
type countingQuerier struct {
	primary.Querier
	queries int
}

func (q *countingQuerier) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	q.queries++
	return q.Querier.Query(ctx, query, args...)
}
