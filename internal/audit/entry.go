package audit

// entryRules are of what is in which timeline, and where in it.
func entryRules() []rule {
	// What follows from places, likes, favourites and comments, and the entries
	// of those kinds. Mentions and hashtags can't be told from tables.
	const members = `
		with wanted as (
			select p.id post_id, place timeline_id from posts p, unnest(p.places) place
			union
			select l.post_id, t.id from likes l join timelines t on t.what = 'user_likes' and t.their_id = l.user_id
			union
			select f.post_id, t.id from favs f join timelines t on t.what = 'user_favs' and t.their_id = f.user_id
			union
			select c.post_id, t.id from comments c join timelines t on t.what = 'user_comments' and t.their_id = c.user_id
			union
			select p.id, t.id from posts p join timelines t on t.what = 'everything' and t.their_id = 0
			where exists (
				select from timelines place where place.id = any(p.places) and place.what in ('user', 'user_private', 'group'))
		), there as (
			select e.post_id, e.timeline_id from timeline_entries e join timelines t on t.id = e.timeline_id
			where t.what not in ('mentions', 'hashtag', 'best_of', 'most_faved')
		)
		select format('post %s: %s %s of %s', post_id,
			case when there.post_id is null then 'is missing in' else 'should not be in' end, t.what, t.their_id)
		from wanted full join there using (post_id, timeline_id) join timelines t on t.id = timeline_id
		where wanted.post_id is null or there.post_id is null
		order by post_id, timeline_id`
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
	const latest = `
		select format('%s of %s: latest_at is %s, there is an entry of %s', t.what, t.their_id, t.latest_at, e.fresh_at)
		from timelines t
		join (select timeline_id, max(fresh_at) fresh_at from timeline_entries group by 1) e on e.timeline_id = t.id
		where t.latest_at < e.fresh_at and t.what not in ('hashtag', 'everything', 'best_of', 'most_faved')
		order by t.id`
	return []rule{
		{"entries", members},
		{"the freshness of entries", fresh},
		{"when posts entered", entered},
		{"the bounds of timelines", latest},
	}
}
