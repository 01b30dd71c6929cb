package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ReadNotices marks the viewer's notices as read, up to and including the notice with the id upto.
func (s *Store) ReadNotices(ctx context.Context, viewer UserID, upto int64) (err error) {
	defer primary.Wrap(&err, "read notices of user %d", viewer)
	const query = `
		update notices set read_at = $3 where user_id = $1 and read_at is null and id <= $2 returning user_id`
	return s.readNotices(ctx, viewer, query, upto)
}

// ReadNoticesOf marks the viewer's notices about a post as read.
func (s *Store) ReadNoticesOf(ctx context.Context, viewer UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "read notices of user %d of post %d", viewer, post)
	const query = `
		update notices set read_at = $3 where user_id = $1 and read_at is null and post_id = $2 returning user_id`
	return s.readNotices(ctx, viewer, query, post)
}

// ReadNoticesOfDirects marks the viewer's notices about directs as read.
func (s *Store) ReadNoticesOfDirects(ctx context.Context, viewer UserID) (err error) {
	defer primary.Wrap(&err, "read notices of user %d of directs", viewer)
	const query = `
		update notices n set read_at = $2 where user_id = $1 and read_at is null and ` + aboutDirect + ` returning user_id`
	return s.readNotices(ctx, viewer, query)
}

// readNotices runs a statement that marks notices of the viewer as read. The arguments of the
// statement are the viewer, the values in which, and the present time.
func (s *Store) readNotices(ctx context.Context, viewer UserID, query string, which ...any) error {
	return s.write(ctx, func(tx *txn) error {
		if err := checkActor(ctx, tx, viewer); err != nil {
			return err
		}
		return tx.noteNotices(ctx, query, slices.Concat([]any{viewer}, which, []any{s.db.Now()})...)
	})
}

// NoticeKinds returns for each kind of notice whether the person wants it.
func (s *Store) NoticeKinds(ctx context.Context, user UserID) (_ map[NoticeKind]bool, err error) {
	defer primary.Wrap(&err, "kinds of notices of user %d", user)
	const query = `select notices_off from users where id = $1`
	var off []NoticeKind
	if err := s.db.Pool.QueryRow(ctx, query, user).Scan(&off); err != nil {
		return nil, err
	}
	wanted := make(map[NoticeKind]bool)
	for _, kind := range NoticeKinds() {
		wanted[kind] = !slices.Contains(off, kind)
	}
	return wanted, nil
}

// SetNoticeKinds changes the kinds of notices that the person wants from now on. Kinds missing
// from wanted stay as they are, and so do existing notices. It returns an [InvalidError] for an
// unknown kind.
func (s *Store) SetNoticeKinds(ctx context.Context, actor UserID, wanted map[NoticeKind]bool) (err error) {
	defer primary.Wrap(&err, "kinds of notices of user %d", actor)
	const query = `
		update users set notices_off = array(
			select kind from unnest(notices_off) kind where kind <> all ($2::text[])
			union
			select unnest($3::text[])
			order by 1)
		where id = $1 and suspended_at is null and status <> 'deleted'
		returning id`
	on, off := []NoticeKind{}, []NoticeKind{}
	for kind, want := range wanted {
		switch {
		case !slices.Contains(NoticeKinds(), kind):
			return &InvalidError{Field: "notifications", Reason: fmt.Sprintf("have the unknown kind %.60q", kind)}
		case want:
			on = append(on, kind)
		default:
			off = append(off, kind)
		}
	}
	return s.write(ctx, func(tx *txn) error {
		err := tx.QueryRow(ctx, query, actor, on, off).Scan(&actor)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		return err
	})
}
