package timeline

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// DeleteAccount deletes the actor's account; his password says that it is he.
// When it answers nobody reads his timelines any more, he can't sign in, and his
// name is all that is left of his card. The rest is for [Store.WorkOff]. The
// last administrator of a group, or of the site, stays: [ErrConflict].
func (s *Store) DeleteAccount(ctx context.Context, actor UserID, password string) (err error) {
	defer primary.Wrap(&err, "delete account of user %d", actor)
	hash, err := s.checkOwner(ctx, actor, password)
	if err == nil {
		err = s.write(ctx, func(tx *txn) error { return s.deleteAccount(ctx, tx, actor, hash) })
	}
	if err != nil {
		return err
	}
	s.work.ring()
	return nil
}

func (s *Store) deleteAccount(ctx context.Context, tx *txn, user UserID, hash string) error {
	tx.Revokes()
	// Whatever he is writing has his row by its foreign keys, and is waited for.
	const lock = `
		select admin from users
		where id = $1 and password_hash = $2 and suspended_at is null and status <> 'deleted' for update`
	const empty = `
		update users set
			status = 'deleted', display_name = '', description = '', avatar_url = '', lang = '', directs_from = 'anybody', own_posts = true,
			email = null, password_hash = null, admin = false
		where id = $1`
	const links = `delete from sign_in_links where user_id = $1`
	const job = `insert into jobs (kind, user_id, created_at) values ('delete account', $1, $2)`
	var admin bool
	err := tx.QueryRow(ctx, lock, user, hash).Scan(&admin)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrUnauthorized // deleted, or with another password, since it was asked for
	}
	if err != nil {
		return err
	}
	if admin {
		if err := checkOtherAdmin(ctx, tx, user); err != nil {
			return err
		}
	}
	if err := resignAll(ctx, tx, user); err != nil {
		return err
	}
	kinds, _ := userTimelines(StatusDeleted)
	closed, err := setAccess(ctx, tx, AccessClosed, int64(user), kinds...)
	if err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangeAccess, User: user, Timelines: closed})
	for _, query := range []string{
		`delete from sessions where user_id = $1 returning user_id, token_hash`,
		`delete from api_tokens where user_id = $1 returning user_id, token_hash`,
	} {
		if err := tx.endSessions(ctx, query, user); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, links, user); err != nil {
		return err
	}
	// What waits for an answer; where that is very much, the rest goes with all
	// else, and can't be answered meanwhile.
	for _, query := range askings() {
		if _, err = tx.takeTraces(ctx, query, user); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, empty, user); err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangeCard, User: user})
	tx.noteViewers(user)
	_, err = tx.Exec(ctx, job, user, s.db.Now())
	return err
}

// checkOtherAdmin returns a [LastAdminError] for the last administrator of the site.
func checkOtherAdmin(ctx context.Context, tx primary.Querier, user UserID) error {
	const lock = `select pg_advisory_xact_lock(hashtext('the last administrator'))`
	const others = `
		select exists (select from users where admin and id <> $1 and suspended_at is null and status <> 'deleted')`
	if _, err := tx.Exec(ctx, lock); err != nil {
		return err
	}
	var more bool
	if err := tx.QueryRow(ctx, others, user).Scan(&more); err != nil {
		return err
	}
	if !more {
		return &LastAdminError{}
	}
	return nil
}

// resignAll ends all administrations of a person, unless one is the last of its
// group.
func resignAll(ctx context.Context, tx primary.Querier, user UserID) error {
	const query = `
		select group_id from group_admins where user_id = $1 and group_id > $2 order by group_id limit 1`
	var group GroupID
	for {
		err := tx.QueryRow(ctx, query, user, group).Scan(&group)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := resign(ctx, tx, user, group); err != nil {
			return err
		}
	}
}
