package importer

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/timeline"
)

// An extra holds the values for the new rows of a line that only exports have. Most lines make one
// row; a line with several timelines may make a row for each.
type extra struct {
	line      *line
	user      timeline.UserID       // the person whom the line is about
	other     timeline.UserID       // the person who is the target; of an invitation, the person who invites
	group     timeline.GroupID      // of an earlier name: the group that had the name
	timelines []timeline.TimelineID // the feeds that are the target, the members of a list, or the places of an earlier text
	post      *timeline.PostID
	comment   *timeline.CommentID
}

// decideFavourite decides about a favourite.
func (t *batchTx) decideFavourite(l *line, count *Count) error {
	user, p, err := t.userAndPost(l)
	if err != nil {
		return err
	}
	if user.deleted || p.gone {
		return t.skip(l, count)
	}
	t.markImported(l, int64(p.id))
	fav := postLike{p.id, user.user}
	if t.relations.favs[fav] {
		count.There++
		return nil
	}
	count.New++
	if !t.relations.mayRead(user.user, p) {
		count.History++
	}
	t.relations.favs[fav] = true
	p.newFavs++
	t.pending.favs = append(t.pending.favs, timed[postLike]{fav, l.at})
	t.pending.touch(p)
	t.pending.enter(p, user.timelines[timeline.WhatUserFavs].ID, l.at)
	return nil
}

// decideExtra decides about a line of a kind that only exports have. Without [Options.Restore] it
// skips a setting of the site, and does not mark it as imported, so that a later import with Restore
// takes the setting.
func (t *batchTx) decideExtra(l *line, count *Count) error {
	e := extra{line: l}
	gone := false
	person := func(to *timeline.UserID, name string) error {
		m, err := t.findPerson(l, name)
		if err != nil {
			return err
		}
		*to, gone = m.user, gone || m.deleted
		return nil
	}
	var err error
	switch l.kind {
	case kindExport:
	case kindSetting:
		if !t.restore {
			count.Skipped++
			return nil
		}
	case kindName:
		var m *member
		if m, err = t.findMember(l, l.target); err == nil {
			e.other, e.group = m.user, m.group
		}
	case kindRequest, kindInvitation, kindExclusion:
		if err = person(&e.user, l.user); err == nil {
			err = t.addFeeds(&e, &gone, l.kind == kindExclusion, l.target)
		}
		if err == nil && l.kind == kindInvitation {
			err = person(&e.other, l.value("from"))
		}
	case kindHiddenUser, kindMute:
		if err = person(&e.user, l.user); err == nil {
			err = person(&e.other, l.target)
		}
		if err == nil && l.kind == kindMute {
			for what, muted := range map[timeline.What]bool{timeline.WhatUserLikes: l.flag("likes", false), timeline.WhatUserComments: l.flag("comments", false)} {
				if muted {
					e.timelines = append(e.timelines, t.members[l.target].timelines[what].ID)
				}
			}
		}
	case kindList, kindSearch:
		if err = person(&e.user, l.user); err == nil {
			var left bool // ignored: the list is imported without members that are deleted
			err = t.addFeeds(&e, &left, false, l.names...)
		}
	case kindIntake:
		if err = person(&e.user, l.user); err == nil {
			err = t.addPlaceOf(&e, &gone)
		}
	case kindHiddenPost:
		user, p, findErr := t.userAndPost(l)
		if err = findErr; err == nil {
			e.user, e.post, gone = user.user, &p.id, user.deleted || p.gone
		}
	case kindEarlierText:
		p := t.posts[l.target]
		if p == nil || p.line != nil && p.line.number > l.number {
			return l.errorf("no post %q comes before it", l.target)
		}
		e.post, gone = &p.id, p.gone
		err = t.addPlaces(&e, p.author)
	case kindCommentEarlierText:
		c := t.comments[l.target]
		if c == nil || c.line != nil && c.line.number > l.number {
			return l.errorf("no comment %q comes before it", l.target)
		}
		if gone = c.gone || c.post == nil || c.post.gone; !gone {
			e.post, e.comment = &c.post.id, &c.id
			err = t.addPlaces(&e, c.post.author)
		}
	}
	if err != nil {
		return err
	}
	if gone {
		return t.skip(l, count)
	}
	t.markImported(l, 0)
	count.New++
	t.pending.extras[l.kind] = append(t.pending.extras[l.kind], e)
	return nil
}

// addNames makes the accounts of the batch known by the earlier names that the batch has, so that
// texts can mention them by these names.
func (t *batchTx) addNames(context.Context) error {
	for _, l := range t.lines {
		if l.kind != kindName || t.members[l.name] != nil {
			continue
		}
		if target := t.members[l.target]; target != nil && target.line < l.number {
			t.members[l.name] = target
		}
	}
	return nil
}

// addFeeds adds the timelines of the named feeds to an extra. With along, it also adds the likes and
// comments of a person whose feed it adds. It leaves out deleted accounts, and then sets gone.
func (t *batchTx) addFeeds(e *extra, gone *bool, along bool, names ...string) error {
	for _, name := range names {
		m, err := t.findMember(e.line, nameIn(name))
		if err != nil {
			return err
		}
		if m.deleted {
			*gone = true
			continue
		}
		feed := m.feedOf(name)
		if feed.ID == 0 {
			return e.line.errorf("%q has no such feed", name)
		}
		e.timelines = append(e.timelines, feed.ID)
		if along && feed.What == timeline.WhatUser {
			e.timelines = append(e.timelines, m.timelines[timeline.WhatUserLikes].ID, m.timelines[timeline.WhatUserComments].ID)
		}
	}
	return nil
}

// addPlaceOf adds the place of an intake to its extra. It sets gone if the place is a deleted group,
// or one to which an intake can't post.
func (t *batchTx) addPlaceOf(e *extra, gone *bool) error {
	owner, err := t.findPerson(e.line, e.line.user)
	if err != nil {
		return err
	}
	place := &post{line: &line{number: e.line.number, user: e.line.user, names: []string{e.line.target}, exported: true}}
	if err := t.resolvePlaces(place, owner); err != nil {
		return err
	}
	if len(place.places) != 1 || strings.HasPrefix(e.line.target, directPrefix) {
		*gone = true
		return nil
	}
	e.timelines = place.places
	return nil
}

// addPlaces adds the places that a post had when one of its texts was replaced. It leaves out places
// of deleted accounts.
func (t *batchTx) addPlaces(e *extra, author timeline.UserID) error {
	if t.people == nil {
		t.people = make(map[timeline.UserID]*member, len(t.members))
		for _, m := range t.members {
			if m.group == 0 {
				t.people[m.user] = m
			}
		}
	}
	by := t.people[author]
	if by == nil || len(e.line.names) == 0 {
		return nil
	}
	places := &post{line: &line{number: e.line.number, names: e.line.names, exported: true}}
	if err := t.resolvePlaces(places, by); err != nil {
		return err
	}
	e.timelines = places.places
	return nil
}

// columns are the columns of the rows that extras make, for the statements that insert the rows.
type columns struct {
	users, others, timelines, groups []int64
	posts, comments                  []*int64
	ids, names, values               []string
	times                            []time.Time
}

// columnsOf returns the columns of the rows that extras make: a row for each timeline of an extra, or
// one row for an extra without timelines. value returns the one value of a line that has no field of
// its own.
func columnsOf(extras []extra, value func(*line) string) (c columns) {
	for _, e := range extras {
		timelines := e.timelines
		if len(timelines) == 0 {
			timelines = []timeline.TimelineID{0}
		}
		for _, id := range timelines {
			c.users, c.others, c.timelines, c.groups = append(c.users, int64(e.user)), append(c.others, int64(e.other)), append(c.timelines, int64(id)), append(c.groups, int64(e.group))
			c.posts, c.comments = append(c.posts, (*int64)(e.post)), append(c.comments, (*int64)(e.comment))
			c.ids, c.names, c.values, c.times = append(c.ids, e.line.id), append(c.names, e.line.name), append(c.values, value(e.line)), append(c.times, e.line.at)
		}
	}
	return c
}

// writeExtras inserts the rows of the lines that only exports have. Rows that exist already stay as
// they are.
func (t *batchTx) writeExtras(ctx context.Context) error {
	const settings = `
		update site_settings set value = (select jsonb_object_agg(k.name, k.value::jsonb) from unnest($1::text[], $2::text[]) k(name, value)) || value`
	const names = `
		insert into names (name, what, their_id)
		select k.name, case when k.group_id = 0 then 'user' else 'group' end, k.user_id + k.group_id
		from unnest($1::text[], $2::bigint[], $3::bigint[]) k(name, user_id, group_id)
		on conflict do nothing`
	const requests = `
		insert into subscription_requests (id, user_id, timeline_id, created_at, forward_only)
		select k.id::uuid, k.user_id, k.timeline_id, k.at, k.forward::bool
		from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::text[]) k(id, user_id, timeline_id, at, forward)
		on conflict do nothing`
	const invitations = `
		insert into invitations (id, user_id, timeline_id, from_id, created_at)
		select k.id::uuid, k.user_id, k.timeline_id, k.from_id, k.at
		from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[]) k(id, user_id, timeline_id, from_id, at)
		on conflict do nothing`
	const exclusions = `
		insert into timeline_excluded (timeline_id, user_id) select k.timeline_id, k.user_id
		from unnest($1::bigint[], $2::bigint[]) k(timeline_id, user_id) where k.timeline_id > 0
		on conflict do nothing`
	const mutes = `
		insert into muted (timeline_id, user_id) select k.timeline_id, k.user_id
		from unnest($1::bigint[], $2::bigint[]) k(timeline_id, user_id) where k.timeline_id > 0
		on conflict do nothing`
	const hidden = `
		insert into hidden_posts (user_id, post_id, created_at)
		select k.user_id, k.post_id, k.at from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) k(user_id, post_id, at)
		on conflict do nothing`
	const hiddenUsers = `
		insert into hidden_users (user_id, target_id, posts, comments)
		select k.user_id, k.target_id, k.parts in ('true true', 'true false'), k.parts in ('true true', 'false true')
		from unnest($1::bigint[], $2::bigint[], $3::text[]) k(user_id, target_id, parts)
		on conflict do nothing`
	const lists = `
		insert into lists (user_id, name) select k.user_id, k.name
		from unnest($1::bigint[], $2::text[]) with ordinality k(user_id, name, n) order by k.n
		on conflict do nothing`
	const members = `
		insert into list_members (list_id, timeline_id)
		select l.id, k.timeline_id from unnest($1::bigint[], $2::text[], $3::bigint[]) k(user_id, name, timeline_id)
		join lists l on l.user_id = k.user_id and l.name = k.name where k.timeline_id > 0
		on conflict do nothing`
	const searches = `
		insert into saved_searches (user_id, name, query)
		select k.user_id, k.name, k.query from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality k(user_id, name, query, n) order by k.n
		on conflict do nothing`
	// The next look at the feed posts nothing: see [timeline.IntakeLease.Quiet].
	const intakes = `
		insert into intakes (user_id, timeline_id, address, host, title, site, state, created_at, due_at, quiet)
		select k.user_id, k.timeline_id, k.address, k.host, k.title, k.site, k.state, k.at, now(), true
		from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
			with ordinality k(user_id, timeline_id, address, host, title, site, state, at, n) order by k.n
		on conflict do nothing`
	const earlier = `
		insert into earlier_texts (post_id, comment_id, text, places, written_at, replaced_at) values ($1, $2, $3, $4, $5, $6)`

	var b pgx.Batch
	queue := func(k kind, query string, value func(*line) string, args func(columns) []any) {
		some := t.pending.extras[k]
		if len(some) == 0 {
			return
		}
		b.Queue(query, args(columnsOf(some, value))...).Exec(func(tag pgconn.CommandTag) error {
			// The lines of rows that exist already are counted as there. Lines of exclusions and
			// mutes may make several rows; such a line is there only if all rows exist.
			there := len(some) - int(tag.RowsAffected())
			if there > 0 && (there == len(some) || k != kindExclusion && k != kindMute) {
				count := t.report.count(k)
				count.New, count.There = count.New-there, count.There+there
			}
			return nil
		})
	}
	key := func(key string) func(*line) string { return func(l *line) string { return l.value(key) } }
	none := func(*line) string { return "" }
	queue(kindName, names, none, func(c columns) []any { return []any{c.names, c.others, c.groups} })
	queue(kindRequest, requests, key("forward_only"), func(c columns) []any { return []any{c.ids, c.users, c.timelines, c.times, c.values} })
	queue(kindInvitation, invitations, none, func(c columns) []any { return []any{c.ids, c.users, c.timelines, c.others, c.times} })
	queue(kindExclusion, exclusions, none, func(c columns) []any { return []any{c.timelines, c.users} })
	queue(kindMute, mutes, none, func(c columns) []any { return []any{c.timelines, c.users} })
	queue(kindHiddenPost, hidden, none, func(c columns) []any { return []any{c.users, c.posts, c.times} })
	queue(kindHiddenUser, hiddenUsers, func(l *line) string { return l.value("posts") + " " + l.value("comments") },
		func(c columns) []any { return []any{c.users, c.others, c.values} })
	queue(kindSearch, searches, func(l *line) string { return l.prose("query") }, func(c columns) []any { return []any{c.users, c.names, c.values} })
	if some := t.pending.extras[kindList]; len(some) > 0 {
		queue(kindList, lists, none, func(columns) []any {
			var users []int64
			var names []string
			for _, e := range some {
				users, names = append(users, int64(e.user)), append(names, e.line.name)
			}
			return []any{users, names}
		})
		c := columnsOf(some, none)
		b.Queue(members, c.users, c.names, c.timelines)
	}
	queue(kindIntake, intakes, none, func(c columns) []any {
		var addresses, hosts, titles, sites, states []string
		for _, e := range t.pending.extras[kindIntake] {
			l := e.line
			at, err := url.Parse(l.value("address"))
			if err != nil { // checkValues has checked the address, so this does not happen
				at = &url.URL{}
			}
			state := timeline.IntakePaused
			if t.restore {
				state = l.value("state")
			}
			addresses, hosts, states = append(addresses, l.value("address")), append(hosts, at.Host), append(states, state)
			titles, sites = append(titles, l.value("title")), append(sites, l.value("url"))
		}
		return []any{c.users, c.timelines, addresses, hosts, titles, sites, states, c.times}
	})
	if some := t.pending.extras[kindSetting]; len(some) > 0 {
		c := columnsOf(some, key("value"))
		b.Queue(settings, c.names, c.values)
	}
	for _, k := range []kind{kindEarlierText, kindCommentEarlierText} {
		for _, e := range t.pending.extras[k] {
			places := e.timelines
			if places == nil {
				places = []timeline.TimelineID{}
			}
			b.Queue(earlier, e.post, e.comment, e.line.text, places, e.line.time("written_at"), e.line.at)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}
