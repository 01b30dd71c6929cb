package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// What somebody hides is folded away for him, and for nobody else.

// HidePost folds a post away for the actor.
func (s *Store) HidePost(ctx context.Context, actor UserID, post PostID) error {
	const insert = `insert into hidden_posts (user_id, post_id, created_at) values ($1, $2, $3) on conflict do nothing`
	return s.onPost(ctx, actor, post, func(tx *txn, _ *reached) error {
		tag, err := tx.Exec(ctx, insert, actor, post, s.now())
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(actor)
		}
		return err
	})
}

// ShowPost is the reverse of HidePost, also for who may not read the post any
// more.
func (s *Store) ShowPost(ctx context.Context, actor UserID, post PostID) error {
	const remove = `delete from hidden_posts where user_id = $1 and post_id = $2`
	err := s.write(ctx, func(tx *txn) error {
		if err := checkActor(ctx, tx, actor); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remove, actor, post)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(actor)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("show post %d: %w", post, err)
	}
	return nil
}

// HiddenParts are what somebody hides of a person.
type HiddenParts struct {
	Posts    bool // all of his posts
	Comments bool // each of his comments
}

// HideUser sets what the actor hides of another person; neither: nothing any
// more.
func (s *Store) HideUser(ctx context.Context, actor UserID, name string, parts HiddenParts) error {
	const upsert = `
		insert into hidden_users (user_id, target_id, posts, comments) values ($1, $2, $3, $4)
		on conflict (user_id, target_id) do update set posts = excluded.posts, comments = excluded.comments
		where (hidden_users.posts, hidden_users.comments) <> (excluded.posts, excluded.comments)`
	const remove = `delete from hidden_users where user_id = $1 and target_id = $2`
	err := s.write(ctx, func(tx *txn) error {
		n, err := lookup(ctx, tx, name)
		if err != nil {
			return err
		}
		if n.User == 0 {
			return &InvalidError{"name", "is a group's"}
		}
		if err := lockPair(ctx, tx, actor, n.User, pairShared); err != nil {
			return err
		}
		query, args := upsert, []any{actor, n.User, parts.Posts, parts.Comments}
		if parts == (HiddenParts{}) {
			query, args = remove, args[:2]
		}
		tag, err := tx.Exec(ctx, query, args...)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(actor)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("hide %q: %w", name, err)
	}
	return nil
}

// Hidden lists whom the actor hides, and what of them, without those who banned
// him.
func (s *Store) Hidden(ctx context.Context, actor UserID) (map[UserID]HiddenParts, error) {
	const query = `
		select u.id, h.posts, h.comments
		from hidden_users h join users u on u.id = h.target_id and u.status <> 'deleted'
		where h.user_id = $1 and not exists (select from bans where user_id = u.id and target_id = $1)`
	hidden := make(map[UserID]HiddenParts)
	rows, err := s.pool.Query(ctx, query, actor)
	if err == nil {
		var who UserID
		var parts HiddenParts
		_, err = pgx.ForEachRow(rows, []any{&who, &parts.Posts, &parts.Comments}, func() error {
			hidden[who] = parts
			return nil
		})
	}
	if err != nil {
		return nil, translate(fmt.Errorf("hidden by user %d: %w", actor, err))
	}
	return hidden, nil
}
