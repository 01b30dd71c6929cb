package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// What somebody hides is folded away for him, and for nobody else.

// HidePost folds a post away for the actor. Of very many the one hidden first is
// shown again for it.
func (s *Store) HidePost(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "hide post %d", post)
	const insert = `insert into hidden_posts (user_id, post_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const oldest = `
		delete from hidden_posts where user_id = $1 and post_id in (
			select post_id from hidden_posts where user_id = $1 order by created_at desc, post_id desc offset $2)`
	return s.onPost(ctx, actor, post, func(tx *txn, _ *reached) error {
		tag, err := tx.Exec(ctx, insert, actor, post, s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		tx.noteViewers(actor)
		_, err = tx.Exec(ctx, oldest, actor, maxHiddenPosts)
		return err
	})
}

// ShowPost is the reverse of HidePost, also for who may not read the post any
// more.
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

// HiddenParts are what somebody hides of a person.
type HiddenParts struct {
	Posts    bool // all of his posts
	Comments bool // each of his comments
}

// HideUser hides parts of what another person says from the actor; what else he
// hides of him stays hidden.
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
	return s.ofUser(ctx, actor, name, func(tx *txn, who UserID) (bool, error) {
		tag, err := tx.Exec(ctx, upsert, actor, who, parts.Posts, parts.Comments)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, primary.CheckRoom(ctx, tx, all, actor, maxHiddenPeople, "you hide")
	})
}

// ShowUser is the reverse of HideUser.
func (s *Store) ShowUser(ctx context.Context, actor UserID, name string, parts HiddenParts) (err error) {
	defer primary.Wrap(&err, "show %q", name)
	// The update has the row until the transaction ends: nobody hides the other
	// part before it is known whether any is left.
	const update = `
		update hidden_users set posts = posts and not $3, comments = comments and not $4
		where user_id = $1 and target_id = $2 and (posts and $3 or comments and $4)`
	const remove = `delete from hidden_users where user_id = $1 and target_id = $2 and not posts and not comments`
	return s.ofUser(ctx, actor, name, func(tx *txn, who UserID) (bool, error) {
		tag, err := tx.Exec(ctx, update, actor, who, parts.Posts, parts.Comments)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		_, err = tx.Exec(ctx, remove, actor, who)
		return true, err
	})
}

// ofUser runs f on another person, and notes that what the actor sees changed, if
// f says so.
func (s *Store) ofUser(ctx context.Context, actor UserID, name string, f func(tx *txn, who UserID) (bool, error)) error {
	return s.onPair(ctx, actor, name, pairShared, func(tx *txn, who UserID) error {
		changed, err := f(tx, who)
		if err == nil && changed {
			tx.noteViewers(actor)
		}
		return err
	})
}

// Hidden lists whom the actor hides, and what of them, without those who banned
// him: it is for showing, and nothing is to be written by it.
func (s *Store) Hidden(ctx context.Context, actor UserID) (_ map[UserID]HiddenParts, err error) {
	defer primary.Wrap(&err, "hidden by user %d", actor)
	const query = `
		select u.id, h.posts, h.comments
		from hidden_users h join users u on u.id = h.target_id and u.status <> 'deleted'
		where h.user_id = $1 and not exists (select from bans where user_id = u.id and target_id = $1)`
	hidden := make(map[UserID]HiddenParts)
	rows, err := s.db.Pool.Query(ctx, query, actor)
	if err == nil {
		var who UserID
		var parts HiddenParts
		_, err = pgx.ForEachRow(rows, []any{&who, &parts.Posts, &parts.Comments}, func() error {
			hidden[who] = parts
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return hidden, nil
}
