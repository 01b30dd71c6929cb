package timeline

import (
	"context"
	"time"
)

// Things of two kinds wait for the administrators of the site: applicants and held posts. An administrator has at most one
// notice of each kind, however many wait, so that strangers can't flood them. The next thing that comes makes the notice new
// again, and when none is left the notice is deleted.

// notifyOfWaiting notifies the administrators of the site that one more thing of a kind ([NoticeApplicant], [NoticeHeld])
// waits for them, after its row was inserted.
func (tx *txn) notifyOfWaiting(ctx context.Context, at time.Time, kind NoticeKind) error {
	const read = `delete from notices where kind = $1 and read_at is not null returning user_id`
	const notify = `
		insert into notices (user_id, kind, created_at)
		select id, $1, $2 from users where admin and suspended_at is null and status <> 'deleted' order by id
		on conflict do nothing
		returning user_id`
	if err := tx.lockWaiting(ctx, kind); err != nil {
		return err
	}
	if err := tx.noteNotices(ctx, read, kind); err != nil {
		return err
	}
	return tx.noteNotices(ctx, notify, kind, at)
}

// retractWaiting deletes the notices of things of a kind that wait, after a row was deleted, unless others wait.
func (tx *txn) retractWaiting(ctx context.Context, kind NoticeKind) error {
	const applicants = `delete from notices where kind = $1 and not exists (select from applicants where refused_at is null) returning user_id`
	const held = `delete from notices where kind = $1 and not exists (select from held_posts where journal_id is null or changed) returning user_id`
	if err := tx.lockWaiting(ctx, kind); err != nil {
		return err
	}
	if kind == NoticeHeld {
		return tx.noteNotices(ctx, held, kind)
	}
	return tx.noteNotices(ctx, applicants, kind)
}

// lockWaiting takes a lock until the transaction ends. A transaction that decides about the last thing does not see one
// that comes at the same moment; with the lock it deletes the notices before the other transaction inserts new ones.
func (tx *txn) lockWaiting(ctx context.Context, kind NoticeKind) error {
	const lock = `select pg_advisory_xact_lock(hashtext('waiting'), hashtext($1))`
	_, err := tx.Exec(ctx, lock, string(kind))
	return err
}
