package timeline

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// withholdChunk works off one chunk of a job, toward what the person's row says: of a suspended person it withholds the rows
// that pages still show. After a suspension it first withholds the rest, then ends the closing of the person's
// timelines, and shows all rows again. withholdChunk reports whether it found anything to do.
//
// The detour is needed because a node may or may not have taken a post out of its rivers while the account was
// withheld. After the first pass each node has, since a change told of each post; then a second change brings each
// post back.
//
// A post, a comment, a like, a favourite, a like of a comment and a mention are withheld by their column withheld. The
// counts and the freshness of posts are those of the rows that are not withheld. Entries of timelines stay: the rule of
// each page decides about them.
func (s *Store) withholdChunk(ctx context.Context, tx *txn, j *accountJob) (some bool, err error) {
	const lock = `select withheld, suspended_at is not null, status = 'deleted' from users where id = $1 for no key update`
	var withheld, suspended, deleted bool
	if err := tx.QueryRow(ctx, lock, j.user).Scan(&withheld, &suspended, &deleted); err != nil || deleted {
		return false, err // of a deleted account another job erases all rows, also those that are withheld
	}
	if suspended && !withheld { // an import brought the account
		return true, tx.setWithheld(ctx, j.user, true)
	}
	if withheld {
		tx.Revokes()
	}
	for ; j.step < len(withholdSteps); j.step++ {
		if some, err = withholdSteps[j.step](ctx, tx, j.user, withheld); some || err != nil {
			return some, err
		}
	}
	if withheld && !suspended {
		j.step = 0
		return true, tx.setWithheld(ctx, j.user, false)
	}
	return false, nil
}

// withholdSteps withhold rows of a person, each of one kind, or show them again. Each reports whether it found rows.
var withholdSteps = []func(ctx context.Context, tx *txn, user UserID, withheld bool) (some bool, err error){
	endPending, withholdPosts, withholdComments, withholdLikes, withholdFavs, withholdCommentLikes,
}

// endPending deletes pending requests and invitations of a suspended person, up to a hundred of a kind.
func endPending(ctx context.Context, tx *txn, user UserID, withheld bool) (some bool, err error) {
	if !withheld {
		return false, nil
	}
	for _, query := range pendingRows() {
		if some, err = tx.eraseRows(ctx, query, user); some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// withholdPosts withholds up to a hundred posts of the person, or shows them again.
func withholdPosts(ctx context.Context, tx *txn, user UserID, withheld bool) (bool, error) {
	const some = `
		select id from posts where user_id = $1 and deleted_at is null and withheld <> $2 order by id limit 100 for no key update`
	const update = `update posts set withheld = $2, version = version + 1 where id = any($1)`
	const entries = `select post_id, timeline_id from timeline_entries where post_id = any($1)`
	var posts []PostID
	if err := primary.Read(ctx, tx, &posts, some, user, withheld); err != nil || len(posts) == 0 {
		return false, err
	}
	var b pgx.Batch
	in := make(map[PostID][]TimelineID, len(posts))
	b.Queue(update, posts, withheld)
	b.Queue(entries, posts).Query(collectLeft(in))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range posts {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: in[post], PlaceChanged: true, TextChanged: true})
	}
	return true, nil
}

// withholdComments withholds up to 500 comments of the person, on up to a hundred posts, or shows them again. Afterwards
// each post is as fresh as its comments that are shown make it.
func withholdComments(ctx context.Context, tx *txn, user UserID, withheld bool) (bool, error) {
	const some = `select post_id, id from all_comments where user_id = $1 and withheld <> $2 order by post_id limit 500`
	const update = `
		with changed as (
			update all_comments set withheld = $2 where id = any($1) and withheld <> $2 returning post_id
		)
		select post_id, count(*)::int from changed group by 1`
	const named = `
		with changed as (
			update all_mentions set withheld = $2 where comment_id = any($1) and withheld <> $2 returning post_id, user_id
		)
		select distinct c.post_id, t.id from changed c join timelines t on t.what = 'mentions' and t.their_id = c.user_id`
	const count = `
		update posts p set
			version = version + 1, comments_version = comments_version + 1,
			comments_count = comments_count + case when $3 then -changed.n else changed.n end,
			fresh_at = (extract(epoch from coalesce(
				(select max(created_at) from comments where post_id = p.id and bumps), published_at)) * 1000)::bigint
		from unnest($1::bigint[], $2::int[]) changed(post_id, n)
		where p.id = changed.post_id
		returning p.id, p.fresh_at`
	posts, comments, err := readComments(ctx, tx, some, user, withheld)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	fresh, err := lockPosts(ctx, tx, posts)
	if err != nil {
		return false, err
	}
	var b pgx.Batch
	changed := make(map[PostID]int)
	mentioning := make(map[PostID][]TimelineID)
	b.Queue(update, comments, withheld).Query(primary.CollectMap(changed))
	b.Queue(named, comments, withheld).Query(collectLeft(mentioning))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	posts = slices.Sorted(maps.Keys(changed))
	counts := make([]int, len(posts))
	for i, post := range posts {
		counts[i] = changed[post]
	}
	now := make(map[PostID]int64)
	b = pgx.Batch{}
	b.Queue(count, posts, counts, withheld).Query(primary.CollectMap(now))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	b = pgx.Batch{}
	for _, post := range posts {
		if now[post] != fresh[post] {
			e := postBatch{post: post}
			e.syncFreshness()
			b.QueuedQueries = append(b.QueuedQueries, e.QueuedQueries...)
		}
	}
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	for _, post := range posts {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: mentioning[post], PlaceChanged: now[post] != fresh[post], TextChanged: true})
	}
	return true, nil
}

// withholdLikes withholds likes that the person gave posts, or shows them again.
func withholdLikes(ctx context.Context, tx *txn, user UserID, withheld bool) (bool, error) {
	const some = `select post_id from all_likes where user_id = $1 and withheld <> $2 limit 100`
	const update = `
		with changed as (
			update all_likes set withheld = $3 where user_id = $1 and post_id = any($2) and withheld <> $3 returning post_id
		)
		update posts p set version = version + 1, likes_count = likes_count + case when $3 then -1 else 1 end
		from changed where p.id = changed.post_id
		returning p.id`
	return withholdReactions(ctx, tx, user, withheld, some, update)
}

// withholdFavs withholds favourites of the person, or shows them again.
func withholdFavs(ctx context.Context, tx *txn, user UserID, withheld bool) (bool, error) {
	const some = `select post_id from all_favs where user_id = $1 and withheld <> $2 limit 100`
	const update = `
		with changed as (
			update all_favs set withheld = $3 where user_id = $1 and post_id = any($2) and withheld <> $3 returning post_id
		)
		update posts p set version = version + 1, favs_count = favs_count + case when $3 then -1 else 1 end
		from changed where p.id = changed.post_id
		returning p.id`
	return withholdReactions(ctx, tx, user, withheld, some, update)
}

// withholdReactions withholds the person's likes or favourites of up to a hundred posts, or shows them again. The query
// some finds the posts. The query update withholds or shows the reactions of the person $1 to the posts $2, and returns
// the posts that had one.
func withholdReactions(ctx context.Context, tx *txn, user UserID, withheld bool, some, update string) (bool, error) {
	posts, err := readAndLock(ctx, tx, some, user, withheld)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	var changed []PostID
	if err := primary.Read(ctx, tx, &changed, update, user, posts, withheld); err != nil {
		return false, err
	}
	for _, post := range changed {
		tx.Note(Change{Kind: ChangePost, Post: post})
	}
	return true, nil
}

// withholdCommentLikes withholds likes that the person gave comments, a hundred at a time, or shows them again.
func withholdCommentLikes(ctx context.Context, tx *txn, user UserID, withheld bool) (bool, error) {
	const some = `
		select post_id, comment_id from all_comment_likes where user_id = $1 and withheld <> $2 order by post_id limit 100`
	const update = `
		with changed as (
			update all_comment_likes set withheld = $3 where user_id = $1 and comment_id = any($2) and withheld <> $3 returning comment_id
		)
		update all_comments c set likes_count = likes_count + case when $3 then -1 else 1 end
		from changed where c.id = changed.comment_id
		returning c.post_id`
	const raise = `
		update posts set version = version + 1, comments_version = comments_version + 1 where id = any($1)`
	posts, comments, err := readComments(ctx, tx, some, user, withheld)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	if _, err := lockPosts(ctx, tx, posts); err != nil {
		return false, err
	}
	var changed []PostID
	if err := primary.Read(ctx, tx, &changed, update, user, comments, withheld); err != nil {
		return false, err
	}
	slices.Sort(changed)
	changed = slices.Compact(changed)
	if _, err := tx.Exec(ctx, raise, changed); err != nil {
		return false, err
	}
	for _, post := range changed {
		tx.Note(Change{Kind: ChangePost, Post: post})
	}
	return true, nil
}
