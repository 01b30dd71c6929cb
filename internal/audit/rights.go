package audit

// rightsRules returns the rules for excluded sets, administrators, hides, and the remains of
// deleted accounts.
func rightsRules() []rule {
	// While the job erases a deleted account, only a part of these rows may exist.
	const exclusions = `
		select format('exclusion of user %s from %s of %s: %s', x.user_id, t.what, t.their_id, fault)
		from timeline_excluded x join timelines t on t.id = x.timeline_id
		cross join lateral (select case
			when t.what not in ('user', 'user_likes', 'user_comments', 'user_private', 'group') then 'it has no excluded set'
			when t.what <> 'group' and t.their_id = x.user_id then 'it is their own'
			when t.what in ('user', 'user_likes', 'user_comments') and 3 <> (
				select count(*) from timelines o join timeline_excluded y on y.timeline_id = o.id
				where o.their_id = t.their_id and o.what in ('user', 'user_likes', 'user_comments') and y.user_id = x.user_id
			) then 'not from all three of feed, likes and comments'
			end fault) f
		where fault is not null and t.access <> 'closed' and not exists (
			select from users where id = x.user_id and status = 'deleted')
		order by t.what, t.their_id, x.user_id`
	// A forward-only subscription counts from its beginning, or from later on.
	const since = `
		select format('subscription of user %s to %s of %s: forward only since %s, made at %s', s.user_id, t.what, t.their_id, s.since, made)
		from subscriptions s join timelines t on t.id = s.timeline_id
		cross join lateral (select (extract(epoch from s.created_at) * 1000)::bigint made) m
		where s.since < made - 60000 or s.since >= 100000000000000
		order by s.user_id, s.timeline_id`
	const leaderless = `
		select format('group %s: has no administrator', id) from groups g
		where status <> 'deleted' and not exists (select from group_admins where group_id = g.id)
		order by id`
	const leaders = `
		select format('group %s: user %s administers it, and %s', a.group_id, a.user_id, fault)
		from group_admins a
		join timelines t on t.what = 'group' and t.their_id = a.group_id
		join users u on u.id = a.user_id
		cross join lateral (select case
			when u.status = 'deleted' then 'deleted the account'
			when not exists (
				select from subscriptions s where s.user_id = a.user_id and s.timeline_id = t.id) then 'does not subscribe to it'
			end fault) f
		where fault is not null
		order by a.group_id, a.user_id`
	const hides = `
		select format('user %s hides user %s: %s', user_id, target_id, fault)
		from hidden_users
		cross join lateral (select case
			when user_id = target_id then 'it is the same person'
			when not posts and not comments then 'neither posts nor comments'
			end fault) f
		where fault is not null
		order by user_id, target_id`
	const cards = `
		select format('user %s: deleted, but has %s left', u.id, c.what)
		from users u
		cross join lateral (values
			('a name to show', u.display_name <> ''),
			('a description', u.description <> ''),
			('an avatar or a cover', u.avatar_url <> '' or u.cover_url <> '' or exists (select from account_pictures where user_id = u.id)),
			('an address', u.email is not null),
			('a password', u.password_hash is not null),
			('the administration of the site', u.admin),
			('a day on which it is erased', u.erase_at is not null)) c(what, there)
		where u.status = 'deleted' and c.there
		order by u.id, c.what`
	const remains = `
		select format('user %s: deleted and erased, but has %s left', u.id, r.what)
		from users u
		cross join lateral (values
			('posts', exists (select from posts where user_id = u.id and deleted_at is null)),
			('comments', exists (select from all_comments where user_id = u.id)),
			('likes', exists (select from all_likes where user_id = u.id)),
			('favourites', exists (select from all_favs where user_id = u.id)),
			('likes of comments', exists (select from all_comment_likes where user_id = u.id)),
			('attachments', exists (select from attachments where user_id = u.id)),
			('subscriptions', exists (select from subscriptions where user_id = u.id)),
			('requests', exists (select from subscription_requests where user_id = u.id)),
			('invitations', exists (select from invitations where u.id in (user_id, from_id))),
			('exclusions', exists (select from timeline_excluded where user_id = u.id)),
			('bans', exists (select from bans where u.id in (user_id, target_id))),
			('hides', exists (select from hidden_users where u.id in (user_id, target_id))
				or exists (select from hidden_posts where user_id = u.id)),
			('lists', exists (select from lists where user_id = u.id)),
			('saved searches', exists (select from saved_searches where user_id = u.id)),
			('mutes', exists (select from muted where user_id = u.id)),
			('notices', exists (select from notices where u.id in (user_id, by_id))),
			('mentions', exists (select from all_mentions where by_id = u.id)),
			('times of visits', exists (select from visit_times where user_id = u.id)),
			('left-off entries', exists (select from left_off where user_id = u.id)),
			('sessions, tokens, feed addresses or links', exists (select from sessions where user_id = u.id)
				or exists (select from api_tokens where user_id = u.id)
				or exists (select from feed_addresses where user_id = u.id)
				or exists (select from sign_in_links where user_id = u.id)),
			('intakes', exists (select from intakes where user_id = u.id)),
			('entries', exists (
				select from timelines t join timeline_entries e on e.timeline_id = t.id
				where t.their_id = u.id and t.what not in ('group', 'hashtag', 'everything', 'best_of', 'most_faved'))),
			('subscribers', exists (
				select from timelines t join subscriptions s on s.timeline_id = t.id
				where t.their_id = u.id and t.what in ('user', 'user_private')))) r(what, there)
		where u.status = 'deleted' and r.there and not exists (select from jobs where user_id = u.id)
		order by u.id, r.what`
	// While the job withholds rows or shows them again, some of them are.
	const withheld = `
		select format('user %s: %s are %s', u.id, k.what, case when u.withheld then 'shown, though the account''s are withheld' else 'withheld' end)
		from users u
		cross join lateral (values
			('posts', exists (select from posts where user_id = u.id and deleted_at is null and withheld <> u.withheld)),
			('comments', exists (select from all_comments where user_id = u.id and withheld <> u.withheld)),
			('likes', exists (select from all_likes where user_id = u.id and withheld <> u.withheld)),
			('favourites', exists (select from all_favs where user_id = u.id and withheld <> u.withheld)),
			('likes of comments', exists (select from all_comment_likes where user_id = u.id and withheld <> u.withheld)),
			('mentions', exists (
				select from all_mentions m join all_comments c on c.id = m.comment_id where m.by_id = u.id and m.withheld <> c.withheld)),
			('a suspension or its end', u.withheld <> (u.suspended_at is not null)),
			('a deletion', u.erase_at is not null and u.suspended_at is null),
			('a suspension of a deleted account', u.barred and u.erase_at is null)) k(what, there)
		where u.status <> 'deleted' and k.there and not exists (select from suspension_jobs where user_id = u.id)
		order by u.id, k.what`
	return []rule{
		{"excluded sets", exclusions},
		{"forward-only subscriptions", since},
		{"groups without administrators", leaderless},
		{"administrators", leaders},
		{"hidden people", hides},
		{"cards of deleted accounts", cards},
		{"what is left of deleted accounts", remains},
		{"what is withheld of suspended accounts", withheld},
	}
}
