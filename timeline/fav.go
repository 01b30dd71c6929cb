package timeline

import "context"

// Fav makes a post one of the actor's favourites: how many it has is everybody's
// to know, whose they are is not. One given before stays the one it was.
func (s *Store) Fav(ctx context.Context, actor UserID, post PostID) error {
	const insert = `insert into favs (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const count = `update posts set version = version + 1, favs_count = favs_count + 1 where id = $1`
	return s.onPost(ctx, actor, post, func(tx *txn, p *reached) error {
		if !p.sets.MayLike(p.Author) {
			return &InvalidError{"post", "is your own and can't be a favourite"}
		}
		if !p.takesPart() {
			return ErrForbidden
		}
		at := s.now()
		tag, err := tx.Exec(ctx, insert, post, actor, at)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := edit{post: post}
		e.Queue(count, post)
		var entered []TimelineID
		e.enter([]UserID{actor}, at, &entered, WhatUserFavs)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.note(Change{Kind: ChangePost, Post: post, Timelines: entered})
		return nil
	})
}

// Unfav is the reverse of Fav.
func (s *Store) Unfav(ctx context.Context, actor UserID, post PostID) error {
	const remove = `delete from favs where post_id = $1 and user_id = $2`
	const count = `update posts set version = version + 1, favs_count = favs_count - 1 where id = $1`
	return s.onPost(ctx, actor, post, func(tx *txn, _ *reached) error {
		tag, err := tx.Exec(ctx, remove, post, actor)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := edit{post: post}
		e.Queue(count, post)
		var left []TimelineID
		e.leave(WhatUserFavs, actor, &left)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.note(Change{Kind: ChangePost, Post: post, Timelines: left})
		return nil
	})
}
