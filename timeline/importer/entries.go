package importer

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// minute is a minute in milliseconds. The bound latest_at of a timeline is always a whole minute, so
// that the row of a busy timeline is not written with each bump.
const minute = 60_000

// writeEntries inserts the new rows of timelines, and updates the freshness of existing rows of
// posts that became fresher. It notes in pending.latest the freshest new entry of each timeline,
// for raiseLatest.
func (t *batchTx) writeEntries(ctx context.Context) error {
	const enter = `
		with back as (
			delete from timeline_left l using unnest($1::bigint[], $2::bigint[]) k(timeline_id, post_id)
			where l.post_id = k.post_id and l.timeline_id = k.timeline_id
			returning l.timeline_id, l.post_id, l.entered_at
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select k.timeline_id, k.post_id, k.fresh_at, coalesce(b.entered_at, k.entered_at)
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) k(timeline_id, post_id, fresh_at, entered_at)
		left join back b on b.timeline_id = k.timeline_id and b.post_id = k.post_id
		on conflict do nothing`
	const move = `
		update timeline_entries e set fresh_at = k.fresh_at
		from unnest($1::bigint[], $2::bigint[]) k(post_id, fresh_at)
		where e.post_id = k.post_id and e.fresh_at <> k.fresh_at
		returning e.timeline_id, e.fresh_at`

	var fresh []*entry // the entries of new posts: no other writer can have inserted them
	var timelines []timeline.TimelineID
	var posts []timeline.PostID
	var freshAt, enteredAt []int64
	for _, e := range t.pending.entries {
		t.pending.raise(e.timeline, e.post.freshAt) // the post may have become fresher since it entered
		if e.post.line != nil {
			fresh = append(fresh, e)
			continue
		}
		timelines, posts = append(timelines, e.timeline), append(posts, e.post.id)
		freshAt, enteredAt = append(freshAt, e.post.freshAt), append(enteredAt, e.at)
	}
	columns := []string{"timeline_id", "post_id", "fresh_at", "entered_at"}
	err := copyTo(ctx, t.tx, "timeline_entries", columns, fresh, func(e *entry) []any {
		return []any{e.timeline, e.post.id, e.post.freshAt, e.at}
	})
	if err != nil {
		return err
	}
	var b pgx.Batch
	if len(timelines) > 0 {
		b.Queue(enter, timelines, posts, freshAt, enteredAt)
	}
	var moved []timeline.PostID
	var to []int64
	for _, p := range t.pending.touched {
		if p.moved { // the post is in more timelines than it entered in this batch
			moved, to = append(moved, p.id), append(to, p.freshAt)
		}
	}
	if len(moved) > 0 {
		b.Queue(move, moved, to).Query(func(rows pgx.Rows) error {
			var id timeline.TimelineID
			var at int64
			_, err := pgx.ForEachRow(rows, []any{&id, &at}, func() error {
				t.pending.raise(id, at)
				return nil
			})
			return err
		})
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// raiseLatest raises latest_at of the timelines that got entries in this batch, so that it stays an
// upper bound of the freshness of their entries. Only some kinds of timelines have this bound. It is
// the next whole minute after the freshest entry that was ever in the timeline, so it does not depend
// on how the lines were cut into batches.
func (t *batchTx) raiseLatest(ctx context.Context) error {
	const query = `
		with raised as (
			select t.id, k.latest_at from unnest($1::bigint[], $2::bigint[]) k(id, latest_at)
			join timelines t on t.id = k.id and t.latest_at < k.latest_at
				and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')
			order by t.id for no key update of t
		)
		update timelines t set latest_at = greatest(t.latest_at, r.latest_at) from raised r where t.id = r.id`
	if len(t.pending.latest) == 0 {
		return nil
	}
	var ids []timeline.TimelineID
	var latest []int64
	for id, at := range t.pending.latest {
		ids, latest = append(ids, id), append(latest, (at/minute+1)*minute)
	}
	_, err := t.tx.Exec(ctx, query, ids, latest)
	return err
}
