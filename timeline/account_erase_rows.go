package timeline

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// eraseNotices deletes the notices that the deleted person got, and the notices that others got of
// the person's actions. Pages have shown neither since the account was deleted.
func eraseNotices(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const query = `
		delete from notices where id in (
			(select id from notices where user_id = $1 limit 50) union all (select id from notices where by_id = $1 limit 50))
		returning user_id`
	noted := len(tx.Noted())
	err := tx.noteNotices(ctx, query, j.user)
	return len(tx.Noted()) > noted, err
}

// eraseComments deletes up to 500 comments of the person, on up to a hundred posts. Afterwards
// each post is as fresh as if the comments had never been written.
func eraseComments(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const some = `select post_id, id from all_comments where user_id = $1 order by post_id limit 500`
	const files = `delete from attachments where comment_id = any($1)`
	const remove = `delete from all_comments where id = any($1) returning post_id, case when withheld then 0 else 1 end`
	const update = `
		update posts p set
			version = version + 1, comments_version = comments_version + 1, comments_count = comments_count - gone.n,
			fresh_at = (extract(epoch from coalesce(
				(select max(created_at) from comments where post_id = p.id and bumps), published_at)) * 1000)::bigint
		from unnest($1::bigint[], $2::int[]) gone(post_id, n)
		where p.id = gone.post_id
		returning p.id, p.fresh_at`
	const leave = `
		delete from timeline_entries e using timelines t, posts p
		where t.their_id = $2 and (t.what = 'user_comments' or t.what = 'user_discussions' and p.user_id <> $2)
			and e.timeline_id = t.id and p.id = any($1) and e.post_id = p.id
			and not exists (select from all_comments c where c.post_id = e.post_id and c.user_id = $2)
		returning e.post_id, e.timeline_id`
	// If no other text of the post mentions a person, the post leaves that person's mentions.
	const unname = `
		with unnamed as (
			delete from all_mentions where comment_id = any($1) returning post_id, user_id
		), gone as (
			delete from timeline_entries e using timelines t, unnamed u
			where t.what = 'mentions' and t.their_id = u.user_id and e.timeline_id = t.id and e.post_id = u.post_id and not exists (
				select from all_mentions m
				where m.post_id = u.post_id and m.user_id = u.user_id and (m.comment_id is null or m.comment_id <> all($1)))
			returning e.post_id, e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select post_id, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select post_id, timeline_id from gone`
	// The posts become less fresh, so latest_at of no timeline has to rise.
	const entries = `update timeline_entries set fresh_at = $2 where post_id = $1 and fresh_at <> $2`

	posts, comments, err := readComments(ctx, tx, some, j.user)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	fresh, err := lockPosts(ctx, tx, posts)
	if err != nil {
		return false, err
	}
	var b pgx.Batch
	counts := make(map[PostID]int) // the posts with a removed comment, and how many of these comments counted
	from := make(map[PostID][]TimelineID)
	b.Queue(unname, comments).Query(collectLeft(from))
	b.Queue(files, comments)
	b.Queue(remove, comments).Query(func(rows pgx.Rows) error {
		var post PostID
		var counted int
		_, err := pgx.ForEachRow(rows, []any{&post, &counted}, func() error {
			counts[post] += counted
			return nil
		})
		return err
	})
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	// Another transaction may have deleted some comments before the posts were locked.
	posts = slices.DeleteFunc(posts, func(post PostID) bool { _, removed := counts[post]; return !removed })
	removed := make([]int, len(posts))
	for i, post := range posts {
		removed[i] = counts[post]
	}
	moved := make(map[PostID]int64) // the freshness of each post now; below, of the posts that became less fresh
	b = pgx.Batch{}
	b.Queue(update, posts, removed).Query(primary.CollectMap(moved))
	b.Queue(leave, posts, j.user).Query(collectLeft(from))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	maps.DeleteFunc(moved, func(post PostID, freshAt int64) bool { return freshAt == fresh[post] })
	b = pgx.Batch{}
	for post, freshAt := range moved {
		b.Queue(entries, post, freshAt)
	}
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range posts {
		_, ok := moved[post]
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: from[post], PlaceChanged: ok, TextChanged: true})
	}
	return true, nil
}

// readComments runs a query with the columns post and comment, and returns the two columns. If
// rows of one post follow each other, readComments returns the post once. It leaves out all rows
// after those of the hundredth post.
func readComments(ctx context.Context, tx *txn, query string, args ...any) (posts []PostID, comments []CommentID, err error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	type row struct {
		Post    PostID
		Comment CommentID
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	for _, r := range found {
		if n := len(posts); n == 0 || posts[n-1] != r.Post {
			if n == 100 {
				break
			}
			posts = append(posts, r.Post)
		}
		comments = append(comments, r.Comment)
	}
	return posts, comments, err
}

// eraseLikes deletes likes that the person gave posts.
func eraseLikes(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const some = `select post_id from all_likes where user_id = $1 limit 100`
	const take = `
		with gone as (delete from all_likes where user_id = $1 and post_id = any($2) returning post_id, withheld)
		update posts p set version = version + 1, likes_count = likes_count - case when gone.withheld then 0 else 1 end from gone where p.id = gone.post_id
		returning p.id`
	return eraseReactions(ctx, tx, j.user, WhatUserLikes, some, take)
}

// eraseFavs deletes favourites of the person.
func eraseFavs(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const some = `select post_id from all_favs where user_id = $1 limit 100`
	const take = `
		with gone as (delete from all_favs where user_id = $1 and post_id = any($2) returning post_id, withheld)
		update posts p set version = version + 1, favs_count = favs_count - case when gone.withheld then 0 else 1 end from gone where p.id = gone.post_id
		returning p.id`
	return eraseReactions(ctx, tx, j.user, WhatUserFavs, some, take)
}

// readAndLock runs a query that finds posts, locks the posts, and returns them.
func readAndLock(ctx context.Context, tx *txn, query string, args ...any) (posts []PostID, err error) {
	if err = primary.Read(ctx, tx, &posts, query, args...); err == nil && len(posts) > 0 {
		_, err = lockPosts(ctx, tx, posts)
	}
	return posts, err
}

// eraseReactions deletes the person's likes or favourites of up to a hundred posts. The query some
// finds the posts. The query take deletes the reactions of the person $1 to the posts $2, and
// returns the posts that had one. The posts leave the person's timeline of the kind what.
func eraseReactions(ctx context.Context, tx *txn, user UserID, what What, some, take string) (bool, error) {
	const leave = `
		delete from timeline_entries e using timelines t
		where t.what = $3 and t.their_id = $1 and e.timeline_id = t.id and e.post_id = any($2)
		returning e.post_id, e.timeline_id`
	posts, err := readAndLock(ctx, tx, some, user)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	var b pgx.Batch
	var changed []PostID
	from := make(map[PostID][]TimelineID)
	b.Queue(take, user, posts).Query(primary.Collect(&changed))
	b.Queue(leave, user, posts, what).Query(collectLeft(from))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range changed {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: from[post]})
	}
	return true, nil
}

// eraseCommentLikes deletes likes that the person gave comments, a hundred at a time.
func eraseCommentLikes(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const some = `select post_id, comment_id from all_comment_likes where user_id = $1 limit 100`
	const take = `
		with gone as (delete from all_comment_likes where user_id = $1 and comment_id = any($2) returning comment_id, withheld)
		update all_comments c set likes_count = likes_count - case when gone.withheld then 0 else 1 end from gone where c.id = gone.comment_id
		returning c.post_id`
	const update = `
		update posts set version = version + 1, comments_version = comments_version + 1 where id = any($1)`
	posts, comments, err := readComments(ctx, tx, some, j.user)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	if _, err := lockPosts(ctx, tx, posts); err != nil {
		return false, err
	}
	var changed []PostID
	if err := primary.Read(ctx, tx, &changed, take, j.user, comments); err != nil {
		return false, err
	}
	slices.Sort(changed)
	changed = slices.Compact(changed)
	if _, err := tx.Exec(ctx, update, changed); err != nil {
		return false, err
	}
	for _, post := range changed {
		tx.Note(Change{Kind: ChangePost, Post: post})
	}
	return true, nil
}

// eraseEntries takes up to a hundred posts of other people out of the person's timelines: direct
// messages, which lose the person as a recipient, and posts that mention the person.
func eraseEntries(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	// The earlier steps have emptied the person's other timelines.
	const filled = `their_id = $1 and what in ('user_directs', 'mentions')`
	const some = `
		select e.post_id from timelines t join timeline_entries e on e.timeline_id = t.id where ` + filled + ` limit 100`
	const leave = `
		delete from timeline_entries e using timelines t
		where ` + filled + ` and e.timeline_id = t.id and e.post_id = any($2)
		returning e.post_id, e.timeline_id`
	const update = `
		update posts set
			version = version + 1,
			places = array(
				select place from unnest(places) place where place not in (select id from timelines where ` + filled + `) order by place)
		where id = any($2) and places && array(select id from timelines where ` + filled + `)
		returning id`
	const unname = `delete from all_mentions where user_id = $1 and post_id = any($2)`
	posts, err := readAndLock(ctx, tx, some, j.user)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	var b pgx.Batch
	var moved []PostID
	from := make(map[PostID][]TimelineID)
	b.Queue(unname, j.user, posts)
	b.Queue(leave, j.user, posts).Query(collectLeft(from))
	b.Queue(update, j.user, posts).Query(primary.Collect(&moved))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for post, timelines := range from {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: timelines, PlaceChanged: slices.Contains(moved, post)})
	}
	return true, nil
}
