package timeline

import "context"

// SetOwnPosts says whether the actor's own posts stand in his home. Where they
// don't, one that a friend liked or commented on does not, either.
func (s *Store) SetOwnPosts(ctx context.Context, actor UserID, on bool) error {
	return s.SetProfile(ctx, actor, ProfileEdit{OwnPosts: &on})
}

// setOwnPosts does it for [setProfile], which has the person's row.
func (tx *txn) setOwnPosts(ctx context.Context, user UserID, on bool) error {
	const update = `update users set own_posts = $2 where id = $1 and own_posts <> $2`
	tag, err := tx.Exec(ctx, update, user, on)
	if err == nil && tag.RowsAffected() > 0 {
		tx.noteViewers(user)
	}
	return err
}
