package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// takeNotices takes away what the person was told, and what others were told of
// him, which nobody has been shown since.
func takeNotices(ctx context.Context, tx *txn, j *job) (bool, error) {
	const query = `
		delete from notices where id in (
			(select id from notices where user_id = $1 limit 50) union all (select id from notices where by_id = $1 limit 50))
		returning user_id`
	noted := len(tx.Noted())
	err := tx.noteNotices(ctx, query, j.user)
	return len(tx.Noted()) > noted, err
}

// takeComments takes away comments of the person's on the posts of others, which
// are as fresh afterwards as they were without them.
func takeComments(ctx context.Context, tx *txn, j *job) (bool, error) {
	const some = `select post_id, id from comments where user_id = $1 order by post_id limit 500`
	const files = `delete from attachments where comment_id = any($1)`
	const remove = `delete from comments where id = any($1) returning post_id`
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
			and not exists (select from comments c where c.post_id = e.post_id and c.user_id = $2)
		returning e.post_id, e.timeline_id`
	// Whom nothing else names in the post leaves it, too.
	const unname = `
		with unnamed as (
			delete from mentions where comment_id = any($1) returning post_id, user_id
		), gone as (
			delete from timeline_entries e using timelines t, unnamed u
			where t.what = 'mentions' and t.their_id = u.user_id and e.timeline_id = t.id and e.post_id = u.post_id and not exists (
				select from mentions m
				where m.post_id = u.post_id and m.user_id = u.user_id and (m.comment_id is null or m.comment_id <> all($1)))
			returning e.post_id, e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select post_id, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select post_id, timeline_id from gone`
	// They are less fresh now, so no timeline's latest_at has to rise.
	const entries = `update timeline_entries set fresh_at = $2 where post_id = $1 and fresh_at <> $2`

	var (
		posts    []PostID
		comments []CommentID
		post     PostID
		comment  CommentID
	)
	rows, err := tx.Query(ctx, some, j.user)
	if err != nil {
		return false, err
	}
	_, err = pgx.ForEachRow(rows, []any{&post, &comment}, func() error {
		if n := len(posts); n == 0 || posts[n-1] != post {
			if n == 100 {
				return nil
			}
			posts = append(posts, post)
		}
		comments = append(comments, comment)
		return nil
	})
	if err != nil || len(posts) == 0 {
		return false, err
	}
	fresh, err := lockPosts(ctx, tx, posts)
	if err != nil {
		return false, err
	}
	var b pgx.Batch
	counts := make(map[PostID]int)
	from := make(map[PostID][]TimelineID)
	b.Queue(unname, comments).Query(left(from))
	b.Queue(files, comments)
	b.Queue(remove, comments).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&post}, func() error { counts[post]++; return nil })
		return err
	})
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	// Somebody else may have deleted some meanwhile.
	posts = slices.DeleteFunc(posts, func(post PostID) bool { return counts[post] == 0 })
	gone := make([]int, len(posts))
	for i, post := range posts {
		gone[i] = counts[post]
	}
	var (
		moved = make(map[PostID]int64)
		at    int64
	)
	b = pgx.Batch{}
	b.Queue(update, posts, gone).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&post, &at}, func() error {
			if at != fresh[post] {
				moved[post] = at
			}
			return nil
		})
		return err
	})
	b.Queue(leave, posts, j.user).Query(left(from))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	b = pgx.Batch{}
	for post, at := range moved {
		b.Queue(entries, post, at)
	}
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range posts {
		_, is := moved[post]
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: from[post], Moved: is, Worded: true})
	}
	return true, nil
}

// takeLikes takes likes of the person's back.
func takeLikes(ctx context.Context, tx *txn, j *job) (bool, error) {
	const some = `select post_id from likes where user_id = $1 limit 100`
	const take = `
		with gone as (delete from likes where user_id = $1 and post_id = any($2) returning post_id)
		update posts p set version = version + 1, likes_count = likes_count - 1 from gone where p.id = gone.post_id
		returning p.id`
	return takeMarks(ctx, tx, j.user, WhatUserLikes, some, take)
}

// takeFavs takes favourites of the person's back.
func takeFavs(ctx context.Context, tx *txn, j *job) (bool, error) {
	const some = `select post_id from favs where user_id = $1 limit 100`
	const take = `
		with gone as (delete from favs where user_id = $1 and post_id = any($2) returning post_id)
		update posts p set version = version + 1, favs_count = favs_count - 1 from gone where p.id = gone.post_id
		returning p.id`
	return takeMarks(ctx, tx, j.user, WhatUserFavs, some, take)
}

func takeMarks(ctx context.Context, tx *txn, user UserID, what What, some, take string) (bool, error) {
	const leave = `
		delete from timeline_entries e using timelines t
		where t.what = $3 and t.their_id = $1 and e.timeline_id = t.id and e.post_id = any($2)
		returning e.post_id, e.timeline_id`
	var posts []PostID
	if err := primary.Read(ctx, tx, &posts, some, user); err != nil || len(posts) == 0 {
		return false, err
	}
	if _, err := lockPosts(ctx, tx, posts); err != nil {
		return false, err
	}
	var b pgx.Batch
	var changed []PostID
	from := make(map[PostID][]TimelineID)
	b.Queue(take, user, posts).Query(primary.Collect(&changed))
	b.Queue(leave, user, posts, what).Query(left(from))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range changed {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: from[post]})
	}
	return true, nil
}

// takeCommentLikes takes likes of the person's on comments back.
func takeCommentLikes(ctx context.Context, tx *txn, j *job) (bool, error) {
	const some = `select post_id, comment_id from comment_likes where user_id = $1 limit 100`
	const take = `
		with gone as (delete from comment_likes where user_id = $1 and comment_id = any($2) returning comment_id)
		update comments c set likes_count = likes_count - 1 from gone where c.id = gone.comment_id
		returning c.post_id`
	const update = `
		update posts set version = version + 1, comments_version = comments_version + 1 where id = any($1)`
	var (
		posts    []PostID
		comments []CommentID
		post     PostID
		comment  CommentID
	)
	rows, err := tx.Query(ctx, some, j.user)
	if err != nil {
		return false, err
	}
	_, err = pgx.ForEachRow(rows, []any{&post, &comment}, func() error {
		posts, comments = append(posts, post), append(comments, comment)
		return nil
	})
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

// takePlaces takes posts of others out of the person's timelines: what was sent
// to him, who is one of its recipients no longer, and what names him.
func takePlaces(ctx context.Context, tx *txn, j *job) (bool, error) {
	// All other timelines of his have nothing any more.
	const his = `their_id = $1 and what in ('user_directs', 'mentions')`
	const some = `
		select e.post_id from timelines t join timeline_entries e on e.timeline_id = t.id where ` + his + ` limit 100`
	const leave = `
		delete from timeline_entries e using timelines t
		where ` + his + ` and e.timeline_id = t.id and e.post_id = any($2)
		returning e.post_id, e.timeline_id`
	const update = `
		update posts set
			version = version + 1,
			places = array(
				select place from unnest(places) place where place not in (select id from timelines where ` + his + `) order by place)
		where id = any($2) and places && array(select id from timelines where ` + his + `)
		returning id`
	const unname = `delete from mentions where user_id = $1 and post_id = any($2)`
	var posts []PostID
	if err := primary.Read(ctx, tx, &posts, some, j.user); err != nil || len(posts) == 0 {
		return false, err
	}
	if _, err := lockPosts(ctx, tx, posts); err != nil {
		return false, err
	}
	var b pgx.Batch
	var moved []PostID
	from := make(map[PostID][]TimelineID)
	b.Queue(unname, j.user, posts)
	b.Queue(leave, j.user, posts).Query(left(from))
	b.Queue(update, j.user, posts).Query(primary.Collect(&moved))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for post, timelines := range from {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: timelines, Moved: slices.Contains(moved, post)})
	}
	return true, nil
}
