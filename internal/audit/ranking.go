package audit

// rankingRules returns the rules for the orders of best_of and most_faved.
func rankingRules() []rule {
	const ranks = `
		select format('post %s in %s of %s: rank is %s, the open ranking''s %s', post_id, t.what, t.their_id,
			coalesce(e.rank::text, 'none'), coalesce(r.rank::text, 'none'))
		from (select post_id, timeline_id, rank from timeline_entries where rank is not null) e
		full join (select post_id, timeline_id, max(rank) rank from rankings where to_run is null group by 1, 2) r using (post_id, timeline_id)
		join timelines t on t.id = timeline_id
		where e.rank is distinct from r.rank
		order by post_id, timeline_id`
	const kinds = `
		select format('post %s in %s of %s: rank is %s', e.post_id, t.what, t.their_id, coalesce(e.rank::text, 'none'))
		from timeline_entries e join timelines t on t.id = e.timeline_id
		where (t.what in ('best_of', 'most_faved')) <> (e.rank is not null) or e.rank <= 0
		order by e.post_id, t.id`
	const open = `
		select format('post %s in %s of %s: %s rankings are open', r.post_id, t.what, t.their_id, count(*))
		from rankings r join timelines t on t.id = r.timeline_id
		where r.to_run is null
		group by r.post_id, t.id having count(*) > 1
		order by r.post_id, t.id`
	// A ranking of a post ends before the next one begins, or in the same run.
	const overlaps = `
		select format('post %s in %s of %s: the ranking of run %s ended in run %s', r.post_id, t.what, t.their_id, r.from_run, r.to_run)
		from (select *, lead(from_run) over (partition by timeline_id, post_id order by from_run) next_run from rankings) r
		join timelines t on t.id = r.timeline_id
		where r.to_run <= r.from_run or r.to_run > r.next_run or r.to_run is null and r.next_run is not null
		order by r.post_id, t.id, r.from_run`
	return []rule{
		{"ranks", ranks},
		{"kinds of ranks", kinds},
		{"open rankings", open},
		{"rankings one after another", overlaps},
	}
}
