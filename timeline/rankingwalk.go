package timeline

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// A ranking is the timeline of one, with what it is by.
type ranking struct {
	id      TimelineID
	period  Period
	weights Weights
	since   PostID   // older posts are out of its period
	best    []Cursor // the highest so far, highest first: rank and post
}

// readRankings reads the rankings there are, by the timeline of everything that
// each is of.
func readRankings(ctx context.Context, q querier, settings SiteSettings, now time.Time) (map[TimelineID][]*ranking, error) {
	const query = `
		select e.id, t.id, t.what, t.their_id % 4
		from timelines e join timelines t on t.what in ('best_of', 'most_faved') and t.their_id / 4 = e.their_id
		where e.what = 'everything'`
	rows, err := q.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	of := make(map[TimelineID][]*ranking)
	var (
		everything TimelineID
		what       What
		r          ranking
	)
	_, err = pgx.ForEachRow(rows, []any{&everything, &r.id, &what, &r.period}, func() error {
		one := r
		one.weights = settings.BestOf
		if what == WhatMostFaved {
			one.weights = settings.MostFaved
		}
		if length := r.period.Length(); length > 0 {
			one.since = FirstID(now.Add(-length))
		}
		of[everything] = append(of[everything], &one)
		return nil
	})
	return of, err
}

// findRanked finds the best of each ranking: by a walk along favourites where
// those alone count, as there are fewer of them than posts, and else along the
// posts of everything; a chunk at a time.
func findRanked(ctx context.Context, q querier, of map[TimelineID][]*ranking, chunk int) error {
	faved := make(map[TimelineID][]*ranking)
	for everything, rankings := range of {
		var rest []*ranking
		for _, r := range rankings {
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

// findBest walks a timeline of everything, newest posts first, until no older
// post can be among the best.
func findBest(ctx context.Context, q querier, everything TimelineID, rankings []*ranking, chunk int) error {
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
		id                    PostID
		published             time.Time
		likes, comments, favs int
	)
	for from := PostID(1<<62 - 1); ; {
		var to PostID
		if err := q.QueryRow(ctx, down, planned, everything, from, chunk).Scan(&to); err != nil || to == 0 {
			return err
		}
		rows, err := q.Query(ctx, posts, planned, everything, from, to)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&id, &published, &likes, &comments, &favs}, func() error {
			for _, r := range rankings {
				r.take(id, likes, comments, favs, published)
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

// findFaved walks all favourites, of the newest posts first, until no older post
// can be among the best of any timeline of everything.
func findFaved(ctx context.Context, q querier, of map[TimelineID][]*ranking, chunk int) error {
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
		id        PostID
		published time.Time
		favs      int
		in        []TimelineID
	)
	for from := PostID(1<<62 - 1); open(all, from); {
		var to PostID
		if err := q.QueryRow(ctx, down, planned, from, chunk).Scan(&to); err != nil || to == 0 {
			return err
		}
		rows, err := q.Query(ctx, posts, planned, from, to, slices.Collect(maps.Keys(of)))
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&id, &published, &favs, &in}, func() error {
			for _, everything := range in {
				for _, r := range of[everything] {
					r.take(id, 0, 0, favs, published)
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

// open says whether posts below an id can have a place in any of the rankings.
func open(rankings []*ranking, below PostID) bool {
	then := time.UnixMilli(below.Cursor().FreshAt + 1000) // ids have whole seconds
	return slices.ContainsFunc(rankings, func(r *ranking) bool { return r.open(below, then) })
}

// take adds a post to the ranking, if it has any points.
func (r *ranking) take(id PostID, likes, comments, favs int, published time.Time) {
	if id < r.since || r.weights.points(likes, comments, favs) == 0 {
		return
	}
	r.best = append(r.best, Cursor{r.weights.Score(likes, comments, favs, published, r.period), id})
	if len(r.best) >= 4*rankedMost {
		r.shorten()
	}
}

// shorten leaves the best.
func (r *ranking) shorten() {
	slices.SortFunc(r.best, Cursor.Compare)
	r.best = r.best[:min(len(r.best), rankedMost)]
}

// open says whether posts below an id, published then at the latest, can have a
// place in the ranking.
func (r *ranking) open(below PostID, then time.Time) bool {
	if r.period != Ever {
		return below > r.since
	}
	r.shorten()
	return len(r.best) < rankedMost || r.weights.most(then) >= r.best[rankedMost-1].FreshAt
}
