package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// An Outline says which part of the facts [Snapshot.Outlines] reads.
type Outline struct {
	In       []TimelineID // only entries of these timelines are read
	Mentions bool
}

// fewIn is the number of timelines up to which each of them is looked up in the index of
// a post's entries.
const fewIn = 4

// Outlines reads the part of the facts that decides whether posts are in a river that the
// timelines of the outline feed. Likers, commenters, comments and other timelines are left out, so
// that passing over posts on the way to a page far down costs a fraction of [Snapshot.Facts]. Of
// the timelines only ids are read. A missing post has no facts.
func (sn *Snapshot) Outlines(ctx context.Context, ids []PostID, o Outline) (_ map[PostID]*Facts, err error) {
	defer primary.Wrap(&err, "outlines of %d posts", len(ids))
	const posts = `
		select p.id, p.user_id, p.fresh_at, ` + postGone + `, p.places
		from posts p join users u on u.id = p.user_id
		where p.id = any($1)`
	const entries = `
		select post_id, timeline_id, entered_at, coalesce(rank, 0) from timeline_entries
		where post_id = any($1) and timeline_id = any($2)
		order by post_id, timeline_id`
	// With many timelines, one look into the index for each post and timeline would be
	// slow; this reads all entries of each post and keeps some.
	const entriesOfMany = `
		select post_id, timeline_id, entered_at, coalesce(rank, 0) from timeline_entries
		where post_id = any($1) and timeline_id + 0 = any($2)
		order by post_id, timeline_id`
	const mentions = `
		select distinct post_id, user_id, by_id from mentions where post_id = any($1) order by post_id, user_id, by_id`
	facts := make(map[PostID]*Facts, len(ids))
	if len(ids) == 0 {
		return facts, nil
	}
	var batch pgx.Batch
	batch.Queue(posts, ids).Query(func(rows pgx.Rows) error {
		var f Facts
		_, err := pgx.ForEachRow(rows, []any{&f.ID, &f.Author, &f.FreshAt, &f.Deleted, &f.Places}, func() error {
			one := f
			facts[f.ID] = &one
			f.Places = nil
			return nil
		})
		return err
	})
	if len(o.In) > 0 {
		query := entries
		if len(o.In) > fewIn {
			query = entriesOfMany
		}
		batch.Queue(query, ids, o.In).Query(func(rows pgx.Rows) error {
			var post PostID
			var in TimelineID
			var entered, rank int64
			_, err := pgx.ForEachRow(rows, []any{&post, &in, &entered, &rank}, func() error {
				if f := facts[post]; f != nil {
					f.In, f.Entered, f.Ranks = append(f.In, in), append(f.Entered, entered), append(f.Ranks, rank)
				}
				return nil
			})
			return err
		})
	}
	if o.Mentions {
		batch.Queue(mentions, ids).Query(func(rows pgx.Rows) error {
			var post PostID
			var m Mention
			_, err := pgx.ForEachRow(rows, []any{&post, &m.User, &m.By}, func() error {
				if f := facts[post]; f != nil {
					f.Mentions = append(f.Mentions, m)
				}
				return nil
			})
			return err
		})
	}
	if err := sn.tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	return facts, nil
}
