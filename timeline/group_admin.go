package timeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// AddAdmin adds a member of a group to its administrators. It does nothing if the person is an
// administrator already. The error is [ErrForbidden] unless the actor is an administrator,
// [ErrNotFound] if the group or the person does not exist, and an [InvalidError] if the person is
// not a member or is suspended.
func (s *Store) AddAdmin(ctx context.Context, actor UserID, group, person string) (err error) {
	defer primary.Wrap(&err, "add administrator %q of group %q", person, group)
	// Lock order: user row, subscription, administrators, as in Unsubscribe and DeleteAccount.
	// Those writes run before or after this one; if after, they remove the new administrator.
	const lock = `select suspended_at is not null from users where id = $1 and status <> 'deleted' for share`
	const member = `
		select from subscriptions s
		where s.user_id = $1 and s.timeline_id = (select id from timelines where what = 'group' and their_id = $2)
		for key share`
	const insert = `insert into group_admins (group_id, user_id) values ($1, $2) on conflict do nothing`
	return s.withGroupAndPerson(ctx, group, person, func(tx *txn, group GroupID, person UserID) error {
		if err := checkGroupAdmin(ctx, tx, actor, group, isAdmin); err != nil {
			return err
		}
		var suspended bool
		if err := tx.QueryRow(ctx, lock, person).Scan(&suspended); err != nil {
			return err
		}
		if suspended {
			return &InvalidError{Field: "name", Reason: "is the name of a suspended person, who can't be an administrator", Code: "suspended"}
		}
		err := tx.QueryRow(ctx, member, person, group).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return &InvalidError{Field: "name", Reason: "is not the name of a member: only members can become administrators", Code: "not_member"}
		}
		if err != nil {
			return err
		}
		if err := lockAdmins(ctx, tx, actor, group); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insert, group, person)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(person)
		}
		return err
	})
}

// RemoveAdmin removes a person from the administrators of a group that the actor administers. The
// person, who may be the actor, stays a member. The error is a [LastAdminError], which is
// [ErrConflict], for the last administrator.
func (s *Store) RemoveAdmin(ctx context.Context, actor UserID, group, person string) (err error) {
	defer primary.Wrap(&err, "remove administrator %q of group %q", person, group)
	return s.withGroupAndPerson(ctx, group, person, func(tx *txn, group GroupID, person UserID) error {
		if err := lockAdmins(ctx, tx, actor, group); err != nil {
			return err
		}
		tx.Revokes()
		wasAdmin, err := resign(ctx, tx, person, group)
		if err == nil && wasAdmin {
			tx.noteViewers(person)
		}
		return err
	})
}

// lockAdmins locks the administrators of a group: until the transaction ends, no other write
// changes them (see [resign]). Then it returns ErrForbidden unless the actor administers the group.
// So if two administrators remove each other at the same moment, the second waits, and is refused
// because they are no administrator any more.
func lockAdmins(ctx context.Context, tx primary.Querier, actor UserID, group GroupID) error {
	const lock = `select pg_advisory_xact_lock(hashtextextended('administrators', $1))`
	if _, err := tx.Exec(ctx, lock, group); err != nil {
		return err
	}
	return checkGroupAdmin(ctx, tx, actor, group, isAdmin)
}

// withGroupAndPerson runs f on the group and the person of these names.
func (s *Store) withGroupAndPerson(ctx context.Context, group, person string, f func(tx *txn, group GroupID, person UserID) error) error {
	return s.write(ctx, func(tx *txn) error {
		id, err := findGroup(ctx, tx, group)
		if err != nil {
			return err
		}
		n, err := lookup(ctx, tx, person)
		if err == nil && n.User == 0 {
			err = fmt.Errorf("%q is a group: %w", person, ErrNotFound)
		}
		if err != nil {
			return err
		}
		return f(tx, id, n.User)
	})
}

// Admins returns the administrators of a group by name, without people on the other side of
// a ban from the viewer. [ErrForbidden] if the viewer may not read the group, [ErrNotFound]
// if the name is a person's.
func (s *Store) Admins(ctx context.Context, viewer UserID, group string) (admins []UserID, err error) {
	defer primary.Wrap(&err, "administrators of group %q", group)
	const query = `
		select u.id
		from group_admins a join users u on u.id = a.user_id and u.status <> 'deleted'
		where a.group_id = $1 and not exists (
			select from bans where user_id = $2 and target_id = u.id or user_id = u.id and target_id = $2)
		order by u.name`
	err = s.db.View(ctx, func(q primary.Querier) error {
		n, _, _, err := openFeed(ctx, q, viewer, group)
		if err != nil {
			return err
		}
		if n.Group == 0 {
			return ErrNotFound // a person has no administrators
		}
		rows, err := q.Query(ctx, query, n.Group, viewer)
		if err != nil {
			return err
		}
		return primary.Collect(&admins)(rows)
	})
	return admins, err
}
