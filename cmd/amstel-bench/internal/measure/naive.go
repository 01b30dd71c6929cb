package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// A naivePost is a post as the naive page shows it.
type naivePost struct {
	ID            timeline.PostID
	Text          string
	PublishedAt   time.Time
	Author        string
	AuthorDisplay string
	Avatar        string
	Likes         int
	Comments      int
	Liked         bool
}

// naiveComment is a comment on one of the posts.
type naiveComment struct {
	ID        timeline.CommentID
	Post      timeline.PostID
	Text      string
	CreatedAt time.Time
	Author    string
	Display   string
}

// naiveLike is a like of one of the posts.
type naiveLike struct {
	Post timeline.PostID
	Name string
}

// naive reads a home page as a straightforward site would, without rivers. It finds the timelines that
// feed a person's home, sorts all posts of these timelines that the person may read, takes the newest,
// and reads their comments and likes. It returns the ids of the posts.
//
// Rivers are measured against this function. Its cost grows with the number of posts in all
// these timelines, because each of the posts may be the newest.
//
// The comparison is fair to the naive page: it has the same pool and the same indexes, four prepared
// statements and stored counts, and it joins only the posts that it shows. It applies the visibility
// rule with bans and excluded people, but does not leave out posts that the person has hidden, and finds
// no reasons of entries. As for a river, each statement is planned for its own parameters.
func naive(ctx context.Context, pool *pgxpool.Pool, viewer timeline.UserID, want int) ([]timeline.PostID, error) {
	const feeds = `
		select id from timelines
		where their_id = $1 and what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'user_likes', 'user_comments')
		union
		select timeline_id from subscriptions where user_id = $1
		union
		select f.id
		from subscriptions s
		join timelines t on t.id = s.timeline_id and t.what = 'user'
		join timelines f on f.their_id = t.their_id and f.what in ('user_likes', 'user_comments')
		where s.user_id = $1`

	tx, err := naiveBegin(ctx, pool)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing was written
	rows, _ := tx.Query(ctx, feeds, viewer) // CollectRows reports its error, here and below
	timelines, err := pgx.CollectRows(rows, pgx.RowTo[timeline.TimelineID])
	if err != nil {
		return nil, fmt.Errorf("feeds: %w", err)
	}
	return naivePage(ctx, tx, naiveFeeds, viewer, timelines, want)
}

// naiveBegin begins a transaction that reads one state of the primary, and in which PostgreSQL plans
// every statement for its own parameters.
func naiveBegin(ctx context.Context, pool *pgxpool.Pool) (pgx.Tx, error) {
	const begin = `begin isolation level repeatable read read only; set local plan_cache_mode = force_custom_plan`
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return tx, nil
}

// naiveFeeds chooses the newest posts that the viewer ($1) may read of some timelines ($2), at most $3.
const naiveFeeds = `
		with chosen as (
			select p.id, e.fresh_at
			from (
				select post_id, max(fresh_at) as fresh_at
				from timeline_entries
				where timeline_id = any($2)
				group by post_id
			) e
			join posts p on p.id = e.post_id
			where p.deleted_at is null
				and not exists (
					select from bans b
					where b.user_id = $1 and b.target_id = p.user_id or b.user_id = p.user_id and b.target_id = $1)
				and (p.user_id = $1 or exists (
					select from timelines t
					where t.id = any(p.places) and (
						t.access = 'public'
						or t.access = 'protected' and $1 <> 0 and not exists (
							select from timeline_excluded x where x.timeline_id = t.id and x.user_id = $1)
						or t.access = 'private' and (t.id = any($2) or exists (
							select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id))
						or t.access = 'owner' and t.their_id = $1)))
			order by e.fresh_at desc, p.id desc
			limit $3
		)
		select p.id, p.text, p.published_at, u.name, u.display_name, u.avatar_url, p.likes_count, p.comments_count,
			exists (select from likes l where l.post_id = p.id and l.user_id = $1)
		from chosen c
		join posts p on p.id = c.id
		join users u on u.id = p.user_id
		order by c.fresh_at desc, p.id desc`

// naivePage reads a page. The query page chooses the posts; its parameters are the viewer ($1), an
// argument of the query's own ($2) and the largest number of posts ($3).
func naivePage(ctx context.Context, tx pgx.Tx, page string, viewer timeline.UserID, of any, want int) ([]timeline.PostID, error) {
	const comments = `
		select c.id, c.post_id, c.text, c.created_at, u.name, u.display_name
		from comments c join users u on u.id = c.user_id
		where c.post_id = any($1)
		order by c.post_id, c.created_at, c.id`
	const likes = `
		select l.post_id, u.name
		from likes l join users u on u.id = l.user_id
		where l.post_id = any($1)
		order by l.post_id, l.created_at`

	rows, _ := tx.Query(ctx, page, viewer, of, want) // CollectRows reports its error, here and below
	posts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[naivePost])
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	ids := make([]timeline.PostID, len(posts))
	for i := range posts {
		ids[i] = posts[i].ID
	}
	rows, _ = tx.Query(ctx, comments, ids)
	if _, err := pgx.CollectRows(rows, pgx.RowToStructByPos[naiveComment]); err != nil {
		return nil, fmt.Errorf("comments: %w", err)
	}
	rows, _ = tx.Query(ctx, likes, ids)
	if _, err := pgx.CollectRows(rows, pgx.RowToStructByPos[naiveLike]); err != nil {
		return nil, fmt.Errorf("likes: %w", err)
	}
	return ids, nil
}

// same returns an error unless the naive page and the page of a river have the same posts in the same
// order.
func same(ids, shown []timeline.PostID) error {
	if !slices.Equal(ids, shown) {
		return fmt.Errorf("the naive page has the posts %v, the river %v", ids, shown)
	}
	return nil
}
