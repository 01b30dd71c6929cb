package measure

// The queries of a straightforward site for pages that are not merely the newest posts of some
// timelines. Like [naiveFeeds], they sort all eligible posts. Their parameters are those of
// [naivePage].

// naiveShown reads the fields that a page shows of the chosen posts.
const naiveShown = `
		select p.id, p.text, p.published_at, u.name, u.display_name, u.avatar_url, p.likes_count, p.comments_count,
			exists (select from likes l where l.post_id = p.id and l.user_id = $1)
		from chosen c
		join posts p on p.id = c.id
		join users u on u.id = p.user_id`

// naiveListed chooses the posts in some timelines ($2) that a reader without an account may read: those
// that are in any public timeline.
const naiveListed = `
		with chosen as (
			select p.id, e.fresh_at as place
			from timeline_entries e join posts p on p.id = e.post_id
			where e.timeline_id = any($2) and p.deleted_at is null
				and exists (select from timelines t where t.id = any(p.places) and t.access = 'public')
			order by e.fresh_at desc, p.id desc
			limit $3
		)` + naiveShown + ` order by c.place desc, p.id desc`

// naiveBest and naiveFaved compute the scores of the rankings for all public posts, and sort the posts
// by score. Their argument ($2) is always 0.
const naiveBest = `
		with chosen as (
			select p.id, extract(epoch from p.published_at) + 86400 * log(2, 1 + p.likes_count + p.comments_count + 2 * p.favs_count) as place
			from posts p
			where p.deleted_at is null and $2::bigint = 0 and p.likes_count + p.comments_count + p.favs_count > 0
				and exists (select from timelines t where t.id = any(p.places) and t.access = 'public')
			order by 2 desc, p.id desc
			limit $3
		)` + naiveShown + ` order by c.place desc, p.id desc`

const naiveFaved = `
		with chosen as (
			select p.id, extract(epoch from p.published_at) + 86400 * log(2, 1 + p.favs_count) as place
			from posts p
			where p.deleted_at is null and $2::bigint = 0 and p.favs_count > 0
				and exists (select from timelines t where t.id = any(p.places) and t.access = 'public')
			order by 2 desc, p.id desc
			limit $3
		)` + naiveShown + ` order by c.place desc, p.id desc`

// naiveMonth chooses the posts of a person in a month, both given in $2 as "ID YYYY-MM", for a reader
// without an account.
const naiveMonth = `
		with chosen as (
			select p.id
			from posts p
			where p.user_id = split_part($2, ' ', 1)::bigint and p.deleted_at is null
				and to_char(p.published_at at time zone 'UTC', 'YYYY-MM') = split_part($2, ' ', 2)
				and exists (select from timelines t where t.id = any(p.places) and t.what = 'user' and t.access = 'public')
			order by p.id desc
			limit $3
		)` + naiveShown + ` order by p.id desc`

// naiveWords searches all public posts for words ($2) by the existing index, and sorts the results.
const naiveWords = `
		with chosen as (
			select p.id, p.fresh_at as place
			from post_words w join posts p on p.id = w.post_id
			where w.words @@ plainto_tsquery('russian', $2) and p.deleted_at is null
				and exists (select from timelines t where t.id = any(p.places) and t.access = 'public')
			order by p.fresh_at desc, p.id desc
			limit $3
		)` + naiveShown + ` order by c.place desc, p.id desc`
