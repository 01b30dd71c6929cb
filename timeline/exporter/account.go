package exporter

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// collation has PostgreSQL sort texts by their bytes, so that the order of lines does not depend on
// the language of the database.
const collation = ` collate "C"`

// pictures are the names of the files of an account's avatar and cover.
type pictures struct{ avatar, avatarLarge, cover, coverLarge []byte }

// pictureColumns returns the columns for [pictures] of an account x; of is "user_id" or "group_id".
func pictureColumns(of string) string {
	columns := ""
	for _, role := range []string{"avatar", "cover"} {
		for _, size := range []string{"small", "large"} {
			columns += ", (select " + size + " from account_pictures p where p." + of + " = x.id and p.role = '" + role + "')"
		}
	}
	return columns
}

// addPictures adds the files of an account's pictures to the zip file, and returns their paths. A
// picture whose small or large file the file store lacks is left out.
func (e *export) addPictures(ctx context.Context, p pictures) (keys pictureKeys, err error) {
	if e.store == nil {
		return keys, nil
	}
	for _, one := range []struct {
		file []byte
		key  *string
	}{{p.avatar, &keys.Avatar}, {p.avatarLarge, &keys.AvatarLarge}, {p.cover, &keys.Cover}, {p.coverLarge, &keys.CoverLarge}} {
		if one.file == nil {
			continue
		}
		if *one.key, err = e.add(ctx, timeline.FileName(one.file), "image/jpeg", ""); err != nil {
			return keys, err
		}
	}
	if keys.Avatar == "" || keys.AvatarLarge == "" {
		keys.Avatar, keys.AvatarLarge = "", ""
	}
	if keys.Cover == "" || keys.CoverLarge == "" {
		keys.Cover, keys.CoverLarge = "", ""
	}
	return keys, nil
}

// writeUsers writes the lines of all people, or, in a person's export, the line of that person.
func (e *export) writeUsers(ctx context.Context) error {
	query := `
		select x.name, x.display_name, x.status, x.description, x.lang, x.page_language, x.theme, x.density, x.time_zone, x.directs_from,
			x.own_posts, x.visit_times, x.newcomer, x.notices_off, coalesce(x.email, ''), x.email_confirmed_at is not null, coalesce(x.password_hash, ''), x.admin, x.suspended_at, x.erase_at, x.barred, x.rules_agreed_at, x.created_at
			` + pictureColumns("user_id") + `
		from users x where $1 = 0 or x.id = $1 order by x.created_at, x.name` + collation
	rows, err := e.tx.Query(ctx, query, e.User)
	if err != nil {
		return err
	}
	var l userLine
	var p pictures
	var ownPosts, visitTimes bool
	var suspended, eraseAt, agreed *time.Time
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{
		&l.Name, &l.DisplayName, &l.Status, &l.Description, &l.Lang, &l.PageLanguage, &l.Theme, &l.Density, &l.TimeZone, &l.DirectsFrom,
		&ownPosts, &visitTimes, &l.Newcomer, &l.NoticesOff, &l.Email, &l.EmailConfirmed, &l.PasswordHash, &l.Admin, &suspended, &eraseAt, &l.Barred, &agreed, &at,
		&p.avatar, &p.avatarLarge, &p.cover, &p.coverLarge,
	}, func() (err error) {
		one := l
		l.NoticesOff = nil
		one.Type, one.At, one.SuspendedAt, one.EraseAt, one.RulesAgreedAt = "user", stamp(at), stampOf(suspended), stampOf(eraseAt), stampOf(agreed)
		one.Theme, one.Density, one.DirectsFrom = except("system", l.Theme), except("comfortable", l.Density), except("anybody", l.DirectsFrom)
		one.OwnPosts, one.VisitTimes = unless(true, ownPosts), unless(true, visitTimes)
		if one.pictureKeys, err = e.addPictures(ctx, p); err != nil {
			return err
		}
		if !e.all() {
			one.EmailConfirmed, one.PasswordHash, one.Admin, one.SuspendedAt, one.EraseAt, one.Barred, one.RulesAgreedAt = false, "", false, "", "", false, ""
			e.written[one.Name] = true
			e.me.Avatar, e.me.Cover = one.AvatarLarge, one.CoverLarge
			e.me.Since = at.UTC()
		}
		return e.lines.line(one)
	})
	if err == nil && !e.all() {
		err = e.readPasskeys(ctx)
	}
	return err
}

// readPasskeys adds the person's passkeys to the pages of the export, without their keys. The lines have none, because a passkey
// is for one address: no other site could let the person sign in with it.
func (e *export) readPasskeys(ctx context.Context) error {
	const query = `select id, name, created_at, used_at from passkeys where user_id = $1 order by id`
	rows, err := e.tx.Query(ctx, query, e.User)
	if err == nil {
		e.me.Passkeys, err = pgx.CollectRows(rows, pgx.RowToStructByPos[timeline.Passkey])
	}
	return err
}

// writeGroups writes the lines of all groups. In a person's export it writes none: there
// [export.need] writes the groups that other lines name.
func (e *export) writeGroups(ctx context.Context) error {
	if !e.all() {
		return nil
	}
	rows, err := e.tx.Query(ctx, groupsQuery+` order by x.created_at, x.name`+collation)
	if err != nil {
		return err
	}
	return e.eachGroup(ctx, rows, func(l groupLine) error { return e.lines.line(l) })
}

// groupsQuery reads groups x with the names of their administrators.
var groupsQuery = `
	select x.name, x.display_name, x.status, x.description, x.nsfw, x.posting, x.joining, x.created_at,
		array(select u.name from group_admins a join users u on u.id = a.user_id and u.status <> 'deleted' where a.group_id = x.id order by u.name` + collation + `)
		` + pictureColumns("group_id") + `
	from groups x`

// eachGroup calls write with the line of each group. If everything is exported, the lines name the
// groups' pictures.
func (e *export) eachGroup(ctx context.Context, rows pgx.Rows, write func(groupLine) error) error {
	var l groupLine
	var p pictures
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{
		&l.Name, &l.DisplayName, &l.Status, &l.Description, &l.NSFW, &l.Posting, &l.Joining, &at, &l.Admins,
		&p.avatar, &p.avatarLarge, &p.cover, &p.coverLarge,
	}, func() (err error) {
		one := l
		l.Admins = nil
		one.Type, one.At = "group", stamp(at)
		one.Posting, one.Joining = except("members", l.Posting), except("open", l.Joining)
		if e.all() {
			one.pictureKeys, err = e.addPictures(ctx, p)
		}
		if err != nil {
			return err
		}
		return write(one)
	})
	return err
}

// need writes the lines of the named accounts into a person's export, unless they are written
// already. A line has only what the site shows to all people, and for a group that the person may
// read also its description and its administrators. If everything is exported, need does nothing,
// because all accounts have their lines.
func (e *export) need(ctx context.Context, names ...string) error {
	const people = `select name, display_name, status, created_at, id from users where name = any($1) order by created_at, name` + collation
	const readable = `
		select g.name, t.id, t.access from groups g join timelines t on t.what = 'group' and t.their_id = g.id where g.name = any($1)`
	if e.all() {
		return nil
	}
	missing := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(names))), func(name string) bool { return name == "" || e.written[name] })
	if len(missing) == 0 {
		return nil
	}
	rows, err := e.tx.Query(ctx, people, missing)
	if err != nil {
		return err
	}
	var l userLine
	var at time.Time
	var id timeline.UserID
	_, err = pgx.ForEachRow(rows, []any{&l.Name, &l.DisplayName, &l.Status, &at, &id}, func() error {
		one := userLine{Type: "user", Name: l.Name, DisplayName: l.DisplayName, Status: l.Status, At: stamp(at)}
		if e.banned(id) {
			one.DisplayName, one.Status = one.Name, "private"
		}
		e.written[one.Name] = true
		return e.lines.line(one)
	})
	if err != nil {
		return err
	}
	rows, err = e.tx.Query(ctx, readable, missing)
	if err != nil {
		return err
	}
	open := make(map[string]bool)
	var name string
	t := timeline.Timeline{What: timeline.WhatGroup}
	if _, err = pgx.ForEachRow(rows, []any{&name, &t.ID, &t.Access}, func() error { open[name] = e.sets.Readable(t); return nil }); err != nil || len(open) == 0 {
		return err
	}
	rows, err = e.tx.Query(ctx, groupsQuery+` where x.name = any($1) order by x.created_at, x.name`+collation, missing)
	if err != nil {
		return err
	}
	var groups []groupLine
	var admins []string
	err = e.eachGroup(ctx, rows, func(l groupLine) error {
		e.written[l.Name] = true
		if !open[l.Name] {
			l.Admins, l.Description = []string{}, ""
		}
		groups, admins = append(groups, l), append(admins, l.Admins...)
		return nil
	})
	if err != nil {
		return err
	}
	if err := e.need(ctx, admins...); err != nil {
		return err
	}
	for _, l := range groups {
		if err := e.lines.line(l); err != nil {
			return err
		}
	}
	return nil
}
