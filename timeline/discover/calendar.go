package discover

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A Calendar has the days on which a person published posts that a viewer may read on the person's
// page: posts in the person's feed, for viewers with access also posts in the private sub-feed, and
// for the person also posts for their own eyes only. Days are in UTC.
type Calendar struct {
	Days []DayCount // only days with posts, in order of time
	// Before and After are the nearest days with posts before and after the wanted days; zero:
	// there is none.
	Before, After time.Time
}

// A DayCount is the number of posts that were published on a day.
type DayCount struct {
	Day   time.Time
	Posts int
}

// Calendar counts, day by day, the posts of a person that the viewer may read, from the time from
// (included) to the time until (excluded); a zero time is no bound. If the viewer may not open the
// person's page, the error is the same as of the page: [timeline.ErrNotFound] for a deleted account
// or one that has banned the viewer, and [timeline.ErrForbidden] otherwise.
func (s *Store) Calendar(ctx context.Context, viewer, person timeline.UserID, from, until time.Time) (calendar Calendar, err error) {
	defer primary.Wrap(&err, "calendar of user %d", person)
	err = s.db().View(ctx, func(q primary.Querier) error {
		sets, err := timeline.ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		ids, err := readableFeeds(ctx, q, sets, person)
		if err != nil {
			return err
		}
		calendar, err = readCalendar(ctx, q, ids, from, until)
		return err
	})
	return calendar, err
}

// readableFeeds returns the timelines of a person's page that the viewer may read, at least one. Its
// errors are those of [Store.Calendar].
func readableFeeds(ctx context.Context, q primary.Querier, sets *timeline.Sets, person timeline.UserID) ([]timeline.TimelineID, error) {
	const query = `
		select id, what, their_id, access from timelines where what in ('user', 'user_private', 'user_fyeo') and their_id = $1 order by what`
	rows, err := q.Query(ctx, query, person)
	if err != nil {
		return nil, err
	}
	feeds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[timeline.Timeline])
	if err != nil {
		return nil, err
	}
	if len(feeds) == 0 || feeds[0].Access == timeline.AccessClosed {
		return nil, timeline.ErrNotFound
	}
	var ids []timeline.TimelineID
	for _, feed := range feeds {
		if sets.Readable(feed) {
			ids = append(ids, feed.ID)
		}
	}
	switch mine, banned := sets.Bans[person]; {
	case len(ids) > 0:
		return ids, nil
	case banned && !mine:
		return nil, timeline.ErrNotFound
	}
	return nil, timeline.ErrForbidden
}

// readCalendar counts posts by their ids, which begin with the time of publication.
func readCalendar(ctx context.Context, q primary.Querier, feeds []timeline.TimelineID, from, until time.Time) (c Calendar, err error) {
	const days = `
		select ((post_id >> 22) + 946684800) / 86400, count(distinct post_id)
		from timeline_entries where timeline_id = any($1) and post_id >= $2 and post_id < $3
		group by 1 order by 1`
	const before = `
		select max(e.post_id) from unnest($1::bigint[]) t(id) cross join lateral (
			select post_id from timeline_entries where timeline_id = t.id and post_id < $2 order by post_id desc limit 1) e`
	const after = `
		select min(e.post_id) from unnest($1::bigint[]) t(id) cross join lateral (
			select post_id from timeline_entries where timeline_id = t.id and post_id >= $2 order by post_id limit 1) e`
	first, below := timeline.PostID(0), timeline.Top.Post
	if !from.IsZero() {
		first = timeline.FirstID(from)
	}
	if !until.IsZero() {
		below = timeline.FirstID(until)
	}
	var batch pgx.Batch
	batch.Queue(days, feeds, first, below).Query(func(rows pgx.Rows) error {
		var day int64
		var posts int
		_, err := pgx.ForEachRow(rows, []any{&day, &posts}, func() error {
			c.Days = append(c.Days, DayCount{time.Unix(day*86400, 0).UTC(), posts})
			return nil
		})
		return err
	})
	nearest := func(day *time.Time) func(pgx.Row) error {
		return func(row pgx.Row) error {
			var post *timeline.PostID
			if err := row.Scan(&post); err != nil || post == nil {
				return err
			}
			*day = time.UnixMilli(post.Cursor().FreshAt).UTC().Truncate(24 * time.Hour)
			return nil
		}
	}
	batch.Queue(before, feeds, first).QueryRow(nearest(&c.Before))
	batch.Queue(after, feeds, below).QueryRow(nearest(&c.After))
	err = q.SendBatch(ctx, &batch).Close()
	return c, err
}
