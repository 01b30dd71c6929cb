package audit

// peopleRules returns the rules for people, groups, their timelines and subscriptions.
func peopleRules() []rule {
	// A name that a person or group had before stays theirs.
	const names = `
		select format('name %s: of %s %s, which is not there', n.name, n.what, n.their_id)
		from names n
		left join (select 'user' what, id from users union all select 'group', id from groups) o
			on o.what = n.what and o.id = n.their_id
		where o.id is null
		order by n.name`
	const called = `
		select format('%s %s: is called %s, a name of %s', o.what, o.id, o.name, coalesce(n.what || ' ' || n.their_id, 'no one'))
		from (select 'user' what, id, name from users union all select 'group', id, name from groups) o
		left join names n on n.name = o.name
		where (n.what, n.their_id) is distinct from (o.what, o.id)
		order by o.what, o.id`
	const timelines = `
		with owners as (
			select 'user' owner, id, case when withheld then 'deleted' else status end status from users union all select 'group', id, status from groups
		), kinds as (
			select 'user' owner, unnest(array['user', 'user_likes', 'user_comments']) what, null access
			union all select 'group', 'group', null
			union all select 'user', 'user_private', 'private'
			union all select 'user', unnest(array['user_fyeo', 'user_directs', 'user_favs', 'user_discussions', 'mentions']), 'owner'
		)
		select format('%s of %s: access is %s, should be %s', k.what, o.id, coalesce(t.access, 'none, because the timeline is missing'), w.access)
		from owners o join kinds k using (owner)
		cross join lateral (select case
			when o.status = 'deleted' then 'closed'
			when k.access is not null then k.access
			when o.status in ('public', 'disallow-robots') then 'public'
			when o.status = 'fyeo' then 'owner'
			else o.status end access) w
		left join timelines t on t.what = k.what and t.their_id = o.id
		where t.access is distinct from w.access
		order by k.what, o.id`
	const strays = `
		select format('%s of %s: has no owner', t.what, t.their_id)
		from timelines t
		where case
			when t.what = 'group' then not exists (select from groups where id = t.their_id)
			when t.what = 'hashtag' then not exists (select from hashtags where id = t.their_id)
			when t.what in ('everything', 'best_of', 'most_faved') then false
			else not exists (select from users where id = t.their_id) end
		order by t.what, t.their_id`
	// The timelines of the whole site are public. The visibility rule decides about each post.
	const open = `
		select format('%s of %s: access is %s, should be public', what, their_id, access)
		from timelines
		where what in ('hashtag', 'everything', 'best_of', 'most_faved') and access <> 'public'
		order by what, their_id`
	const follows = `
		with follows as (
			select 'subscription' what, user_id, timeline_id from subscriptions
			union all select 'request', user_id, timeline_id from subscription_requests
			union all select 'invitation', user_id, timeline_id from invitations
		)
		select format('%s of user %s to %s of %s: %s', f.what, f.user_id, t.what, t.their_id, fault)
		from follows f join timelines t on t.id = f.timeline_id
		cross join lateral (select case
			when t.what not in ('user', 'user_private', 'group') then 'it can''t be followed'
			when t.what <> 'group' and t.their_id = f.user_id then 'it is their own'
			when t.what <> 'group' and exists (
				select from bans b where (b.user_id, b.target_id) in ((f.user_id, t.their_id), (t.their_id, f.user_id))) then 'a ban is between them'
			when t.access <> 'closed' and exists (
				select from timeline_excluded x where (x.user_id, x.timeline_id) = (f.user_id, f.timeline_id)) then 'it excludes them'
			when f.what <> 'subscription' and exists (
				select from subscriptions s where (s.user_id, s.timeline_id) = (f.user_id, f.timeline_id)) then 'they are subscribed'
			when f.what = 'invitation' and exists (
				select from subscription_requests r where (r.user_id, r.timeline_id) = (f.user_id, f.timeline_id)) then 'they requested it too'
			when f.what = 'invitation' and t.access = 'closed' and not exists (
				select from jobs where user_id = t.their_id) then 'no viewer can read it'
			end fault) x
		where fault is not null
		order by f.what, f.user_id, f.timeline_id`
	const bans = `
		select format('user %s has a ban of their own account', user_id) from bans where user_id = target_id order by user_id`
	return []rule{
		{"names", names},
		{"current names", called},
		{"access", timelines},
		{"stray timelines", strays},
		{"the access of the site's timelines", open},
		{"subscriptions", follows},
		{"bans", bans},
	}
}
