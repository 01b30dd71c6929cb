package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// chooseLifted chooses by [OrderLifted]. A post stands at the later of two times: when the post
// was fresh, or when the post first entered a filter timeline (if no base timeline brought it
// before, and the viewer followed the owner of the filter timeline by then). So each post above a
// place L either was fresh above L or entered a filter timeline above L.
//
// chooseLifted reads the n freshest posts and the n posts that entered last, and takes as L the
// higher of the two ends: both lists are complete above L. Then chooseLifted reads the exact place
// of each of these posts, and keeps the posts above L.
//
// Example: the list by freshness ends at 50, the list by entry at 70. A post that was fresh at 60
// is not kept: another post may have entered at 65, further down in the second list. The next page
// finds both.
func chooseLifted(ctx context.Context, q primary.Querier, c Choice, below Cursor, want int) (Chosen, error) {
	t := liftedTimelines(c)
	filters := make(map[TimelineID]bool)
	for i, id := range t.ids {
		if !t.base[i] {
			filters[id] = true
		}
	}
	// Most posts are in both lists, and the list that ends higher cuts the other off, so each list
	// is read twice as long as the page. Perhaps none of these posts stands here: with
	// forward-only subscriptions many feeds have only entries that do not count yet. Then the loop
	// looks further down, with more posts at a time.
	for n := min(2*want, walkMost); ; n = min(2*n, walkMost) {
		fresh, err := chooseByTime(ctx, q, freshStream(), c.Timelines, below, n)
		if err != nil {
			return Chosen{}, err
		}
		came, err := chooseByTime(ctx, q, enteredStream(), filters, below, n)
		if err != nil {
			return Chosen{}, err
		}
		low := fresh.Low
		if low.Below(came.Low) {
			low = came.Low
		}
		var posts []PostID
		for _, at := range slices.Concat(fresh.Posts, came.Posts) {
			if !at.Below(low) {
				posts = append(posts, at.Post)
			}
		}
		slices.Sort(posts)
		found, err := liftedPlaces(ctx, q, slices.Compact(posts), t.ids, t.base, t.since, t.began)
		if err != nil {
			return Chosen{}, err
		}
		found = slices.DeleteFunc(found, func(at Cursor) bool { return at.Below(low) || !at.Below(below) })
		if len(found) > 0 || low == (Cursor{}) {
			slices.SortFunc(found, Cursor.Compare)
			if len(found) > want {
				found, low = found[:want], found[want-1]
			}
			return Chosen{Posts: found, Low: low}, nil
		}
		below = low
	}
}

// lifted are the timelines of a choice in [OrderLifted]. The slices have one element for each
// timeline.
type lifted struct {
	ids   []TimelineID
	base  []bool  // whether the timeline is a base timeline
	since []int64 // [Choice.Since] of the timeline; 0: all its entries count
	began []int64 // [Choice.Began] of the timeline
}

// liftedTimelines returns the timelines of a choice in [OrderLifted].
func liftedTimelines(c Choice) lifted {
	var l lifted
	for _, id := range slices.Sorted(maps.Keys(c.Timelines)) {
		t, _ := c.Known(id)
		l.ids, l.base = append(l.ids, id), append(l.base, t.What.Base())
		l.since, l.began = append(l.since, c.Since[id]), append(l.began, c.Began[id])
	}
	return l
}

// liftedPlaces returns the places of posts in [OrderLifted]. It leaves out posts that are in none
// of the timelines. The other arguments are the fields of [lifted]. In the query, acted is when
// the first filter timeline that the viewer followed by then got the post, and put is when the
// first base timeline brought it to the viewer. A post that was put before it was acted on stands
// where it was fresh.
func liftedPlaces(ctx context.Context, q primary.Querier, posts []PostID, ids []TimelineID, base []bool, since, began []int64) ([]Cursor, error) {
	const query = `
		select case when came.put < came.acted then came.fresh else greatest(came.fresh, came.acted) end, came.post
		from (
			select e.post_id post, max(e.fresh_at) fresh, min(e.entered_at) filter (where not f.base and e.entered_at >= f.began) acted,
				min(greatest(e.entered_at, f.began)) filter (where f.base) put
			from timeline_entries e
			join unnest($2::bigint[], $3::boolean[], $4::bigint[], $5::bigint[]) f(id, base, since, began)
				on f.id = e.timeline_id and e.entered_at >= f.since
			where e.post_id = any($1)
			group by e.post_id) came`
	if len(posts) == 0 {
		return nil, nil
	}
	rows, err := q.Query(ctx, query, primary.Planned, posts, ids, base, since, began)
	if err != nil {
		return nil, fmt.Errorf("places of %d posts: %w", len(posts), err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
	if err != nil {
		return nil, fmt.Errorf("places of %d posts: %w", len(posts), err)
	}
	return found, nil
}

// chooseRanked chooses by the ranks of posts in timelines. A post with ranks in several timelines
// stands at the highest. If the choice names a run, the run's ranks count; if the run was deleted
// since, the ranks of the oldest run that still exists.
func chooseRanked(ctx context.Context, q primary.Querier, c Choice, below Cursor, want int) (Chosen, error) {
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
			rows, err = q.Query(ctx, now, primary.Planned, ids, below.FreshAt, below.Post, want)
		} else {
			rows, err = q.Query(ctx, then, primary.Planned, ids, below.FreshAt, below.Post, want, c.Run)
		}
		if err != nil {
			return Chosen{}, fmt.Errorf("ranks of %d timelines: %w", len(ids), err)
		}
		var (
			at      Cursor
			highest bool
			found   []Cursor
			lower   = make(map[Cursor]bool) // the ranks of posts that have a higher rank too
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
		chosen := newChosen(merge(nil, found, want), want)
		chosen.Posts = slices.DeleteFunc(chosen.Posts, func(at Cursor) bool { return lower[at] })
		if len(chosen.Posts) > 0 || chosen.Low == (Cursor{}) {
			return chosen, nil
		}
		below = chosen.Low
	}
}
