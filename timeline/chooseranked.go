package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// ranked chooses by the ranks that posts have in timelines: the highest where it
// has several. As of a run, they are those that the run left. A run that is
// forgotten is answered by the oldest that is kept.
func ranked(ctx context.Context, q querier, c Choice, below Cursor, want int) (Chosen, error) {
	const now = `
		select e.rank, e.post_id, not exists (
			select from timeline_entries o where o.post_id = e.post_id and o.timeline_id = any($1) and o.rank > e.rank)
		from unnest($1::bigint[]) t(id) cross join lateral (
			select rank, post_id from timeline_entries
			where timeline_id = t.id and rank is not null and (rank, post_id) < ($2, $3)
			order by rank desc, post_id desc limit $4) e`
	const then = `
		with asked as (select greatest($5, (select min(run) from ranking_runs)) run)
		select e.rank, e.post_id, not exists (
			select from rankings o
			where o.post_id = e.post_id and o.timeline_id = any($1) and o.rank > e.rank
				and o.from_run <= asked.run and (o.to_run is null or o.to_run > asked.run))
		from asked, unnest($1::bigint[]) t(id) cross join lateral (
			select rank, post_id from rankings
			where timeline_id = t.id and (rank, post_id) < ($2, $3)
				and from_run <= (select run from asked) and (to_run is null or to_run > (select run from asked))
			order by rank desc, post_id desc limit $4) e`
	ids := slices.Collect(maps.Keys(c.Timelines))
	for {
		var (
			rows pgx.Rows
			err  error
		)
		if c.Run == 0 {
			rows, err = q.Query(ctx, now, planned, ids, below.FreshAt, below.Post, want)
		} else {
			rows, err = q.Query(ctx, then, planned, ids, below.FreshAt, below.Post, want, c.Run)
		}
		if err != nil {
			return Chosen{}, fmt.Errorf("ranks of %d timelines: %w", len(ids), err)
		}
		var (
			at      Cursor
			highest bool
			found   []Cursor
			lower   = make(map[Cursor]bool) // ranks of posts that stand higher
		)
		_, err = pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post, &highest}, func() error {
			found = append(found, at)
			if !highest {
				lower[at] = true
			}
			return nil
		})
		if err != nil {
			return Chosen{}, fmt.Errorf("ranks of %d timelines: %w", len(ids), err)
		}
		chosen := cut(merge(nil, found, want), want)
		chosen.Posts = slices.DeleteFunc(chosen.Posts, func(at Cursor) bool { return lower[at] })
		if len(chosen.Posts) > 0 || chosen.Low == (Cursor{}) {
			return chosen, nil
		}
		below = chosen.Low
	}
}
