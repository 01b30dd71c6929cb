package timeline

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A stream is an order in which an index gives entries: of all timelines, and of
// each. Queries answer the place of entries, newest first.
type stream struct {
	// all reads entries of all timelines, below the place of an entry in that
	// timeline; of timeline 0, below the cursor.
	all func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error)
	// of reads the newest n of each of a few timelines, with repeats.
	of func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error)
	// tops reads the newest n of the newest entries that the timelines have, one of
	// each; nil where the latest_at of a timeline bounds what it has.
	tops func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error)
}

// freshStream is by when posts were fresh.
func freshStream() stream {
	const all = `
		select fresh_at, post_id, timeline_id from timeline_entries
		where (fresh_at, post_id, timeline_id) < ($1, $2, $3)
		order by fresh_at desc, post_id desc, timeline_id desc
		limit $4`
	const of = `
		select e.fresh_at, e.post_id
		from unnest($1::bigint[]) t(id) cross join lateral (
			select fresh_at, post_id from timeline_entries
			where timeline_id = t.id and (fresh_at, post_id) < ($2, $3)
			order by fresh_at desc, post_id desc limit $4) e`
	return stream{
		all: func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error) {
			return q.Query(ctx, all, primary.Planned, below.FreshAt, below.Post, in, n)
		},
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, below.FreshAt, below.Post, n)
		},
	}
}

// createdStream is by when posts were published, which their ids have, between
// two of them; see [PostID.Cursor]. As a post is fresh when it is published, or
// later, what bounds the fresh ones bounds these.
func createdStream(from, until PostID) stream {
	const all = `
		select ((post_id >> 22) + 946684800) * 1000, post_id, timeline_id from timeline_entries
		where (post_id, timeline_id) < ($1, $2) and post_id >= $3
		order by post_id desc, timeline_id desc
		limit $4`
	const of = `
		select ((e.post_id >> 22) + 946684800) * 1000, e.post_id
		from unnest($1::bigint[]) t(id) cross join lateral (
			select post_id from timeline_entries
			where timeline_id = t.id and post_id < $2 and post_id >= $3
			order by post_id desc limit $4) e`
	if until == 0 {
		until = math.MaxInt64
	}
	return stream{
		all: func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error) {
			first := below.Post
			if in == 0 {
				first = min(below.firstID(), until)
			}
			return q.Query(ctx, all, primary.Planned, first, in, from, n)
		},
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, min(below.firstID(), until), from, n)
		},
	}
}

// firstID is the lowest id whose own cursor is not below c.
func (c Cursor) firstID() PostID {
	second := c.FreshAt/1000 - idEpoch
	switch {
	case second < 0 || c.FreshAt < 0:
		return 0
	case second >= math.MaxInt64>>idShift:
		return math.MaxInt64
	case c.FreshAt%1000 > 0:
		return PostID((second + 1) << idShift)
	}
	return min(max(c.Post, PostID(second<<idShift)), PostID((second+1)<<idShift))
}

// enteredStream is by when posts came into timelines.
func enteredStream() stream {
	const all = `
		select entered_at, post_id, timeline_id from timeline_entries
		where (entered_at, post_id, timeline_id) < ($1, $2, $3)
		order by entered_at desc, post_id desc, timeline_id desc
		limit $4`
	const of = `
		select e.entered_at, e.post_id
		from unnest($1::bigint[]) t(id) cross join lateral (
			select entered_at, post_id from timeline_entries
			where timeline_id = t.id and (entered_at, post_id) < ($2, $3)
			order by entered_at desc, post_id desc limit $4) e`
	const tops = `
		select e.entered_at, e.post_id, t.id
		from unnest($1::bigint[]) t(id) cross join lateral (
			select entered_at, post_id from timeline_entries
			where timeline_id = t.id and (entered_at, post_id) < ($2, $3)
			order by entered_at desc, post_id desc limit 1) e
		order by e.entered_at desc, e.post_id desc
		limit $4`
	return stream{
		all: func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error) {
			return q.Query(ctx, all, primary.Planned, below.FreshAt, below.Post, in, n)
		},
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, below.FreshAt, below.Post, n)
		},
		tops: func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, tops, primary.Planned, ids, below.FreshAt, below.Post, n)
		},
	}
}
