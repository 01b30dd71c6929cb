package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// planned has a query planned for its parameters, each time. A generic plan
// takes a timeline of fifty thousand posts, or a cursor near the top, for an
// average one, and costs up to thirty times as much. Other queries look rows up
// by key, and planning those anew would double what they cost.
const planned = pgx.QueryExecModeCacheDescribe

// How a page is chosen; see [Snapshot.Choose].
const (
	lateralMost = 60   // timelines asked for their newest in one statement
	walkMost    = 2000 // entries of the global walk before it is given up
	walkChunk   = 500
)

// Chosen are posts in their order, each once. All that there is at or above Low,
// and below where was asked from, is among them; a zero Low says that there is no
// more.
type Chosen struct {
	Posts []Cursor
	Low   Cursor
}

// Choose finds the first posts of a choice below a cursor: about want of them, at
// least one if there is any. Who may read them is not its business.
//
// It costs no more because there are more timelines. Up to 60 are asked for
// their newest in one statement. More: the global index is walked from the
// cursor, testing membership here, for at most 2,000 entries; where that is not
// enough (a reader of quiet feeds), the timelines are asked in the order of
// their latest_at, an upper bound, until no other can hold anything newer than
// what was found: Fagin's threshold algorithm.
func (sn *Snapshot) Choose(ctx context.Context, c Choice, below Cursor, want int) (Chosen, error) {
	if want <= 0 {
		return Chosen{Low: below}, nil
	}
	found, err := sn.choose(ctx, c.Timelines, below, want)
	if err != nil || len(found) < want {
		return Chosen{Posts: found}, err
	}
	return Chosen{Posts: found, Low: found[want-1]}, nil
}

func (sn *Snapshot) choose(ctx context.Context, timelines map[TimelineID]bool, below Cursor, want int) ([]Cursor, error) {
	if len(timelines) == 0 {
		return nil, nil
	}
	if len(timelines) > lateralMost {
		found, done, err := walk(ctx, sn.tx, timelines, below, want)
		if err != nil || done {
			return found, err
		}
		return threshold(ctx, sn.tx, timelines, below, want)
	}
	ids := make([]TimelineID, 0, len(timelines))
	for id := range timelines {
		ids = append(ids, id)
	}
	found, err := newest(ctx, sn.tx, ids, below, want)
	if err != nil {
		return nil, err
	}
	return merge(nil, found, want), nil
}

// walk reads the global index newest first. Done says that it found as many as
// wanted, or came to the end.
func walk(ctx context.Context, q querier, timelines map[TimelineID]bool, below Cursor, want int) (found []Cursor, done bool, err error) {
	const query = `
		select fresh_at, post_id, timeline_id from timeline_entries
		where (fresh_at, post_id, timeline_id) < ($1, $2, $3)
		order by fresh_at desc, post_id desc, timeline_id desc
		limit $4`
	at, last := below, TimelineID(0) // below the cursor: no entry of the post itself
	for walked := 0; walked < walkMost; walked += walkChunk {
		rows, err := q.Query(ctx, query, planned, at.FreshAt, at.Post, last, walkChunk)
		if err != nil {
			return nil, false, fmt.Errorf("walk below %v: %w", below, err)
		}
		n := 0
		_, err = pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post, &last}, func() error {
			n++
			if timelines[last] && (len(found) == 0 || found[len(found)-1] != at) {
				found = append(found, at)
			}
			return nil
		})
		if err != nil {
			return nil, false, fmt.Errorf("walk below %v: %w", below, err)
		}
		if len(found) >= want {
			return found[:want], true, nil
		}
		if n < walkChunk {
			return found, true, nil
		}
	}
	return found, false, nil
}

// threshold asks the timelines a few at a time, those with the newest first.
func threshold(ctx context.Context, q querier, timelines map[TimelineID]bool, below Cursor, want int) ([]Cursor, error) {
	const query = `
		select id, latest_at from timelines where id = any($1) order by latest_at desc, id`
	ids := make([]TimelineID, 0, len(timelines))
	for id := range timelines {
		ids = append(ids, id)
	}
	type bound struct {
		ID     TimelineID
		Latest int64
	}
	rows, err := q.Query(ctx, query, planned, ids)
	if err != nil {
		return nil, fmt.Errorf("latest of %d timelines: %w", len(ids), err)
	}
	bounds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[bound])
	if err != nil {
		return nil, fmt.Errorf("latest of %d timelines: %w", len(ids), err)
	}
	var found []Cursor
	for len(bounds) > 0 {
		if len(found) >= want && bounds[0].Latest < found[want-1].FreshAt {
			break
		}
		n := min(lateralMost, len(bounds))
		ids = ids[:0]
		for _, b := range bounds[:n] {
			ids = append(ids, b.ID)
		}
		bounds = bounds[n:]
		more, err := newest(ctx, q, ids, below, want)
		if err != nil {
			return nil, err
		}
		found = merge(found, more, want)
	}
	return found, nil
}

// newest reads the newest posts of each of a few timelines, and of those the
// newest, with repeats where several hold the same post.
func newest(ctx context.Context, q querier, ids []TimelineID, below Cursor, want int) ([]Cursor, error) {
	const query = `
		select e.fresh_at, e.post_id
		from unnest($1::bigint[]) t(id) cross join lateral (
			select fresh_at, post_id from timeline_entries
			where timeline_id = t.id and (fresh_at, post_id) < ($2, $3)
			order by fresh_at desc, post_id desc limit $4) e`
	rows, err := q.Query(ctx, query, planned, ids, below.FreshAt, below.Post, want)
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	return found, nil
}

// merge puts two lists into the order of rivers, each post once, at most want.
func merge(a, b []Cursor, want int) []Cursor {
	all := append(a, b...)
	slices.SortFunc(all, Cursor.Compare)
	all = slices.Compact(all)
	return all[:min(want, len(all))]
}
