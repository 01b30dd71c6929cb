package ranking

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A ranking is one timeline of best_of or most_faved, for one language (or all) and one period,
// with its weights.
type ranking struct {
	id      timeline.TimelineID
	period  timeline.Period
	weights timeline.Weights
	since   timeline.PostID   // posts with lower ids are older than the period
	best    []timeline.Cursor // the highest so far, highest first: score and post
	found   bool              // findMost found all of the best
}

// readRankings returns the existing rankings, by the timeline of everything that has their posts.
func readRankings(ctx context.Context, q primary.Querier, settings timeline.SiteSettings, now time.Time) (map[timeline.TimelineID][]*ranking, error) {
	const query = `
		select id, what, their_id from timelines where what in ('everything', 'best_of', 'most_faved')`
	rows, err := q.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	everything := make(map[int64]timeline.TimelineID) // by the language's number
	byLanguage := make(map[int64][]*ranking)
	var (
		id    timeline.TimelineID
		what  timeline.What
		their int64
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &what, &their}, func() error {
		if what == timeline.WhatEverything {
			everything[their] = id
			return nil
		}
		lang, period := timeline.RankedOf(their)
		r := &ranking{id: id, period: period, weights: settings.BestOf}
		if what == timeline.WhatMostFaved {
			r.weights = settings.MostFaved
		}
		if length := period.Length(); length > 0 {
			r.since = timeline.FirstID(now.Add(-length))
		}
		byLanguage[lang] = append(byLanguage[lang], r)
		return nil
	})
	of := make(map[timeline.TimelineID][]*ranking)
	for lang, id := range everything {
		of[id] = byLanguage[lang]
	}
	return of, err
}

// findRanked finds the best posts of each ranking, reading chunk posts at a time. It does so in
// three ways:
//
//   - Rankings of all time: findMost walks down the counts of likes, comments and favourites, and
//     gives up if the walk becomes long.
//   - Other rankings that weigh favourites alone: findFaved walks favourites, which are fewer than
//     posts.
//   - All other rankings: findBest walks the posts of the timeline of everything.
func findRanked(ctx context.Context, q primary.Querier, of map[timeline.TimelineID][]*ranking, chunk int) error {
	if err := findMost(ctx, q, of, chunk); err != nil {
		return err
	}
	faved := make(map[timeline.TimelineID][]*ranking)
	for everything, rankings := range of {
		var rest []*ranking
		for _, r := range rankings {
			if r.found {
				continue
			}
			if r.weights.Like == 0 && r.weights.Comment == 0 {
				faved[everything] = append(faved[everything], r)
			} else {
				rest = append(rest, r)
			}
		}
		if len(rest) == 0 {
			continue
		}
		if err := findBest(ctx, q, everything, rest, chunk); err != nil {
			return err
		}
	}
	return findFaved(ctx, q, faved, chunk)
}

// findMost finds the best posts of rankings of all time. It walks down three lists, a chunk of
// each in turn: the posts with the most likes, with the most comments and with the most
// favourites. It stops when no post further down can be among the best. This is Fagin's threshold
// algorithm.
//
// Example with one point for each like, comment and favourite: the walks have come down to 5
// likes, 3 comments and 2 favourites. A post that has not been met has at most 5 + 3 + 2 = 10
// points. If the last of the best has 11, the ranking is complete.
//
// For a ranking of few posts, for example of a rare language, the walks would go down to the last
// liked post of the site. So findMost gives up after some chunks, and finds nothing for the rankings
// that are not complete then. Their timelines of everything are short, so findBest is fast for them.
func findMost(ctx context.Context, q primary.Querier, of map[timeline.TimelineID][]*ranking, chunk int) error {
	const next = `
		select p.id, p.published_at, p.likes_count, p.comments_count, p.favs_count,
			case when exists (select from timelines t where t.id = any(p.places) and t.access in ('public', 'protected'))
				then array(select timeline_id from timeline_entries where post_id = p.id and timeline_id = any($4)) else '{}' end
		from posts p
		where p.%[1]s > 0 and (p.%[1]s, p.id) < ($1, $2) and p.deleted_at is null
		order by p.%[1]s desc, p.id desc limit $3`
	var rankings []*ranking // the incomplete rankings
	for _, some := range of {
		for _, r := range some {
			if r.period == timeline.Ever {
				rankings = append(rankings, r)
			}
		}
	}
	everythings := slices.Collect(maps.Keys(of))
	seen := make(map[timeline.PostID]bool)
	var lows [3]timeline.Cursor // how far down the walks of likes, comments and favourites are: a count and a post
	for i := range lows {
		lows[i] = timeline.Cursor{FreshAt: math.MaxInt32, Post: 1<<62 - 1}
	}
	for range mostChunks {
		for i, column := range []string{"likes_count", "comments_count", "favs_count"} {
			low := &lows[i]
			if low.FreshAt == 0 || !slices.ContainsFunc(rankings, func(r *ranking) bool { return weightsOf(r.weights)[i] > 0 }) {
				continue
			}
			rows, err := q.Query(ctx, fmt.Sprintf(next, column), primary.Planned, low.FreshAt, low.Post, chunk, everythings)
			if err != nil {
				return err
			}
			var (
				id        timeline.PostID
				published time.Time
				counts    [3]int
				in        []timeline.TimelineID
				read      int
			)
			_, err = pgx.ForEachRow(rows, []any{&id, &published, &counts[0], &counts[1], &counts[2], &in}, func() error {
				read++
				*low = timeline.Cursor{FreshAt: int64(counts[i]), Post: id}
				if seen[id] {
					return nil
				}
				seen[id] = true
				for _, everything := range in {
					for _, r := range of[everything] {
						if r.period == timeline.Ever {
							r.add(id, counts[0], counts[1], counts[2], published)
						}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			if read < chunk {
				*low = timeline.Cursor{Post: low.Post}
			}
		}
		rankings = slices.DeleteFunc(rankings, func(r *ranking) bool {
			r.found = r.complete(lows)
			return r.found
		})
		if len(rankings) == 0 {
			return nil
		}
	}
	for _, r := range rankings {
		r.best = nil
	}
	return nil
}

// weightsOf returns the weights of likes, comments and favourites.
func weightsOf(w timeline.Weights) [3]float64 { return [3]float64{w.Like, w.Comment, w.Fav} }

// complete reports whether the ranking has all of its best posts when the walks have come down to
// lows. A post that no walk has met has at most the points of the three counts of lows together. If
// it has as many points, it has a lower id than the posts at which the walks stand.
func (r *ranking) complete(lows [3]timeline.Cursor) bool {
	most := r.weights.Points(int(lows[0].FreshAt), int(lows[1].FreshAt), int(lows[2].FreshAt))
	below := timeline.Cursor{FreshAt: most, Post: 1<<62 - 1}
	for i, weight := range weightsOf(r.weights) {
		if weight > 0 && lows[i].FreshAt > 0 {
			below.Post = min(below.Post, lows[i].Post)
		}
	}
	r.shorten()
	return below.FreshAt == 0 || len(r.best) == rankedMost && r.best[rankedMost-1].Compare(below) <= 0
}

// findBest walks the posts of a timeline of everything, the newest first, until no older
// post can be among the best.
func findBest(ctx context.Context, q primary.Querier, everything timeline.TimelineID, rankings []*ranking, chunk int) error {
	const down = `
		select coalesce(min(post_id), 0) from (
			select post_id from timeline_entries where timeline_id = $1 and post_id < $2 order by post_id desc limit $3) chunk`
	const posts = `
		select p.id, p.published_at, p.likes_count, p.comments_count, p.favs_count
		from timeline_entries e join posts p on p.id = e.post_id
		where e.timeline_id = $1 and e.post_id < $2 and e.post_id >= $3
			and (p.likes_count > 0 or p.comments_count > 0 or p.favs_count > 0) and p.deleted_at is null
			and exists (select from timelines t where t.id = any(p.places) and t.access in ('public', 'protected'))`
	var (
		id                    timeline.PostID
		published             time.Time
		likes, comments, favs int
	)
	for from := timeline.PostID(1<<62 - 1); ; {
		var to timeline.PostID
		if err := q.QueryRow(ctx, down, primary.Planned, everything, from, chunk).Scan(&to); err != nil || to == 0 {
			return err
		}
		rows, err := q.Query(ctx, posts, primary.Planned, everything, from, to)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&id, &published, &likes, &comments, &favs}, func() error {
			for _, r := range rankings {
				r.add(id, likes, comments, favs, published)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if !open(rankings, to) {
			return nil
		}
		from = to
	}
}

// findFaved walks all favourites, those of the newest posts first, until no older post
// can be among the best of any ranking.
func findFaved(ctx context.Context, q primary.Querier, of map[timeline.TimelineID][]*ranking, chunk int) error {
	const down = `
		select coalesce(min(post_id), 0) from (select post_id from favs where post_id < $1 order by post_id desc limit $2) chunk`
	const posts = `
		select p.id, p.published_at, p.favs_count,
			array(select timeline_id from timeline_entries where post_id = p.id and timeline_id = any($3))
		from posts p
		where p.id in (select post_id from favs where post_id < $1 and post_id >= $2) and p.deleted_at is null
			and exists (select from timelines t where t.id = any(p.places) and t.access in ('public', 'protected'))`
	var all []*ranking
	for _, rankings := range of {
		all = append(all, rankings...)
	}
	var (
		id        timeline.PostID
		published time.Time
		favs      int
		in        []timeline.TimelineID
	)
	for from := timeline.PostID(1<<62 - 1); open(all, from); {
		var to timeline.PostID
		if err := q.QueryRow(ctx, down, primary.Planned, from, chunk).Scan(&to); err != nil || to == 0 {
			return err
		}
		rows, err := q.Query(ctx, posts, primary.Planned, from, to, slices.Collect(maps.Keys(of)))
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&id, &published, &favs, &in}, func() error {
			for _, everything := range in {
				for _, r := range of[everything] {
					r.add(id, 0, 0, favs, published)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// open reports whether a post with a lower id can be among the best of any of the rankings.
func open(rankings []*ranking, below timeline.PostID) bool {
	then := time.UnixMilli(below.Cursor().FreshAt + 1000) // ids have whole seconds
	return slices.ContainsFunc(rankings, func(r *ranking) bool { return r.open(below, then) })
}

// add adds a post to the ranking if it has any points.
func (r *ranking) add(id timeline.PostID, likes, comments, favs int, published time.Time) {
	if id < r.since || r.weights.Points(likes, comments, favs) == 0 {
		return
	}
	r.best = append(r.best, timeline.Cursor{FreshAt: r.weights.Score(likes, comments, favs, published, r.period), Post: id})
	if len(r.best) >= 4*rankedMost {
		r.shorten()
	}
}

// shorten keeps only the best posts of the ranking.
func (r *ranking) shorten() {
	slices.SortFunc(r.best, timeline.Cursor.Compare)
	r.best = r.best[:min(len(r.best), rankedMost)]
}

// open reports whether a post with a lower id, published at the time then or earlier, can be among
// the best of the ranking.
func (r *ranking) open(below timeline.PostID, then time.Time) bool {
	switch r.period {
	case timeline.Rising:
	case timeline.Ever:
		return true // age does not count, so an old post can have any score
	default:
		return below > r.since
	}
	r.shorten()
	return len(r.best) < rankedMost || r.weights.Most(then) >= r.best[rankedMost-1].FreshAt
}
