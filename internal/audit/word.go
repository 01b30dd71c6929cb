package audit

// wordRules returns the rules for values derived from texts: tags, mentions, and the words of
// the search index.
func wordRules() []rule {
	// Addresses hold neither tags nor names. Of more than twenty tags the first are kept; this
	// query does not know the order, so it passes over such texts.
	const tags = `
		with said as (
			select p.id post_id, array(
				select distinct lower(m[1])
				from regexp_matches(regexp_replace(normalize(p.text), 'https?://[^\s<]*', ' ', 'gi'),
					'(?:^|[^[:alnum:]_#@&/-])#([[:alnum:]_]+(?:-[[:alnum:]_]+)*)', 'g') m
				where length(m[1]) <= 50 order by 1) tags
			from posts p where p.deleted_at is null
		), kept as (
			select e.post_id, array_agg(h.name order by h.name) tags
			from timeline_entries e join timelines t on t.id = e.timeline_id and t.what = 'hashtag'
			join hashtags h on h.id = t.their_id
			group by 1
		)
		select format('post %s: is under the tags %s, should be under %s', s.post_id, coalesce(k.tags, '{}'), s.tags)
		from said s left join kept k using (post_id)
		where cardinality(s.tags) <= 20 and coalesce(k.tags, '{}') <> s.tags
		order by s.post_id`
	// A name that a person had before is still theirs. The name of the text's own author is no
	// mention. Of more than twenty names the first count, even if no person has them.
	const mentions = `
		with texts as (
			select id post_id, null::bigint comment_id, user_id by_id, text from posts where deleted_at is null
			union all
			select post_id, id, user_id, text from all_comments
		), said as (
			select distinct x.post_id, x.comment_id, x.by_id, n.their_id user_id
			from texts x
			cross join lateral (
				select lower(rtrim(m[1], '-')) name
				from regexp_matches(regexp_replace(x.text, 'https?://[^\s<]*', ' ', 'gi'),
					'(?:^|[\s([{«"''“‘„,;:!?—–>*])@([A-Za-z0-9_][A-Za-z0-9_-]*)(?![[:alnum:]_@/-])', 'g') with ordinality r(m, nth)
				where length(rtrim(m[1], '-')) between 3 and 49
				group by 1 order by min(nth) limit 20) m
			join names n on n.what = 'user' and n.name = m.name
			join users u on u.id = n.their_id and u.status <> 'deleted'
			where n.their_id <> x.by_id
		), kept as (
			select m.* from all_mentions m join users u on u.id = m.user_id and u.status <> 'deleted'
		)
		select format('post %s, comment %s of user %s: %s user %s', coalesce(s.post_id, k.post_id), coalesce(s.comment_id, k.comment_id, 0),
			coalesce(s.by_id, k.by_id), case when k.post_id is null then 'is not kept as naming' else 'does not name' end,
			coalesce(s.user_id, k.user_id))
		from said s full join kept k
			on (k.post_id, k.by_id, k.user_id, coalesce(k.comment_id, 0)) = (s.post_id, s.by_id, s.user_id, coalesce(s.comment_id, 0))
		where s.post_id is null or k.post_id is null
		order by 1`
	const postWords = `
		select format('post %s: its words are %s', p.id, coalesce(w.words::text, 'not there'))
		from posts p left join post_words w on w.post_id = p.id
		where p.deleted_at is null and (w.post_id is null
			or ts_delete(w.words, array(select l from unnest(tsvector_to_array(w.words)) l where l like '#%' or l ~ '^@[a-z]+$')) <> to_tsvector(search_config(p.lang), p.text)
			or array(select substr(l, 2) from unnest(tsvector_to_array(w.words)) l where l ~ '^@[a-z]+$' order by 1) <> array(
				select distinct a.kind from attachments a where a.post_id = p.id and a.state = 'ready' order by 1)
			or array(select substr(l, 2) from unnest(tsvector_to_array(w.words)) l where l like '#%' order by 1) <> array(
				select h.name from timeline_entries e join timelines t on t.id = e.timeline_id and t.what = 'hashtag'
				join hashtags h on h.id = t.their_id where e.post_id = p.id order by 1))
		order by p.id`
	const commentWords = `
		select format('comment %s: its words are %s', c.id, c.words)
		from all_comments c join posts p on p.id = c.post_id
		where c.words <> to_tsvector(search_config(p.lang), c.text)
		order by c.id`
	return []rule{
		{"tags", tags},
		{"mentions", mentions},
		{"words of posts", postWords},
		{"words of comments", commentWords},
	}
}
