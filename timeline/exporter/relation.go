package exporter

import (
	"context"
	"strings"
	"time"
)

// A relation is a kind of line about a person and other accounts, with the query for its lines.
type relation struct {
	kind    string                    // the type of the line
	query   string                    // $1 is the person of the export, or 0
	columns func(*relationLine) []any // returns the destinations into which a row is scanned
	finish  func(*relationLine)       // completes the line after the scan; nil: the line is complete
}

// feedName is the expression for the name that lines give to a timeline t: a person's feed, a private
// sub-feed or a group. f is the person of the timeline, g the group.
const feedName = `(case t.what when 'group' then g.name when 'user_private' then 'private:' || f.name else f.name end)`

// joinFeed joins the timeline t of a column, with its person f or group g; see feedName. The query
// must also test that the account is not deleted.
func joinFeed(column string) string {
	return `
		join timelines t on t.id = ` + column + ` and t.what in ('user', 'user_private', 'group')
		left join users f on t.what <> 'group' and f.id = t.their_id
		left join groups g on t.what = 'group' and g.id = t.their_id`
}

// relations returns all relations, in the order of their lines.
func relations() []relation {
	const user = `join users u on u.id = x.user_id and u.status <> 'deleted'`
	const target = ` join users o on o.id = x.target_id and o.status <> 'deleted'`
	const mine = ` ($1 = 0 or x.user_id = $1)`
	const there = ` and coalesce(f.status, g.status) <> 'deleted'`
	const place = `(case t.what when 'user_fyeo' then 'fyeo:' || f.name else ` + feedName + ` end)`
	order := func(columns ...string) string {
		return " order by " + strings.Join(columns, collation+", ") + collation
	}
	var at time.Time
	var since *int64
	var forward, posts, comments, likes bool
	return []relation{
		{"name", `
			select n.name, coalesce(f.name, g.name) from names n
			left join users f on n.what = 'user' and f.id = n.their_id
			left join groups g on n.what = 'group' and g.id = n.their_id
			where n.name <> coalesce(f.name, g.name) and ($1 = 0 or f.id = $1)` + order("n.name"),
			func(l *relationLine) []any { return []any{&l.Name, &l.Target} }, nil},
		{"subscription", `
			select u.name, ` + feedName + `, x.since, x.created_at from subscriptions x ` + user + joinFeed("x.timeline_id") + `
			where` + mine + there + ` order by x.created_at, u.name` + collation + `, ` + feedName + collation,
			func(l *relationLine) []any { return []any{&l.User, &l.Target, &since, &at} },
			func(l *relationLine) {
				if since != nil {
					l.Since = stamp(time.UnixMilli(*since))
				}
				l.At, since = stamp(at), nil
			}},
		{"request", `
			select x.id::text, u.name, ` + feedName + `, x.forward_only, x.created_at from subscription_requests x ` + user + joinFeed("x.timeline_id") + `
			where` + mine + there + ` order by x.created_at, x.id`,
			func(l *relationLine) []any { return []any{&l.ID, &l.User, &l.Target, &forward, &at} },
			func(l *relationLine) { l.ForwardOnly, l.At = new(forward), stamp(at) }},
		{"invitation", `
			select x.id::text, u.name, ` + feedName + `, i.name, x.created_at from invitations x ` + user + joinFeed("x.timeline_id") + `
			join users i on i.id = x.from_id and i.status <> 'deleted'
			where` + mine + there + ` and not exists (select from bans b where $1 <> 0 and b.user_id = i.id and b.target_id = $1)
			order by x.created_at, x.id`,
			func(l *relationLine) []any { return []any{&l.ID, &l.User, &l.Target, &l.From, &at} },
			func(l *relationLine) { l.At = stamp(at) }},
		{"ban", `
			select u.name, o.name, x.created_at from bans x ` + user + target + `
			where` + mine + ` order by x.created_at, u.name` + collation + `, o.name` + collation,
			func(l *relationLine) []any { return []any{&l.User, &l.Target, &at} },
			func(l *relationLine) { l.At = stamp(at) }},
		{"exclusion", `
			select u.name, ` + feedName + ` from timeline_excluded x ` + user + joinFeed("x.timeline_id") + `
			where ($1 = 0 or f.id = $1)` + there + ` and not exists (select from bans b where $1 <> 0 and b.user_id = u.id and b.target_id = $1)
			order by u.name` + collation + `, ` + feedName + collation,
			func(l *relationLine) []any { return []any{&l.User, &l.Target} }, nil},
		{"hidden_user", `
			select u.name, o.name, x.posts, x.comments from hidden_users x ` + user + target + `
			where` + mine + order("u.name", "o.name"),
			func(l *relationLine) []any { return []any{&l.User, &l.Target, &posts, &comments} },
			func(l *relationLine) { l.Posts, l.Comments = new(posts), new(comments) }},
		{"mute", `
			select u.name, o.name, bool_or(t.what = 'user_likes'), bool_or(t.what = 'user_comments') from muted x ` + user + `
			join timelines t on t.id = x.timeline_id and t.what in ('user_likes', 'user_comments')
			join users o on o.id = t.their_id and o.status <> 'deleted'
			where` + mine + ` group by 1, 2` + order("u.name", "o.name"),
			func(l *relationLine) []any { return []any{&l.User, &l.Target, &likes, &comments} },
			func(l *relationLine) { l.Likes, l.Comments = new(likes), new(comments) }},
		{"list", `
			select u.name, x.name, array(
				select ` + feedName + ` from list_members m ` + joinFeed("m.timeline_id") + ` where m.list_id = x.id` + there + ` order by ` + feedName + collation + `)
			from lists x ` + user + ` where` + mine + order("u.name", "x.name"),
			func(l *relationLine) []any { l.Members = new([]string{}); return []any{&l.User, &l.Name, l.Members} }, nil},
		{"search", `
			select u.name, x.name, x.query from saved_searches x ` + user + ` where` + mine + order("u.name", "x.name"),
			func(l *relationLine) []any { l.Query = new(""); return []any{&l.User, &l.Name, l.Query} }, nil},
		{"intake", `
			select u.name, ` + place + `, x.title, x.address, x.site, x.state, x.created_at from intakes x ` + user + `
			join timelines t on t.id = x.timeline_id
			left join users f on t.what <> 'group' and f.id = t.their_id
			left join groups g on t.what = 'group' and g.id = t.their_id
			where` + mine + there + ` order by x.created_at, u.name` + collation + `, ` + place + collation + `, x.address` + collation,
			func(l *relationLine) []any {
				return []any{&l.User, &l.Target, &l.Title, &l.Address, &l.URL, &l.State, &at}
			},
			func(l *relationLine) { l.At = stamp(at) }},
	}
}

// writeRelations writes the lines of all relations. In a person's export, the lines of a relation are
// held until the accounts that they name have their lines.
func (e *export) writeRelations(ctx context.Context) error {
	for _, r := range relations() {
		var held []relationLine
		var names []string
		err := e.eachRelation(ctx, r, func(l relationLine) error {
			if e.all() {
				return e.lines.line(l)
			}
			held = append(held, l)
			names = append(names, l.User, accountOf(l.Target), l.From)
			if l.Members != nil {
				for _, member := range *l.Members {
					names = append(names, accountOf(member))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := e.need(ctx, names...); err != nil {
			return err
		}
		for _, l := range held {
			if err := e.lines.line(l); err != nil {
				return err
			}
			e.me.note(l)
		}
	}
	return nil
}

// eachRelation calls write with each line of a relation.
func (e *export) eachRelation(ctx context.Context, r relation, write func(relationLine) error) error {
	rows, err := e.tx.Query(ctx, r.query, e.User)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		l := relationLine{Type: r.kind}
		if err := rows.Scan(r.columns(&l)...); err != nil {
			return err
		}
		if r.finish != nil {
			r.finish(&l)
		}
		if err := write(l); err != nil {
			return err
		}
	}
	return rows.Err()
}

// accountOf returns the name of the account in the name that lines give to a feed: "anna" of both
// "anna" and "private:anna".
func accountOf(feed string) string {
	_, name, private := strings.Cut(feed, ":")
	if private {
		return name
	}
	return feed
}
