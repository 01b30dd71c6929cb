package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// eraseChunk erases one chunk: it runs the job's steps, from the current one on, until one finds
// rows. It reports whether any step found rows.
func (s *Store) eraseChunk(ctx context.Context, tx *txn, j *accountJob) (some bool, err error) {
	steps := []func(context.Context, *txn, *accountJob) (bool, error){
		eraseNotices, s.erasePosts, eraseComments, eraseLikes, eraseFavs, eraseCommentLikes, eraseEntries,
	}
	queries := append(pendingRows(), standingRows()...)
	for ; j.step < len(steps)+len(queries); j.step++ {
		if j.step < len(steps) {
			some, err = steps[j.step](ctx, tx, j)
		} else {
			some, err = tx.eraseRows(ctx, queries[j.step-len(steps)], j.user)
		}
		if some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// erasePosts deletes up to a hundred posts of the person.
func (s *Store) erasePosts(ctx context.Context, tx *txn, j *accountJob) (bool, error) {
	const query = `
		select id from posts where user_id = $1 and deleted_at is null and id > $2 order by id limit 100 for no key update`
	var posts []PostID
	if err := primary.Read(ctx, tx, &posts, query, j.user, j.upto); err != nil || len(posts) == 0 {
		return false, err
	}
	j.upto = posts[len(posts)-1]
	return true, tx.erase(ctx, s.db.Now(), posts...)
}

// lockPosts locks posts in the order of their ids, and returns how fresh each of them is,
// in milliseconds since 1970.
func lockPosts(ctx context.Context, tx primary.Querier, posts []PostID) (fresh map[PostID]int64, err error) {
	const query = `select id, fresh_at from posts where id = any($1) order by id for no key update`
	rows, err := tx.Query(ctx, query, posts)
	if err != nil {
		return nil, err
	}
	fresh = make(map[PostID]int64, len(posts))
	return fresh, primary.CollectMap(fresh)(rows)
}

// collectLeft returns a function that reads rows of a post and a timeline, and appends the
// timeline to the post's list.
func collectLeft(to map[PostID][]TimelineID) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var post PostID
		var t TimelineID
		_, err := pgx.ForEachRow(rows, []any{&post, &t}, func() error {
			to[post] = append(to[post], t)
			return nil
		})
		return err
	}
}

// The queries below delete the rows that relate a deleted person to other people, and the rows
// that concern the person alone. $1 is the person. Each query deletes up to a hundred rows of one
// kind. If it deleted any, it returns the people whose sets change with them, or 0 for a row with
// which no other person's sets change. The limit is written into the text, because PostgreSQL's
// planner expects a tenth of the table if the limit is a parameter.

// pendingRows returns the queries that delete pending requests and invitations.
func pendingRows() []string {
	return []string{
		`with gone as (
			delete from subscription_requests
			where (user_id, timeline_id) in (select user_id, timeline_id from subscription_requests where user_id = $1 limit 100)
			returning timeline_id
		)
		select 0 from gone
		union
		select t.their_id from gone join timelines t on t.id = gone.timeline_id and t.what <> 'group'
		union
		select a.user_id from gone
		join timelines t on t.id = gone.timeline_id and t.what = 'group'
		join group_admins a on a.group_id = t.their_id`,
		`delete from subscription_requests where id in (
			select r.id from timelines t join subscription_requests r on r.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
		`delete from invitations where id in (select id from invitations where user_id = $1 limit 100) returning 0`,
		`delete from invitations where id in (select id from invitations where from_id = $1 limit 100) returning user_id`,
		`delete from invitations where id in (
			select i.id from timelines t join invitations i on i.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
	}
}

// erasePending deletes pending requests and invitations at once, a hundred of each kind. If there are more, a job erases
// the rest; meanwhile they can't be answered.
func (tx *txn) erasePending(ctx context.Context, user UserID) error {
	for _, query := range pendingRows() {
		if _, err := tx.eraseRows(ctx, query, user); err != nil {
			return err
		}
	}
	return nil
}

// standingRows returns the queries that delete all other rows, which may stay until the job
// reaches them.
func standingRows() []string {
	return []string{
		`delete from group_admins
		where (user_id, group_id) in (select user_id, group_id from group_admins where user_id = $1 limit 100)
		returning 0`,
		`delete from subscriptions
		where (user_id, timeline_id) in (select user_id, timeline_id from subscriptions where user_id = $1 limit 100)
		returning 0`,
		`delete from subscriptions where (user_id, timeline_id) in (
			select s.user_id, s.timeline_id from timelines t join subscriptions s on s.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
		`delete from timeline_excluded
		where (user_id, timeline_id) in (select user_id, timeline_id from timeline_excluded where user_id = $1 limit 100)
		returning 0`,
		`delete from timeline_excluded where (user_id, timeline_id) in (
			select x.user_id, x.timeline_id from timelines t join timeline_excluded x on x.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private', 'user_likes', 'user_comments') limit 100)
		returning user_id`,
		`delete from bans
		where (user_id, target_id) in (select user_id, target_id from bans where user_id = $1 limit 100)
		returning target_id`,
		`delete from bans
		where (user_id, target_id) in (select user_id, target_id from bans where target_id = $1 limit 100)
		returning user_id`,
		`delete from hidden_posts
		where (user_id, post_id) in (select user_id, post_id from hidden_posts where user_id = $1 limit 100)
		returning 0`,
		`delete from hidden_users
		where (user_id, target_id) in (select user_id, target_id from hidden_users where user_id = $1 limit 100)
		returning 0`,
		`delete from hidden_users
		where (user_id, target_id) in (select user_id, target_id from hidden_users where target_id = $1 limit 100)
		returning user_id`,
		`delete from list_members where (list_id, timeline_id) in (
			select m.list_id, m.timeline_id from lists l join list_members m on m.list_id = l.id where l.user_id = $1 limit 100)
		returning 0`,
		`delete from lists where id in (select id from lists where user_id = $1 limit 100) returning 0`,
		`delete from list_members m using lists l
		where l.id = m.list_id and (m.list_id, m.timeline_id) in (
			select m.list_id, m.timeline_id from timelines t join list_members m on m.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private', 'user_likes', 'user_comments') limit 100)
		returning l.user_id`,
		`delete from muted
		where (user_id, timeline_id) in (select user_id, timeline_id from muted where user_id = $1 limit 100)
		returning 0`,
		`delete from muted where (user_id, timeline_id) in (
			select m.user_id, m.timeline_id from timelines t join muted m on m.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user_likes', 'user_comments') limit 100)
		returning user_id`,
		`delete from left_off where (user_id, page) in (select user_id, page from left_off where user_id = $1 limit 100) returning 0`,
		`delete from visit_times where (user_id, week) in (select user_id, week from visit_times where user_id = $1 limit 100) returning 0`,
		`delete from saved_searches where id in (select id from saved_searches where user_id = $1 limit 100) returning 0`,
		// Texts that mentioned the person while the account was being deleted.
		`delete from all_mentions where ctid = any(array(select ctid from all_mentions where user_id = $1 limit 100)) returning 0`,
		// No post enters the person's timelines any more, so the times at which posts first entered
		// them are not needed.
		`delete from timeline_left where (post_id, timeline_id) in (
			select l.post_id, l.timeline_id from timelines t join timeline_left l on l.timeline_id = t.id
			where t.their_id = $1
				and t.what in ('user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions') limit 100)
		returning 0`,
		`delete from attachments where id in (select id from attachments where user_id = $1 limit 100) returning 0`,
		`delete from submissions
		where (user_id, uuid) in (select user_id, uuid from submissions where user_id = $1 limit 100)
		returning 0`,
		// Made while the account was being deleted; they open nothing.
		`delete from sessions
		where token_hash in (select token_hash from sessions where user_id = $1 limit 100)
		returning 0`,
		`delete from api_tokens where id in (select id from api_tokens where user_id = $1 limit 100) returning 0`,
		`delete from feed_addresses where id in (select id from feed_addresses where user_id = $1 limit 100) returning 0`,
		`delete from intakes where id in (select id from intakes where user_id = $1 limit 100) returning 0`,
		`delete from email_links
		where token_hash in (select token_hash from email_links where user_id = $1 limit 100)
		returning 0`,
		`delete from passkeys where id in (select id from passkeys where user_id = $1 limit 100) returning 0`,
		`delete from mails where id in (select id from mails where user_id = $1 limit 100) returning 0`,
		`delete from sign_in_links
		where token_hash in (select token_hash from sign_in_links where user_id = $1 limit 100)
		returning 0`,
		`with gone as (
			delete from reports where id in (select id from reports where by_id = $1 or user_id = $1 limit 100) returning id
		), told as (
			delete from notices n using gone where n.report_id = gone.id returning n.report_id, n.user_id
		)
		select coalesce(t.user_id, 0) from gone left join told t on t.report_id = gone.id`,
		`with gone as (
			update applicants set invited_by = null where id in (select id from applicants where invited_by = $1 limit 100) returning id
		)
		select 0 from gone`,
		`delete from sign_up_links where id in (select id from sign_up_links where user_id = $1 limit 100) returning 0`,
	}
}

// eraseRows runs a query that deletes rows. For each row the query returns the id of another
// person whose sets change with the row, or 0. eraseRows notes a viewer change of each of these
// people, and reports whether the query deleted any rows.
func (tx *txn) eraseRows(ctx context.Context, query string, user UserID) (bool, error) {
	var others []UserID
	if err := primary.Read(ctx, tx, &others, query, user); err != nil {
		return false, err
	}
	slices.Sort(others)
	for _, other := range slices.Compact(others) {
		if other != 0 {
			tx.noteViewers(other)
		}
	}
	return len(others) > 0, nil
}
