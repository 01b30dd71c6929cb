package audit

// postRules returns the rules for counts and derived values of posts and comments.
func postRules() []rule {
	const counts = `
		select format('post %s: %s is %s, there are %s', p.id, c.name, c.stored, c.counted)
		from posts p
		left join (select post_id, count(*) n from comments group by 1) comments on comments.post_id = p.id
		left join (select post_id, count(*) n from likes group by 1) likes on likes.post_id = p.id
		left join (select post_id, count(*) n from favs group by 1) favs on favs.post_id = p.id
		cross join lateral (values
			('comments_count', p.comments_count, coalesce(comments.n, 0)),
			('likes_count', p.likes_count, coalesce(likes.n, 0)),
			('favs_count', p.favs_count, coalesce(favs.n, 0))) c(name, stored, counted)
		where c.stored <> c.counted
		order by p.id, c.name`
	const commentLikes = `
		select format('comment %s: likes_count is %s, there are %s', c.id, c.likes_count, coalesce(l.n, 0))
		from all_comments c
		left join (select comment_id, count(*) n from comment_likes group by 1) l on l.comment_id = c.id
		where c.likes_count <> coalesce(l.n, 0)
		order by c.id`
	const likedPost = `
		select format('a like of comment %s: post_id is %s, the comment is on post %s', c.id, l.post_id, c.post_id)
		from comment_likes l join all_comments c on c.id = l.comment_id
		where l.post_id <> c.post_id
		order by c.id, l.user_id`
	// Only comments that bump make a post fresh.
	const fresh = `
		select format('post %s: fresh_at is %s, should be %s', p.id, p.fresh_at, f.fresh_at)
		from posts p
		left join (select post_id, max(created_at) at from comments where bumps group by 1) newest on newest.post_id = p.id
		cross join lateral (select (extract(epoch from coalesce(newest.at, p.published_at)) * 1000)::bigint fresh_at) f
		where p.deleted_at is null and p.fresh_at <> f.fresh_at
		order by p.id`
	const places = `
		select format('post %s: places are %s', p.id, p.places)
		from posts p
		where p.deleted_at is null and (
			cardinality(p.places) = 0
			or p.places <> array(select distinct id from unnest(p.places) id order by id)
			or exists (
				select from unnest(p.places) place(id)
				left join timelines t on t.id = place.id and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group')
				where t.id is null))
		order by p.id`
	const owners = `
		select format('post %s of user %s: is in %s of user %s', p.id, p.user_id, t.what, t.their_id)
		from posts p join timelines t on t.id = any(p.places)
		where t.what in ('user', 'user_private', 'user_fyeo') and t.their_id <> p.user_id
		order by p.id, t.id`
	const directs = `
		select format('post %s of user %s: a direct message that is not in the author''s own directs', p.id, p.user_id)
		from posts p
		where exists (select from timelines t where t.id = any(p.places) and t.what = 'user_directs') and not exists (
			select from timelines t where t.id = any(p.places) and t.what = 'user_directs' and t.their_id = p.user_id)
		order by p.id`
	const deleted = `
		select format('post %s: deleted, but has %s left', p.id, l.what)
		from posts p
		cross join lateral (values
			('its text', p.text <> ''),
			('places', cardinality(p.places) > 0),
			('entries', exists (select from timeline_entries where post_id = p.id)),
			('comments', exists (select from all_comments where post_id = p.id)),
			('likes', exists (select from all_likes where post_id = p.id)),
			('favourites', exists (select from all_favs where post_id = p.id)),
			('mentions', exists (select from all_mentions where post_id = p.id)),
			('words', exists (select from post_words where post_id = p.id)),
			('notices', exists (select from notices where post_id = p.id))) l(what, there)
		where p.deleted_at is not null and l.there
		order by p.id, l.what`
	const versions = `
		select format('post %s: version %s, comments_version %s', id, version, comments_version)
		from posts where version < 1 + comments_version or comments_version < 0
		order by id`
	return []rule{
		{"counts of posts", counts},
		{"counts of comments", commentLikes},
		{"posts of comment likes", likedPost},
		{"the freshness of posts", fresh},
		{"places of posts", places},
		{"owners of places", owners},
		{"direct messages", directs},
		{"deleted posts", deleted},
		{"versions of posts", versions},
	}
}
