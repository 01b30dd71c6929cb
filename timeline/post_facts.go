package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Facts are the data about a post that decide who may read it, and where it stands in rivers. They
// are ids, times and numbers alone, all read in one snapshot.
type Facts struct {
	ID            PostID
	Version       int
	Author        UserID
	FreshAt       int64        // milliseconds since 1970
	Deleted       bool         // the post is deleted or withheld, or its author's account is deleted or suspended
	Places        []TimelineID // the decisive timelines, sorted
	In            []TimelineID // every timeline that holds the post, sorted
	Entered       []int64      // when the post entered each of In, in milliseconds since 1970
	Ranks         []int64      // the rank of the post in each of In; 0: no rank there; nil: no rank in any
	Likers        []UserID     // people who like the post, sorted
	Commenters    []UserID     // people who commented on the post, sorted
	CommentLikers []UserID     // people who like a comment on the post, sorted
	FavedBy       []UserID     // people who have the post among their favourites, sorted
	Mentions      []Mention    // mentions in the post and its comments, sorted
	Comments      int          // the number of comments
}

// Cursor returns the post's place in [OrderFresh].
func (f *Facts) Cursor() Cursor { return Cursor{f.FreshAt, f.ID} }

// Access returns the part of the facts that the visibility rule looks at.
func (f *Facts) Access() AccessFacts {
	return AccessFacts{Author: f.Author, Deleted: f.Deleted, Places: f.Places}
}

// A Mention says that the person By mentions User, in a post or a comment.
type Mention struct{ User, By UserID }

// postGone is the condition on a post p and its author u that no viewer reads the post: the post or the account is
// deleted, or the account is suspended, or has been and a job has not yet shown the post again.
const postGone = `p.deleted_at is not null or p.withheld or u.status = 'deleted' or u.withheld`

// readFacts reads the facts of posts, and the timelines that hold them. A missing post has no
// facts. A deleted post has facts without timelines. A post by a deleted account is Deleted even
// before the job that erases the account has come to the post, and so is a post by a suspended account.
func readFacts(ctx context.Context, q primary.Querier, ids []PostID) (map[PostID]*Facts, map[TimelineID]Timeline, error) {
	const posts = `
		select p.id, p.version, p.user_id, p.fresh_at, ` + postGone + `, p.places, p.comments_count
		from posts p join users u on u.id = p.user_id
		where p.id = any($1)`
	const entries = `
		select e.post_id, e.entered_at, coalesce(e.rank, 0), t.id, t.what, t.their_id, t.access
		from timeline_entries e join timelines t on t.id = e.timeline_id
		where e.post_id = any($1)
		order by e.post_id, t.id`
	// People whose likes, comments or favourites are withheld, though the entries stay.
	const withheld = `
		select post_id, user_id, 'user_likes' from all_likes where post_id = any($1) and withheld
		union all
		select post_id, user_id, 'user_favs' from all_favs where post_id = any($1) and withheld
		union all
		select distinct w.post_id, w.user_id, 'user_comments' from all_comments w
		where w.post_id = any($1) and w.withheld and not exists (
			select from all_comments c where c.post_id = w.post_id and c.user_id = w.user_id and not c.withheld)`
	const clikers = `
		select distinct post_id, user_id from comment_likes where post_id = any($1) order by post_id, user_id`

	const mentions = `
		select distinct post_id, user_id, by_id from mentions where post_id = any($1) order by post_id, user_id, by_id`

	facts := make(map[PostID]*Facts, len(ids))
	timelines := make(map[TimelineID]Timeline)
	if len(ids) == 0 {
		return facts, timelines, nil
	}
	var batch pgx.Batch
	batch.Queue(posts, ids).Query(func(rows pgx.Rows) error {
		var f Facts
		_, err := pgx.ForEachRow(rows, []any{&f.ID, &f.Version, &f.Author, &f.FreshAt, &f.Deleted, &f.Places, &f.Comments}, func() error {
			one := f
			facts[f.ID] = &one
			f.Places = nil
			return nil
		})
		return err
	})
	batch.Queue(entries, ids).Query(func(rows pgx.Rows) error {
		var post PostID
		var entered, rank int64
		var t Timeline
		_, err := pgx.ForEachRow(rows, []any{&post, &entered, &rank, &t.ID, &t.What, &t.TheirID, &t.Access}, func() error {
			f := facts[post]
			if f == nil {
				return nil
			}
			timelines[t.ID] = t
			f.In, f.Entered = append(f.In, t.ID), append(f.Entered, entered)
			if rank != 0 {
				f.Ranks = append(f.Ranks, make([]int64, len(f.In)-1-len(f.Ranks))...)
				f.Ranks = append(f.Ranks, rank)
			}
			switch t.What {
			case WhatUserLikes:
				f.Likers = append(f.Likers, UserID(t.TheirID))
			case WhatUserComments:
				f.Commenters = append(f.Commenters, UserID(t.TheirID))
			case WhatUserFavs:
				f.FavedBy = append(f.FavedBy, UserID(t.TheirID))
			}
			return nil
		})
		return err
	})
	batch.Queue(withheld, ids).Query(func(rows pgx.Rows) error {
		var post PostID
		var user UserID
		var what What
		_, err := pgx.ForEachRow(rows, []any{&post, &user, &what}, func() error {
			f := facts[post]
			if f == nil {
				return nil
			}
			people := map[What]*[]UserID{WhatUserLikes: &f.Likers, WhatUserComments: &f.Commenters, WhatUserFavs: &f.FavedBy}[what]
			*people = slices.DeleteFunc(*people, func(u UserID) bool { return u == user })
			return nil
		})
		return err
	})
	batch.Queue(clikers, ids).Query(func(rows pgx.Rows) error {
		var post PostID
		var user UserID
		_, err := pgx.ForEachRow(rows, []any{&post, &user}, func() error {
			if f := facts[post]; f != nil {
				f.CommentLikers = append(f.CommentLikers, user)
			}
			return nil
		})
		return err
	})
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
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, nil, err
	}
	for _, f := range facts {
		if f.Ranks != nil {
			f.Ranks = append(f.Ranks, make([]int64, len(f.In)-len(f.Ranks))...)
		}
		slices.Sort(f.Likers)
		slices.Sort(f.Commenters)
		slices.Sort(f.FavedBy)
	}
	return facts, timelines, nil
}

// readAccessFacts reads only the facts that the visibility rule looks at.
func readAccessFacts(ctx context.Context, q primary.Querier, ids []PostID) (map[PostID]AccessFacts, map[TimelineID]Timeline, error) {
	const query = `
		select p.id, p.user_id, ` + postGone + `, p.places, t.id, t.what, t.their_id, t.access
		from posts p join users u on u.id = p.user_id left join timelines t on t.id = any(p.places)
		where p.id = any($1)`
	deciding := make(map[PostID]AccessFacts, len(ids))
	timelines := make(map[TimelineID]Timeline)
	rows, err := q.Query(ctx, query, ids)
	if err != nil {
		return nil, nil, err
	}
	var (
		post   PostID
		d      AccessFacts
		id     *TimelineID
		what   *What
		their  *int64
		access *Access
	)
	_, err = pgx.ForEachRow(rows, []any{&post, &d.Author, &d.Deleted, &d.Places, &id, &what, &their, &access}, func() error {
		deciding[post] = d
		d.Places = nil
		if id != nil {
			timelines[*id] = Timeline{*id, *what, *their, *access}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return deciding, timelines, nil
}
