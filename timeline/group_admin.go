package timeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// AddAdmin makes a subscriber of a group that the actor administers another of
// its administrators.
func (s *Store) AddAdmin(ctx context.Context, actor UserID, group, who string) (err error) {
	defer primary.Wrap(&err, "add administrator %q of group %q", who, group)
	// Whoever leaves, or deletes his account, does it before this or after it,
	// and then that ends this; he, too, locks his row, then his subscription,
	// then the administrators.
	const lock = `select suspended_at is not null from users where id = $1 and status <> 'deleted' for share`
	const member = `
		select from subscriptions s
		where s.user_id = $1 and s.timeline_id = (select id from timelines where what = 'group' and their_id = $2)
		for key share`
	const insert = `insert into group_admins (group_id, user_id) values ($1, $2) on conflict do nothing`
	return s.ofGroup(ctx, group, who, func(tx *txn, group GroupID, who UserID) error {
		if err := checkLeads(ctx, tx, actor, group, leads); err != nil {
			return err
		}
		var suspended bool
		if err := tx.QueryRow(ctx, lock, who).Scan(&suspended); err != nil {
			return err
		}
		if suspended {
			return &InvalidError{Field: "name", Reason: "is of somebody who is suspended, and could not act as an administrator", Code: "suspended"}
		}
		err := tx.QueryRow(ctx, member, who, group).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return &InvalidError{Field: "name", Reason: "is not a member's: only members become administrators", Code: "not_member"}
		}
		if err != nil {
			return err
		}
		if err := lockLeading(ctx, tx, actor, group); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insert, group, who)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(who)
		}
		return err
	})
}

// RemoveAdmin ends an administration of a group that the actor administers: his
// own, or another's, who stays a member. The last one can't be ended:
// [ErrConflict].
func (s *Store) RemoveAdmin(ctx context.Context, actor UserID, group, who string) (err error) {
	defer primary.Wrap(&err, "remove administrator %q of group %q", who, group)
	return s.ofGroup(ctx, group, who, func(tx *txn, group GroupID, who UserID) error {
		if err := lockLeading(ctx, tx, actor, group); err != nil {
			return err
		}
		tx.Revokes()
		led, err := resign(ctx, tx, who, group)
		if err == nil && led {
			tx.noteViewers(who)
		}
		return err
	})
}

// lockLeading answers ErrForbidden for who does not administer the group. Those
// who change its administrators come one after the other, as in [resign]: of two
// who remove each other the second is told that he is none any more.
func lockLeading(ctx context.Context, tx primary.Querier, actor UserID, group GroupID) error {
	const lock = `select pg_advisory_xact_lock(hashtextextended('administrators', $1))`
	if _, err := tx.Exec(ctx, lock, group); err != nil {
		return err
	}
	return checkLeads(ctx, tx, actor, group, leads)
}

// ofGroup runs f on a group and a person by their names.
func (s *Store) ofGroup(ctx context.Context, group, who string, f func(tx *txn, group GroupID, who UserID) error) error {
	return s.write(ctx, func(tx *txn) error {
		id, err := findGroup(ctx, tx, group)
		if err != nil {
			return err
		}
		person, err := lookup(ctx, tx, who)
		if err == nil && person.User == 0 {
			err = fmt.Errorf("%q is a group: %w", who, ErrNotFound)
		}
		if err != nil {
			return err
		}
		return f(tx, id, person.User)
	})
}

// Admins lists the administrators of a group by name, without whoever is on the
// other side of a ban; [ErrForbidden] if the viewer may not read the group.
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
			return ErrNotFound // nobody administers a person
		}
		rows, err := q.Query(ctx, query, n.Group, viewer)
		if err != nil {
			return err
		}
		return primary.Collect(&admins)(rows)
	})
	return admins, err
}
