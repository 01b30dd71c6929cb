package timeline

import (
	"context"
	"fmt"
)

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

// OwnPosts says whether somebody's own posts stand in his home.
func (s *Store) OwnPosts(ctx context.Context, user UserID) (bool, error) {
	const query = `select own_posts from users where id = $1 and status <> 'deleted'`
	var on bool
	if err := s.pool.QueryRow(ctx, query, user).Scan(&on); err != nil {
		return false, fmt.Errorf("whether user %d sees own posts at home: %w", user, translate(err))
	}
	return on, nil
}
