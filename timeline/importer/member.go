package importer

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// personal are the kinds of timelines that each person has from the start.
var personal = []timeline.What{
	timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatUserFYEO, timeline.WhatUserDirects,
	timeline.WhatUserLikes, timeline.WhatUserComments, timeline.WhatUserFavs, timeline.WhatDiscussions, timeline.WhatMentions,
}

// accessOf returns the access of a timeline by the status of its owner.
func accessOf(what timeline.What, status string) timeline.Access {
	if status == timeline.StatusDeleted {
		return timeline.AccessClosed
	}
	switch what {
	case timeline.WhatUser, timeline.WhatUserLikes, timeline.WhatUserComments, timeline.WhatGroup:
		switch status {
		case "private":
			return timeline.AccessPrivate
		case "protected":
			return timeline.AccessProtected
		case "fyeo":
			return timeline.AccessOwner
		}
		return timeline.AccessPublic
	case timeline.WhatUserPrivate:
		return timeline.AccessPrivate
	}
	return timeline.AccessOwner
}

// feedOf returns the timeline that a target names: the feed of the member for "NAME", and the private
// sub-feed for "private:NAME".
func (m *member) feedOf(target string) timeline.Timeline {
	if strings.HasPrefix(target, privatePrefix) {
		return m.timelines[timeline.WhatUserPrivate]
	}
	return m.feed()
}

// makeMembers inserts the people and groups of the batch that do not exist yet.
func (t *batchTx) makeMembers(ctx context.Context) error {
	var users, groups []*line
	for _, l := range t.lines {
		if l.kind != kindUser && l.kind != kindGroup {
			continue
		}
		if m := t.members[l.name]; m != nil {
			if (m.group != 0) != (l.kind == kindGroup) && m.line == 0 {
				return l.errorf("there is a %s of the name %q", kindOf(m), l.name)
			}
			continue
		}
		// The member has no id before it is inserted.
		t.members[l.name] = &member{line: l.number, timelines: make(map[timeline.What]timeline.Timeline)}
		if l.kind == kindUser {
			users = append(users, l)
		} else {
			groups = append(groups, l)
		}
	}
	if err := t.makeUsers(ctx, users); err != nil {
		return err
	}
	return t.makeGroups(ctx, groups)
}

// kindOf returns the kind of line that makes such a member.
func kindOf(m *member) kind {
	if m.group != 0 {
		return kindGroup
	}
	return kindUser
}

func (t *batchTx) makeUsers(ctx context.Context, lines []*line) error {
	const query = `
		insert into users (name, display_name, status, created_at, description, lang, page_language, theme, density, time_zone, directs_from,
			own_posts, visit_times, newcomer, notices_off, email, email_confirmed_at, password_hash, admin, suspended_at, erase_at, barred, rules_agreed_at)
		select l.name, l.display_name, l.status, l.at, j.description, j.lang, j.page_language, j.theme, j.density, j.time_zone, j.directs_from,
			j.own_posts, j.visit_times, j.newcomer, j.notices_off,
			case when o.id is null then j.email end, case when o.id is null and j.email_confirmed then l.at end, j.password_hash, j.admin, j.suspended_at, j.erase_at, j.barred, j.rules_agreed_at
		from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::jsonb[]) with ordinality l(name, display_name, status, at, more, n)
		cross join lateral jsonb_to_record(l.more) j(description text, lang text, page_language text, theme text, density text, time_zone text,
			directs_from text, own_posts bool, visit_times bool, newcomer bool, notices_off text[], email text, email_confirmed bool, password_hash text, admin bool,
			suspended_at timestamptz, erase_at timestamptz, barred bool, rules_agreed_at timestamptz)
		left join users o on lower(o.email) = lower(j.email)
		order by l.n
		returning name, id`
	return t.makeNamed(ctx, query, lines, "user", personal, func(m *member, id int64) { m.user = timeline.UserID(id) })
}

func (t *batchTx) makeGroups(ctx context.Context, lines []*line) error {
	const query = `
		insert into groups (name, display_name, status, created_at, description, nsfw, posting, joining)
		select l.name, l.display_name, l.status, l.at, j.description, j.nsfw, j.posting, j.joining
		from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::jsonb[]) with ordinality l(name, display_name, status, at, more, n)
		cross join lateral jsonb_to_record(l.more) j(description text, nsfw bool, posting text, joining text)
		order by l.n
		returning name, id`
	const admins = `
		insert into group_admins (group_id, user_id)
		select distinct l.group_id, l.user_id from unnest($1::bigint[], $2::bigint[]) l(group_id, user_id)`
	only := []timeline.What{timeline.WhatGroup}
	if err := t.makeNamed(ctx, query, lines, "group", only, func(m *member, id int64) { m.group = timeline.GroupID(id) }); err != nil {
		return err
	}
	var groups []timeline.GroupID
	var people []timeline.UserID
	for _, l := range lines {
		group := t.members[l.name]
		for _, name := range l.names {
			admin, err := t.findPerson(l, name)
			if err != nil {
				return err
			}
			if admin.deleted {
				continue
			}
			groups, people = append(groups, group.group), append(people, admin.user)
			follow := pair{admin.user, group.feed().ID}
			if l.exported {
				continue // an export has a line for the subscription of each administrator
			}
			t.granted[follow] = true
			t.relations.setsOf(follow.user).Subscribed[follow.timeline] = true
			t.pending.subscribe(follow, l.at, nil)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	_, err := t.tx.Exec(ctx, admins, groups, people)
	return err
}

// A profile holds the data of a new account other than its names, its status and its time.
type profile struct {
	Description    string     `json:"description"`
	Lang           string     `json:"lang"`
	PageLanguage   string     `json:"page_language"`
	Theme          string     `json:"theme"`
	Density        string     `json:"density"`
	TimeZone       string     `json:"time_zone"`
	DirectsFrom    string     `json:"directs_from"`
	OwnPosts       bool       `json:"own_posts"`
	VisitTimes     bool       `json:"visit_times"`
	Newcomer       bool       `json:"newcomer"`
	NoticesOff     []string   `json:"notices_off"`
	Email          *string    `json:"email"`
	EmailConfirmed bool       `json:"email_confirmed"`
	PasswordHash   *string    `json:"password_hash"`
	Admin          bool       `json:"admin"`
	SuspendedAt    *time.Time `json:"suspended_at"`
	EraseAt        *time.Time `json:"erase_at"`
	RulesAgreedAt  *time.Time `json:"rules_agreed_at"`
	Barred         bool       `json:"barred"`
	NSFW           bool       `json:"nsfw"`
	Posting        string     `json:"posting"`
	Joining        string     `json:"joining"`
}

// profileOf returns the profile in a line. Only with [Options.Restore] does it take the values that
// decide who may sign in and who administers the site.
func (t *batchTx) profileOf(l *line) profile {
	p := profile{
		Description: l.prose("description"), Lang: l.value("lang"), PageLanguage: l.value("page_language"), TimeZone: l.value("time_zone"),
		Theme: cmp.Or(l.value("theme"), "system"), Density: cmp.Or(l.value("density"), "comfortable"),
		DirectsFrom: cmp.Or(l.value("directs_from"), "anybody"), OwnPosts: l.flag("own_posts", true), VisitTimes: l.flag("visit_times", true),
		Newcomer: l.flag("newcomer", false), NoticesOff: l.list("notices_off"),
		NSFW: l.flag("nsfw", false), Posting: cmp.Or(l.value("posting"), "members"), Joining: cmp.Or(l.value("joining"), "open"),
	}
	if t.restore {
		if email := l.value("email"); email != "" {
			p.Email, p.EmailConfirmed = &email, l.flag("email_confirmed", false)
		}
		if hash := l.value("password_hash"); hash != "" {
			p.PasswordHash = &hash
		}
		p.Admin, p.SuspendedAt = l.flag("admin", false), l.time("suspended_at")
		p.EraseAt, p.Barred, p.RulesAgreedAt = l.time("erase_at"), l.flag("barred", false), l.time("rules_agreed_at")
	}
	return p
}

// makeNamed inserts people or groups with the query, and then their names and their timelines of the
// kinds in whats. what is "user" or "group". It calls identify with each member and the member's id.
func (t *batchTx) makeNamed(ctx context.Context, query string, lines []*line, what string, whats []timeline.What, identify func(*member, int64)) error {
	const names = `
		insert into names (name, what, their_id)
		select l.name, $2, l.id from unnest($1::text[], $3::bigint[]) l(name, id)`
	const timelines = `
		insert into timelines (what, their_id, access)
		select l.what, l.id, l.access from unnest($1::text[], $2::bigint[], $3::text[]) l(what, id, access)
		returning id, what, their_id, access`
	if len(lines) == 0 {
		return nil
	}
	n := len(lines)
	name, display, status, at, more := make([]string, n), make([]string, n), make([]string, n), make([]time.Time, n), make([]profile, n)
	statusOf := make(map[string]string, n)
	for i, l := range lines {
		name[i], display[i], status[i], at[i], more[i] = l.name, l.displayName, l.status, l.at, t.profileOf(l)
		statusOf[l.name] = l.status
	}
	rows, err := t.tx.Query(ctx, query, name, display, status, at, more)
	if err != nil {
		return err
	}
	var (
		one    string
		id     int64
		ids    = make([]int64, 0, n)
		named  = make([]string, 0, n)
		byID   = make(map[int64]*member, n)
		kinds  []timeline.What
		owners []int64
		access []timeline.Access
	)
	_, err = pgx.ForEachRow(rows, []any{&one, &id}, func() error {
		m := t.members[one]
		identify(m, id)
		m.deleted = statusOf[one] == timeline.StatusDeleted
		byID[id] = m
		named, ids = append(named, one), append(ids, id)
		for _, w := range whats {
			kinds, owners, access = append(kinds, w), append(owners, id), append(access, accessOf(w, statusOf[one]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := t.tx.Exec(ctx, names, named, what, ids); err != nil {
		return err
	}
	if rows, err = t.tx.Query(ctx, timelines, kinds, owners, access); err != nil {
		return err
	}
	var tl timeline.Timeline
	_, err = pgx.ForEachRow(rows, []any{&tl.ID, &tl.What, &tl.TheirID, &tl.Access}, func() error {
		byID[tl.TheirID].timelines[tl.What] = tl
		t.relations.timelines[tl.ID] = tl
		return nil
	})
	return err
}
