package audit

// entryRules returns the rules for the entries of timelines and their order.
func entryRules() []rule {
	// The entries that follow from places, likes, favourites, comments and mentions, compared
	// with the entries of those kinds. A person with a deleted account has no mentions.
	const members = `
		with wanted as (
			select p.id post_id, place timeline_id from posts p, unnest(p.places) place
			union
			select l.post_id, t.id from all_likes l join timelines t on t.what = 'user_likes' and t.their_id = l.user_id
			union
			select f.post_id, t.id from all_favs f join timelines t on t.what = 'user_favs' and t.their_id = f.user_id
			union
			select c.post_id, t.id from all_comments c join timelines t on t.what = 'user_comments' and t.their_id = c.user_id
			union
			select p.id, t.id from posts p join timelines t on t.what = 'user_discussions' and t.their_id = p.user_id where p.deleted_at is null
			union
			select c.post_id, t.id from all_comments c join timelines t on t.what = 'user_discussions' and t.their_id = c.user_id
			union
			select m.post_id, t.id from all_mentions m join timelines t on t.what = 'mentions' and t.their_id = m.user_id
			union
			select p.id, t.id from posts p join timelines t on t.what = 'everything' and t.their_id = 0
			where exists (
				select from timelines place where place.id = any(p.places) and place.what in ('user', 'user_private', 'group'))
		), there as (
			select e.post_id, e.timeline_id from timeline_entries e join timelines t on t.id = e.timeline_id
			where t.what not in ('everything', 'hashtag', 'best_of', 'most_faved') or t.what = 'everything' and t.their_id = 0
		)
		select format('post %s: %s %s of %s', post_id,
			case when there.post_id is null then 'is missing in' else 'should not be in' end, t.what, t.their_id)
		from wanted full join there using (post_id, timeline_id) join timelines t on t.id = timeline_id
		where wanted.post_id is null or there.post_id is null
		order by post_id, timeline_id`
	// Each language has one timeline of everything, which holds the posts of everything in the
	// language. Its number may be any.
	const languages = `
		with listed as (
			select p.id, p.lang, array_agg(t.their_id) filter (where t.their_id <> 0) found, bool_or(t.their_id = 0) everything
			from posts p
			left join (timeline_entries e join timelines t on t.id = e.timeline_id and t.what = 'everything') on e.post_id = p.id
			where p.deleted_at is null group by p.id
		), told as (
			select lang, min(found[1]) number from listed where lang <> '' and cardinality(found) = 1 group by lang
		)
		select format('post %s in %s: is in everything of the languages %s, should be in %s', l.id,
			case l.lang when '' then 'no language' else l.lang end, coalesce(l.found, '{}'), w.wanted)
		from listed l left join told using (lang)
		cross join lateral (select case when l.lang <> '' and l.everything then array[coalesce(told.number, -1)] else '{}' end wanted) w
		where coalesce(l.found, '{}') <> w.wanted
		order by l.id`
	const oneLanguage = `
		select format('everything of %s: has posts in %s languages', t.their_id, count(distinct p.lang))
		from timelines t join timeline_entries e on e.timeline_id = t.id join posts p on p.id = e.post_id
		where t.what = 'everything' and t.their_id <> 0
		group by t.their_id having count(distinct p.lang) > 1
		order by t.their_id`
	const left = `
		select format('post %s in %s of %s: is there, and left it', l.post_id, t.what, t.their_id)
		from timeline_left l join timelines t on t.id = l.timeline_id
		join timeline_entries e on (e.post_id, e.timeline_id) = (l.post_id, l.timeline_id)
		order by l.post_id, t.id`
	const fresh = `
		select format('post %s in %s of %s: fresh_at is %s, the post''s %s', p.id, t.what, t.their_id, e.fresh_at, p.fresh_at)
		from timeline_entries e join posts p on p.id = e.post_id join timelines t on t.id = e.timeline_id
		where e.fresh_at <> p.fresh_at
		order by p.id, t.id`
	const entered = `
		select format('post %s in %s of %s: entered_at is %s', e.post_id, t.what, t.their_id, e.entered_at)
		from timeline_entries e join timelines t on t.id = e.timeline_id
		where e.entered_at <= 0
		order by e.post_id, t.id`
	// Only timelines that feed homes and lists keep a bound.
	const latest = `
		select format('%s of %s: latest_at is %s, there is an entry of %s', t.what, t.their_id, t.latest_at, e.fresh_at)
		from timelines t
		join (select timeline_id, max(fresh_at) fresh_at from timeline_entries group by 1) e on e.timeline_id = t.id
		where t.latest_at < e.fresh_at and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')
		order by t.id`
	return []rule{
		{"entries", members},
		{"everything, per language", languages},
		{"languages", oneLanguage},
		{"entries that left", left},
		{"the freshness of entries", fresh},
		{"when posts entered", entered},
		{"the bounds of timelines", latest},
	}
}
