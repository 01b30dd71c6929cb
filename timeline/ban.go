package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Ban hides the actor and another person from each other, everywhere. Ban ends the subscriptions
// of either to feeds of the other, requests and invitations between the two, and invitations of
// one by the other to a group. The error is [ErrNotFound] if no account has the name, and an
// [InvalidError] if the name is a group's or the actor's own, or if the actor has banned too many
// people.
func (s *Store) Ban(ctx context.Context, actor UserID, name string) (err error) {
	defer primary.Wrap(&err, "ban %q by user %d", name, actor)
	const insert = `insert into bans (user_id, target_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const ends = `
		(user_id, timeline_id) in (
			select $1::bigint, id from timelines where their_id = $2 and what in ('user', 'user_private')
			union all
			select $2::bigint, id from timelines where their_id = $1 and what in ('user', 'user_private'))`
	const invitations = `
		delete from invitations where (user_id, from_id) in (($1::bigint, $2::bigint), ($2::bigint, $1::bigint))`
	const all = `select count(*) from (select from bans where user_id = $1 limit $2) b`
	return s.changePair(ctx, actor, name, func(tx *txn, other UserID) (bool, error) {
		tx.Revokes()
		tag, err := tx.Exec(ctx, insert, actor, other, s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		if err := primary.CheckRoom(ctx, tx, all, actor, maxBans, "you banned"); err != nil {
			return false, err
		}
		for _, query := range []string{
			`delete from subscriptions where ` + ends,
			`delete from subscription_requests where ` + ends,
			invitations,
		} {
			if _, err := tx.Exec(ctx, query, actor, other); err != nil {
				return false, err
			}
		}
		return true, tx.retractBetween(ctx, actor, other)
	})
}

// Unban ends a ban by the actor. Subscriptions, requests and invitations that the ban ended do not
// come back.
func (s *Store) Unban(ctx context.Context, actor UserID, name string) (err error) {
	defer primary.Wrap(&err, "unban %q by user %d", name, actor)
	const remove = `delete from bans where user_id = $1 and target_id = $2`
	return s.changePair(ctx, actor, name, func(tx *txn, other UserID) (bool, error) {
		tag, err := tx.Exec(ctx, remove, actor, other)
		return tag.RowsAffected() > 0, err
	})
}

// Banned returns the people the actor banned, the newest ban first, without deleted
// accounts.
func (s *Store) Banned(ctx context.Context, actor UserID) (users []UserID, err error) {
	defer primary.Wrap(&err, "banned by user %d", actor)
	const query = `
		select u.id
		from bans b join users u on u.id = b.target_id and u.status <> 'deleted'
		where b.user_id = $1
		order by b.created_at desc, u.id`
	rows, err := s.db.Pool.Query(ctx, query, actor)
	if err == nil {
		err = primary.Collect(&users)(rows)
	}
	return users, err
}

// changePair locks the actor and another person and runs f on both. If f reports a change,
// changePair notes a viewer change of each of the two.
func (s *Store) changePair(ctx context.Context, actor UserID, name string, f func(tx *txn, other UserID) (bool, error)) error {
	return s.lockedPair(ctx, actor, name, pairAlone, func(tx *txn, other UserID) error {
		changed, err := f(tx, other)
		if err == nil && changed {
			tx.noteViewers(actor, other)
		}
		return err
	})
}

// lockedPair finds the person of that name, locks the actor and the person with the query lock
// ([pairAlone] or [pairShared]), and runs f on both.
func (s *Store) lockedPair(ctx context.Context, actor UserID, name, lock string, f func(tx *txn, other UserID) error) error {
	return s.write(ctx, func(tx *txn) error {
		n, err := lookup(ctx, tx, name)
		if err != nil {
			return err
		}
		if n.User == 0 {
			return &InvalidError{Field: "name", Reason: "is the name of a group", Code: "group"}
		}
		if err := lockPair(ctx, tx, actor, n.User, lock); err != nil {
			return err
		}
		return f(tx, n.User)
	})
}
