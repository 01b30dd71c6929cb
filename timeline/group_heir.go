package timeline

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A GroupLeft is a group that has no other administrator than a person who may delete the account.
type GroupLeft struct {
	Group GroupID
	Heir  UserID // the longest-standing other member, who becomes the administrator; 0: there is none, and the group is closed
}

// soleGroups returns the groups that a person ($1) administers and no other person does, in the order of their ids, each with its
// longest-standing other member, or 0. Suspended and deleted people do not count.
const soleGroups = `
	select a.group_id, coalesce((
		select s.user_id from timelines t join subscriptions s on s.timeline_id = t.id join users u on u.id = s.user_id
		where t.what = 'group' and t.their_id = a.group_id and s.user_id <> $1 and u.suspended_at is null and u.status <> 'deleted'
		order by s.created_at, s.user_id limit 1), 0)
	from group_admins a
	where a.user_id = $1 and not exists (
		select from group_admins o join users u on u.id = o.user_id
		where o.group_id = a.group_id and o.user_id <> $1 and u.suspended_at is null and u.status <> 'deleted')
	order by a.group_id`

// GroupsLeft returns the groups that have no other administrator than the viewer, each with what happens to it when the viewer
// deletes the account.
func (s *Store) GroupsLeft(ctx context.Context, viewer UserID) (all []GroupLeft, err error) {
	defer primary.Wrap(&err, "groups left by user %d", viewer)
	return readGroupsLeft(ctx, s.db.Pool, viewer)
}

func readGroupsLeft(ctx context.Context, q primary.Querier, user UserID) ([]GroupLeft, error) {
	rows, err := q.Query(ctx, soleGroups, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[GroupLeft])
}

// lockGroups locks the administrators of each group that a person administers, see [lockAdmins].
func lockGroups(ctx context.Context, tx primary.Querier, user UserID) error {
	const lock = `
		select pg_advisory_xact_lock(hashtextextended('administrators', group_id))
		from (select group_id from group_admins where user_id = $1 order by group_id) g`
	_, err := tx.Exec(ctx, lock, user)
	return err
}

// handOverGroups makes the longest-standing member of each group that a person alone administers an administrator, besides the
// person. A group without other members stays as it is.
func handOverGroups(ctx context.Context, tx *txn, user UserID, at time.Time) error {
	// Lock order: user rows, subscriptions, administrators, as in AddAdmin.
	const member = `
		select from users u join timelines t on t.what = 'group' and t.their_id = $2 join subscriptions s on s.user_id = u.id and s.timeline_id = t.id
		where u.id = $1 and u.suspended_at is null and u.status <> 'deleted' for share of u for key share of s`
	const appoint = `insert into group_admins (group_id, user_id) values ($1, $2) on conflict do nothing`
	groups, err := readGroupsLeft(ctx, tx, user)
	for err == nil {
		for _, g := range groups {
			if err := tx.QueryRow(ctx, member, g.Heir, g.Group).Scan(); err != nil && !missing(err) {
				return err
			}
		}
		if err := lockGroups(ctx, tx, user); err != nil {
			return err
		}
		// A member may have left before the lock, or another administrator have come or gone.
		var now []GroupLeft
		if now, err = readGroupsLeft(ctx, tx, user); err == nil && slices.Equal(groups, now) {
			break
		}
		groups = now
	}
	for _, g := range groups {
		if err != nil || g.Heir == 0 {
			continue
		}
		_, err = tx.Exec(ctx, appoint, g.Group, g.Heir)
		tx.noteViewers(g.Heir)
		if err == nil {
			err = tx.notifyOfHeritage(ctx, at, g.Group, g.Heir)
		}
	}
	return err
}

// resignAll ends all administrations of a person whose account ends. It hands each group over that has no other administrator,
// and closes the groups without other members.
func resignAll(ctx context.Context, tx *txn, user UserID, at time.Time) error {
	const remove = `delete from group_admins where user_id = $1`
	if err := handOverGroups(ctx, tx, user, at); err != nil {
		return err
	}
	groups, err := readGroupsLeft(ctx, tx, user)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := closeGroup(ctx, tx, g.Group); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, remove, user)
	return err
}

// closeGroup closes a group to all readers for ever: its status becomes deleted, and requests and invitations are deleted.
func closeGroup(ctx context.Context, tx *txn, group GroupID) error {
	const requests = `
		delete from subscription_requests where timeline_id = (select id from timelines where what = 'group' and their_id = $1) returning user_id`
	const invitations = `
		delete from invitations where timeline_id = (select id from timelines where what = 'group' and their_id = $1) returning user_id`
	const end = `update groups set status = 'deleted' where id = $1`
	tx.Revokes()
	flipped, err := setAccess(ctx, tx, AccessClosed, int64(group), WhatGroup)
	if err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangeAccess, Group: group, Timelines: flipped})
	tx.Note(Change{Kind: ChangeCard, Group: group})
	if _, err := tx.Exec(ctx, end, group); err != nil {
		return err
	}
	for _, query := range []string{requests, invitations} {
		if _, err := tx.eraseRows(ctx, query, 0); err != nil {
			return err
		}
	}
	return nil
}
