package audit

// chosenRules returns the rules for lists, mutes and notices.
func chosenRules() []rule {
	const members = `
		select format('list %s of user %s: has %s of %s', l.id, l.user_id, t.what, t.their_id)
		from lists l join list_members m on m.list_id = l.id join timelines t on t.id = m.timeline_id
		where t.what not in ('user', 'user_private', 'group')
		order by l.id, t.id`
	const muted = `
		select format('user %s mutes %s of %s: it can''t be muted', m.user_id, t.what, t.their_id)
		from muted m join timelines t on t.id = m.timeline_id
		where t.what not in ('user_likes', 'user_comments') or t.their_id = m.user_id
		order by m.user_id, t.id`
	const notices = `
		select format('notice %s to user %s of %s: %s', n.id, n.user_id, n.kind, fault)
		from notices n
		left join posts p on p.id = n.post_id
		left join all_comments c on c.id = n.comment_id
		cross join lateral (select case
			when n.by_id = n.user_id then 'it is about their own action'
			when c.post_id <> n.post_id or n.comment_id is not null and n.post_id is null then 'the comment is on another post'
			when (n.kind in ('request', 'invitation', 'subscriber', 'accepted', 'intake', 'heir')) <> (n.timeline_id is not null and n.post_id is null) then 'it is about no feed'
			when n.kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'left') and n.post_id is null then 'it is about no post'
			when n.kind in ('comment', 'like', 'left') and p.user_id <> n.user_id then 'the post is another''s'
			when n.kind = 'intake' and not exists (
				select from intakes i where (i.id, i.user_id, i.timeline_id) = (n.intake_id, n.user_id, n.timeline_id)) then 'the imported feed is another''s'
			when n.kind = 'report' and exists (select from reports r where r.id = n.report_id and r.journal_id is not null) then 'the report is closed'
			when n.kind = 'answer' and not exists (
				select from reports r where (r.id, r.by_id) = (n.report_id, n.user_id) and r.journal_id is not null) then 'the report is another''s, or open'
			when n.kind = 'moderation' and not exists (
				select from journal j where (j.id, j.user_id) = (n.journal_id, n.user_id)) then 'another was moderated'
			when n.kind = 'applicant' and not exists (select from applicants where refused_at is null) then 'no applicant waits'
			when n.kind = 'held' and not exists (select from held_posts where journal_id is null or changed) then 'no post waits'
			when n.kind = 'comment' and c.user_id is distinct from n.by_id then 'the comment is another''s'
			when n.kind = 'comment_like' and c.user_id is distinct from n.user_id then 'the comment is another''s'
			when n.kind = 'like' and not exists (
				select from all_likes l where (l.post_id, l.user_id) = (n.post_id, n.by_id)) then 'there is no such like'
			when n.kind = 'comment_like' and not exists (
				select from all_comment_likes l where (l.comment_id, l.user_id) = (n.comment_id, n.by_id)) then 'there is no such like'
			when n.kind in ('mention', 'direct') and coalesce(c.user_id, p.user_id) <> n.by_id then 'another wrote it'
			end fault) f
		where fault is not null
		order by n.id`
	return []rule{
		{"members of lists", members},
		{"mutes", muted},
		{"notices", notices},
	}
}
