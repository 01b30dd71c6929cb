package importer

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// write writes all pending rows, one table after the other, in the lock order of all
// writers.
func (t *batchTx) write(ctx context.Context) error {
	// If PostgreSQL made a plan for each check of a foreign key, the import would take twice as long.
	const plans = `set local plan_cache_mode = auto`
	if _, err := t.tx.Exec(ctx, plans); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		t.writePosts, t.touchPosts, t.writeActs, t.writeWords, t.writeEntries, t.raiseLatest, t.writeFollowing, t.writeFiles, t.writePictures, t.writeExtras, t.writeImported,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if t.report.New() == 0 {
		return nil // no page has changed
	}
	return t.renewLog(ctx)
}

// renewLog sets a new uuid of the log, so that each node starts over, because the primary has changed
// without rows in the change log. It comes last, because it locks the head of the log until the
// transaction ends, and no change gets a position meanwhile.
func (t *batchTx) renewLog(ctx context.Context) error {
	const bell = `select pg_notify('amstel', '')`
	const renew = `update log_head set uuid = gen_random_uuid()`
	var b pgx.Batch
	b.Queue(bell)
	b.Queue(renew)
	return t.tx.SendBatch(ctx, &b).Close()
}

// copyTo copies rows into a table, with the column values that values returns for each.
func copyTo[T any](ctx context.Context, tx pgx.Tx, table string, columns []string, rows []T, values func(T) []any) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		return values(rows[i]), nil
	}))
	return err
}

func (t *batchTx) writePosts(ctx context.Context) error {
	columns := []string{
		"id", "user_id", "text", "version", "comments_version", "places", "published_at", "updated_at", "fresh_at",
		"comments_count", "likes_count", "lang", "favs_count", "comments_disabled", "nsfw", "linebreaks", "lang_given", "platform", "link_preview",
	}
	return copyTo(ctx, t.tx, "posts", columns, t.pending.posts, func(p *post) []any {
		version := 1 + p.newComments + p.newLikes + p.newCommentLikes
		l, updated := p.line, p.at
		if at := l.time("updated_at"); at != nil {
			updated = *at
		}
		return []any{
			p.id, p.author, l.text, version + p.newFavs, p.newComments + p.newCommentLikes, p.places, p.at, updated, p.freshAt,
			p.newComments, p.newLikes, p.lang, p.newFavs, l.flag("comments_disabled", false), l.flag("nsfw", false), l.flag("linebreaks", true),
			l.flag("lang_given", false), l.prose("platform"), l.flag("link_preview", true),
		}
	})
}

// touchPosts updates the counts and versions of existing posts and comments.
func (t *batchTx) touchPosts(ctx context.Context) error {
	const posts = `
		update posts p set
			version = p.version + k.comments + k.likes + k.comment_likes + k.favs,
			comments_version = p.comments_version + k.comments + k.comment_likes,
			comments_count = p.comments_count + k.comments,
			likes_count = p.likes_count + k.likes,
			favs_count = p.favs_count + k.favs,
			fresh_at = k.fresh_at
		from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::int[]) k(id, comments, likes, comment_likes, fresh_at, favs)
		where p.id = k.id`
	const comments = `
		update all_comments c set likes_count = c.likes_count + k.likes
		from unnest($1::bigint[], $2::int[]) k(id, likes)
		where c.id = k.id`
	var (
		ids                       []timeline.PostID
		added, liked, commentLike []int
		favs                      []int
		freshAt                   []int64
		commentIDs                []timeline.CommentID
		commentLikes              []int
	)
	for _, p := range t.pending.touched {
		ids, freshAt = append(ids, p.id), append(freshAt, p.freshAt)
		added, liked, commentLike = append(added, p.newComments), append(liked, p.newLikes), append(commentLike, p.newCommentLikes)
		favs = append(favs, p.newFavs)
	}
	for _, c := range t.pending.touchedComments {
		commentIDs, commentLikes = append(commentIDs, c.id), append(commentLikes, c.newLikes)
	}
	var b pgx.Batch
	if len(ids) > 0 {
		b.Queue(posts, ids, added, liked, commentLike, freshAt, favs)
	}
	if len(commentIDs) > 0 {
		b.Queue(comments, commentIDs, commentLikes)
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// writeActs inserts comments and likes.
func (t *batchTx) writeActs(ctx context.Context) error {
	o := &t.pending
	if err := t.writeComments(ctx); err != nil {
		return err
	}
	err := copyTo(ctx, t.tx, "all_likes", []string{"post_id", "user_id", "created_at"}, o.likes,
		func(l timed[postLike]) []any { return []any{l.what.post, l.what.user, l.at} })
	if err != nil {
		return err
	}
	err = copyTo(ctx, t.tx, "all_favs", []string{"post_id", "user_id", "created_at"}, o.favs,
		func(l timed[postLike]) []any { return []any{l.what.post, l.what.user, l.at} })
	if err != nil {
		return err
	}
	return copyTo(ctx, t.tx, "all_comment_likes", []string{"comment_id", "user_id", "post_id", "created_at"}, o.commentLikes,
		func(l commentLiked) []any { return []any{l.comment, l.user, l.post, l.at} })
}

// writeFollowing inserts subscriptions and bans. It deletes the subscriptions, requests and
// invitations that the bans end, and the requests and invitations that the subscriptions answer.
func (t *batchTx) writeFollowing(ctx context.Context) error {
	const bans = `
		insert into bans (user_id, target_id, created_at)
		select k.user_id, k.target_id, k.at from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) k(user_id, target_id, at)
		on conflict do nothing`
	const unfollow = `
		delete from subscriptions s using unnest($1::bigint[], $2::bigint[]) k(user_id, timeline_id)
		where s.user_id = k.user_id and s.timeline_id = k.timeline_id`
	const follow = `
		insert into subscriptions (user_id, timeline_id, created_at, since)
		select k.user_id, k.timeline_id, k.at, (extract(epoch from k.since) * 1000)::bigint
		from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[]) k(user_id, timeline_id, at, since)
		on conflict do nothing`
	const answered = `
		delete from subscription_requests r using unnest($1::bigint[], $2::bigint[]) k(user_id, timeline_id)
		where r.user_id = k.user_id and r.timeline_id = k.timeline_id`
	const accepted = `
		delete from invitations i using unnest($1::bigint[], $2::bigint[]) k(user_id, timeline_id)
		where i.user_id = k.user_id and i.timeline_id = k.timeline_id`
	var b pgx.Batch
	if o := &t.pending; len(o.bans) > 0 {
		var users, targets []timeline.UserID
		var times []time.Time
		for people, at := range o.bans {
			users, targets, times = append(users, people[0]), append(targets, people[1]), append(times, at)
		}
		b.Queue(bans, users, targets, times)
	}
	var users []timeline.UserID
	var timelines []timeline.TimelineID
	for p := range t.pending.ended {
		users, timelines = append(users, p.user), append(timelines, p.timeline)
	}
	if len(users) > 0 {
		b.Queue(unfollow, users, timelines)
		b.Queue(answered, users, timelines)
		b.Queue(accepted, users, timelines)
	}
	users, timelines = nil, nil
	var times []time.Time
	var since []*time.Time
	for p, f := range t.pending.follows {
		users, timelines, times, since = append(users, p.user), append(timelines, p.timeline), append(times, f.at), append(since, f.since)
	}
	if len(users) > 0 {
		b.Queue(follow, users, timelines, times, since)
		b.Queue(answered, users, timelines)
		b.Queue(accepted, users, timelines)
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// writeImported records the lines as imported.
func (t *batchTx) writeImported(ctx context.Context) error {
	return copyTo(ctx, t.tx, "imported", []string{"source", "external_id", "what", "their_id"}, t.pending.imported,
		func(r importedRow) []any { return []any{t.source, r.external, r.what, r.theirID} })
}
