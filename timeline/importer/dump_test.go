package importer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// dump returns all rows that an import writes, without ids, one line for each row, sorted.
func dump(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	const query = `
		with p as (
			select *, concat_ws(' ', 'post of', (select name from users where id = posts.user_id), published_at, quote_literal(left(text, 40))) as key,
				row_number() over (order by fresh_at, id) as rank
			from posts
		), c as (
			select *, concat_ws(' ', 'comment of', (select name from users where id = comments.user_id), created_at, quote_literal(left(text, 40))) as key,
				row_number() over (partition by post_id order by created_at, id) as rank
			from comments
		), t as (
			select *, concat_ws(' ', what, 'of', case
				when what = 'group' then (select name from groups where id = their_id)
				when what = 'hashtag' then (select name from hashtags where id = their_id)
				when what in ('everything', 'best_of', 'most_faved') then their_id::text
				else (select name from users where id = their_id) end) as key
			from timelines
		)
		select line from (
			select concat_ws('|', 'name', name, what) from names
			union all
			select concat_ws('|', 'user', name, display_name, description, status, created_at) from users
			union all
			select concat_ws('|', 'group', name, display_name, description, status, posting, joining, created_at) from groups
			union all
			select concat_ws('|', 'admin', g.name, u.name) from group_admins a join groups g on g.id = a.group_id join users u on u.id = a.user_id
			union all
			select concat_ws('|', 'timeline', key, access, latest_at) from t
			union all
			select concat_ws('|', p.key, text, version, comments_version, updated_at, fresh_at, comments_count, likes_count, favs_count,
				comments_disabled, nsfw, linebreaks, lang, platform, deleted_at, rank,
				(select string_agg(t.key, ', ' order by t.key) from t where t.id = any(p.places))) from p
			union all
			select concat_ws('|', c.key, c.text, c.likes_count, c.updated_at, c.rank, 'on', p.key) from c join p on p.id = c.post_id
			union all
			select concat_ws('|', 'like', u.name, l.created_at, p.key) from likes l join users u on u.id = l.user_id join p on p.id = l.post_id
			union all
			select concat_ws('|', 'comment like', u.name, l.created_at, c.key, p.key) from comment_likes l
				join users u on u.id = l.user_id join c on c.id = l.comment_id join p on p.id = l.post_id
			union all
			select concat_ws('|', 'subscription', u.name, t.key, s.created_at, s.since) from subscriptions s
				join users u on u.id = s.user_id join t on t.id = s.timeline_id
			union all
			select concat_ws('|', 'request', u.name, t.key, s.created_at) from subscription_requests s
				join users u on u.id = s.user_id join t on t.id = s.timeline_id
			union all
			select concat_ws('|', 'ban', u.name, o.name, b.created_at) from bans b
				join users u on u.id = b.user_id join users o on o.id = b.target_id
			union all
			select concat_ws('|', 'entry', t.key, e.fresh_at, e.entered_at, p.key) from timeline_entries e
				join t on t.id = e.timeline_id join p on p.id = e.post_id
			union all
			select concat_ws('|', 'tag', name) from hashtags
			union all
			select concat_ws('|', 'left', t.key, l.entered_at, p.key) from timeline_left l
				join t on t.id = l.timeline_id join p on p.id = l.post_id
			union all
			select concat_ws('|', 'mention', b.name, u.name, p.key, c.key) from mentions m
				join users u on u.id = m.user_id join users b on b.id = m.by_id join p on p.id = m.post_id left join c on c.id = m.comment_id
			union all
			select concat_ws('|', 'words', w.words, p.key) from post_words w join p on p.id = w.post_id
			union all
			select concat_ws('|', 'words', c.words, c.key, p.key) from c join p on p.id = c.post_id
			union all
			select concat_ws('|', 'imported', source, what, external_id, their_id = 0) from imported
		) lines(line) order by line collate "C"`
	rows, err := pool.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// same fails the test if two dumps differ.
func same(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the database differs (-want +got):\n%s", diff)
	}
}
