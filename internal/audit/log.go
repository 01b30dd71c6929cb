package audit

// logRules returns the rules for the change log.
func logRules() []rule {
	const contiguous = `
		select format('change log: %s rows from %s to %s, the head is %s', l.n, l.first, l.last, h.position)
		from log_head h, (select count(*) n, min(position) first, max(position) last from change_log) l
		where l.n > 0 and (l.last <> h.position or l.n <> l.last - l.first + 1)`
	const once = `
		select format('change %s: %s times in the log', change_id, n)
		from (
			select change_id, count(*) n from (
				select change_id from change_log union all select id from changes) c group by 1) c
		where n > 1
		order by change_id`
	return []rule{
		{"positions of the log", contiguous},
		{"changes in the log", once},
	}
}
