package timeline

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Traces of a person who deletes the account are rows that say how he and
// others stand to each other, and what is his alone. Each query takes up to a
// hundred rows of a kind away and answers, at least a row for each, whose sets
// change by it; 0 where nobody's do but his own. The limit is no parameter:
// PostgreSQL would plan for a tenth of the table.

// askings are the traces that wait for somebody's answer.
func askings() []string {
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

// standings are the traces that stay until they are worked off.
func standings() []string {
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
		`delete from saved_searches where id in (select id from saved_searches where user_id = $1 limit 100) returning 0`,
		// What named him while the account was deleted.
		`delete from mentions where ctid = any(array(select ctid from mentions where user_id = $1 limit 100)) returning 0`,
		// His timelines are entered no more.
		`delete from timeline_left where (post_id, timeline_id) in (
			select l.post_id, l.timeline_id from timelines t join timeline_left l on l.timeline_id = t.id
			where t.their_id = $1
				and t.what in ('user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions') limit 100)
		returning 0`,
		`delete from attachments where id in (select id from attachments where user_id = $1 limit 100) returning 0`,
		`delete from submissions
		where (user_id, uuid) in (select user_id, uuid from submissions where user_id = $1 limit 100)
		returning 0`,
		// Made while the account was deleted, and good for nothing.
		`delete from sessions
		where token_hash in (select token_hash from sessions where user_id = $1 limit 100)
		returning 0`,
		`delete from api_tokens where id in (select id from api_tokens where user_id = $1 limit 100) returning 0`,
		`delete from sign_in_links
		where token_hash in (select token_hash from sign_in_links where user_id = $1 limit 100)
		returning 0`,
	}
}

// takeTraces takes some traces of a kind away, and says whether there were any.
func (tx *txn) takeTraces(ctx context.Context, query string, user UserID) (bool, error) {
	rows, err := tx.Query(ctx, query, user)
	if err != nil {
		return false, err
	}
	others := make(map[UserID]bool)
	var other UserID
	_, err = pgx.ForEachRow(rows, []any{&other}, func() error {
		others[other] = true
		return nil
	})
	for _, other := range slices.Sorted(maps.Keys(others)) {
		if other != 0 {
			tx.noteViewers(other)
		}
	}
	return len(others) > 0, err
}
