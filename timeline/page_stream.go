package timeline

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A stream is one order of entries, with the index in this order: all entries of the site, and the
// entries of each timeline. The queries of a stream return places and timelines, newest first.
type stream struct {
	// all reads n entries of all timelines, below the entry of the timeline in at this place. If
	// in is 0, it reads below all entries at this place.
	all func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error)
	// of reads the newest n entries of each of a few timelines, below a place and not below low. A
	// post may come several times.
	of func(ctx context.Context, q primary.Querier, ids []TimelineID, below, low Cursor, n int) (pgx.Rows, error)
	// tops reads the newest entry of each timeline, and returns the newest n of them. It
	// is nil if latest_at is a bound for this order.
	tops func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error)
}

// freshStream returns the order by freshness.
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
			where timeline_id = t.id and (fresh_at, post_id) < ($2, $3) and (fresh_at, post_id) >= ($5, $6)
			order by fresh_at desc, post_id desc limit $4) e`
	return stream{
		all: func(ctx context.Context, q primary.Querier, below Cursor, in TimelineID, n int) (pgx.Rows, error) {
			return q.Query(ctx, all, primary.Planned, below.FreshAt, below.Post, in, n)
		},
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below, low Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, below.FreshAt, below.Post, n, low.FreshAt, low.Post)
		},
	}
}

// createdStream returns the order by publication, which is the order of ids; from and until
// are bounds of the ids. A post is fresh when it is published or later, so latest_at is an
// upper bound in this order, too.
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
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below, low Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, min(below.firstID(), until), max(from, low.Post), n)
		},
	}
}

// firstID returns the lowest id with a cursor that is not below c.
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

// enteredStream returns the order by the time at which posts entered timelines.
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
			where timeline_id = t.id and (entered_at, post_id) < ($2, $3) and (entered_at, post_id) >= ($5, $6)
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
		of: func(ctx context.Context, q primary.Querier, ids []TimelineID, below, low Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, of, primary.Planned, ids, below.FreshAt, below.Post, n, low.FreshAt, low.Post)
		},
		tops: func(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, n int) (pgx.Rows, error) {
			return q.Query(ctx, tops, primary.Planned, ids, below.FreshAt, below.Post, n)
		},
	}
}
