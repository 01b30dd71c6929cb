package timeline

import (
	"context"
	"time"
)

// bumpWithin is how young a post is that any comment makes fresh, and in what
// time one must have been talked about.
const bumpWithin = 24 * time.Hour

// bumps says whether a comment written on the post at that moment makes it fresh.
// By the rule of FreeFeed (see [SiteSettings]) it does if the post is younger than
// a day, or has more than two comments of the day before it. What it answers is
// kept as comments.bumps: a post is as fresh as the newest comment that bumps, or
// else as its publication, also when comments are deleted or the rule changes.
func (p *reached) bumps(ctx context.Context, tx querier, at time.Time) (bool, error) {
	const query = `
		select coalesce(s.value->>'bump', '') <> 'freefeed' or p.published_at > $2
			or (select count(*) from (select from comments where post_id = p.id and created_at > $2 limit 3) recent) > 2
		from site_settings s, posts p where p.id = $1`
	var does bool
	err := tx.QueryRow(ctx, query, p.ID, at.Add(-bumpWithin)).Scan(&does)
	return does, err
}
