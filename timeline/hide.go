package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Hides: a hidden post or comment is collapsed for the person who hid it, and for no other
// viewer.

// HidePost hides a post for the actor. If the actor hides more than 10,000 posts, the post that was
// hidden first is shown again. It returns [ErrNotFound] if the actor may not read the post.
func (s *Store) HidePost(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "hide post %d", post)
	const insert = `insert into hidden_posts (user_id, post_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const oldest = `
		delete from hidden_posts where user_id = $1 and post_id in (
			select post_id from hidden_posts where user_id = $1 order by created_at desc, post_id desc offset $2)`
	return s.withPost(ctx, actor, post, func(tx *txn, _ *lockedPost) error {
		tag, err := tx.Exec(ctx, insert, actor, post, s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		tx.noteViewers(actor)
		_, err = tx.Exec(ctx, oldest, actor, maxHiddenPosts)
		return err
	})
}

// ShowPost undoes HidePost, even if the actor may no longer read the post.
func (s *Store) ShowPost(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "show post %d", post)
	const remove = `delete from hidden_posts where user_id = $1 and post_id = $2`
	return s.write(ctx, func(tx *txn) error {
		if err := checkActor(ctx, tx, actor); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remove, actor, post)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(actor)
		}
		return err
	})
}

// HiddenParts says which texts of a person a viewer hides.
type HiddenParts struct {
	Posts    bool // all posts by the person
	Comments bool // all comments by the person
}

// HideUser hides the given parts of another person's writing for the actor; parts that are hidden
// already stay hidden. The error is [ErrNotFound] if no person has the name, and an [InvalidError]
// if the name is a group's or the actor's own, or if the actor hides too many people.
func (s *Store) HideUser(ctx context.Context, actor UserID, name string, parts HiddenParts) (err error) {
	defer primary.Wrap(&err, "hide %q", name)
	const upsert = `
		insert into hidden_users (user_id, target_id, posts, comments) values ($1, $2, $3, $4)
		on conflict (user_id, target_id) do update set
			posts = hidden_users.posts or excluded.posts, comments = hidden_users.comments or excluded.comments
		where excluded.posts and not hidden_users.posts or excluded.comments and not hidden_users.comments`
	if parts == (HiddenParts{}) {
		return nil
	}
	const all = `select count(*) from (select from hidden_users where user_id = $1 limit $2) h`
	return s.withOtherUser(ctx, actor, name, func(tx *txn, person UserID) (bool, error) {
		tag, err := tx.Exec(ctx, upsert, actor, person, parts.Posts, parts.Comments)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, primary.CheckRoom(ctx, tx, all, actor, maxHiddenPeople, "you hide")
	})
}

// ShowUser undoes HideUser for the given parts.
func (s *Store) ShowUser(ctx context.Context, actor UserID, name string, parts HiddenParts) (err error) {
	defer primary.Wrap(&err, "show %q", name)
	// The update holds the row until the transaction ends, so that no other write hides the
	// other part between the update and the delete.
	const update = `
		update hidden_users set posts = posts and not $3, comments = comments and not $4
		where user_id = $1 and target_id = $2 and (posts and $3 or comments and $4)`
	const remove = `delete from hidden_users where user_id = $1 and target_id = $2 and not posts and not comments`
	return s.withOtherUser(ctx, actor, name, func(tx *txn, person UserID) (bool, error) {
		tag, err := tx.Exec(ctx, update, actor, person, parts.Posts, parts.Comments)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		_, err = tx.Exec(ctx, remove, actor, person)
		return true, err
	})
}

// withOtherUser runs f on another person. If f reports a change, withOtherUser notes a viewer
// change of the actor.
func (s *Store) withOtherUser(ctx context.Context, actor UserID, name string, f func(tx *txn, person UserID) (bool, error)) error {
	return s.lockedPair(ctx, actor, name, pairShared, func(tx *txn, person UserID) error {
		changed, err := f(tx, person)
		if err == nil && changed {
			tx.noteViewers(actor)
		}
		return err
	})
}

// Hidden returns the people the actor hides, with the hidden parts, for display only: it
// leaves out deleted accounts and people who banned the actor, though their rows still exist.
func (s *Store) Hidden(ctx context.Context, actor UserID) (_ map[UserID]HiddenParts, err error) {
	defer primary.Wrap(&err, "hidden by user %d", actor)
	const query = `
		select u.id, h.posts, h.comments
		from hidden_users h join users u on u.id = h.target_id and u.status <> 'deleted'
		where h.user_id = $1 and not exists (select from bans where user_id = u.id and target_id = $1)`
	hidden := make(map[UserID]HiddenParts)
	rows, err := s.db.Pool.Query(ctx, query, actor)
	if err == nil {
		var person UserID
		var parts HiddenParts
		_, err = pgx.ForEachRow(rows, []any{&person, &parts.Posts, &parts.Comments}, func() error {
			hidden[person] = parts
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return hidden, nil
}
