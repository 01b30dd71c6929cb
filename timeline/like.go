package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Like adds the actor's like to a post. It does nothing if the actor likes the post already. The
// error is an [InvalidError] if the post is the actor's own, [ErrForbidden] if the actor may not
// take part in the post (see [Sets.TakesPart]), and [ErrNotFound] if the actor may not read it.
func (s *Store) Like(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "like post %d", post)
	const insert = `insert into likes (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const count = `update posts set version = version + 1, likes_count = likes_count + 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		if !p.sets.MayLike(p.Author) {
			return &InvalidError{Field: "post", Reason: "is your own and can't be liked", Code: "own_like"}
		}
		if !p.takesPart() {
			return ErrForbidden
		}
		at := s.db.Now()
		tag, err := tx.Exec(ctx, insert, post, actor, at)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := postBatch{post: post}
		e.Queue(count, post)
		var entered []TimelineID
		e.addToPeople([]UserID{actor}, at, &entered, WhatUserLikes)
		e.raiseLatest(WhatUserLikes, actor)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: entered})
		return tx.notifyOfLike(ctx, at, post, nil, actor)
	})
}

// Unlike removes the actor's like of a post, if it exists.
func (s *Store) Unlike(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "unlike post %d", post)
	const remove = `delete from likes where post_id = $1 and user_id = $2`
	const count = `update posts set version = version + 1, likes_count = likes_count - 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, _ *lockedPost) error {
		tag, err := tx.Exec(ctx, remove, post, actor)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := postBatch{post: post}
		e.Queue(count, post)
		var left []TimelineID
		e.removeFrom(WhatUserLikes, actor, &left)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: left})
		return tx.retractLike(ctx, post, nil, actor)
	})
}

// LikeComment adds the actor's like to a comment, with the same errors as [Store.Like].
func (s *Store) LikeComment(ctx context.Context, actor UserID, post PostID, id CommentID) (err error) {
	defer primary.Wrap(&err, "like comment %d of post %d", id, post)
	const insert = `
		insert into comment_likes (comment_id, user_id, post_id, created_at) values ($1, $2, $3, $4) on conflict do nothing`
	const count = `update comments set likes_count = likes_count + 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		by, err := p.findComment(ctx, tx, id)
		if err != nil {
			return err
		}
		if !p.sets.MayLike(by) {
			return &InvalidError{Field: "comment", Reason: "is your own and can't be liked", Code: "own_like"}
		}
		if !p.takesPart() {
			return ErrForbidden
		}
		at := s.db.Now()
		tag, err := tx.Exec(ctx, insert, id, actor, post, at)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, count, id); err != nil {
			return err
		}
		if err := tx.notifyOfLike(ctx, at, post, &id, actor); err != nil {
			return err
		}
		return tx.commentsChanged(ctx, Change{Kind: ChangePost, Post: post})
	})
}

// UnlikeComment removes the actor's like of a comment, if it exists.
func (s *Store) UnlikeComment(ctx context.Context, actor UserID, post PostID, id CommentID) (err error) {
	defer primary.Wrap(&err, "unlike comment %d of post %d", id, post)
	const remove = `delete from comment_likes where comment_id = $1 and user_id = $2`
	const count = `update comments set likes_count = likes_count - 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		if _, err := p.findComment(ctx, tx, id); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remove, id, actor)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, count, id); err != nil {
			return err
		}
		if err := tx.retractLike(ctx, post, &id, actor); err != nil {
			return err
		}
		return tx.commentsChanged(ctx, Change{Kind: ChangePost, Post: post})
	})
}

// Fav adds a post to the actor's favourites; the post may be the actor's own. All readers see how
// many people have a post among their favourites, but not who they are. The error is [ErrForbidden]
// if the actor may not take part in the post, and [ErrNotFound] if the actor may not read it.
func (s *Store) Fav(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "make post %d a favourite", post)
	const insert = `insert into favs (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const count = `update posts set version = version + 1, favs_count = favs_count + 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		if !p.takesPart() {
			return ErrForbidden
		}
		at := s.db.Now()
		tag, err := tx.Exec(ctx, insert, post, actor, at)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := postBatch{post: post}
		e.Queue(count, post)
		var entered []TimelineID
		e.addToPeople([]UserID{actor}, at, &entered, WhatUserFavs)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: entered})
		return nil
	})
}

// Unfav removes a post from the actor's favourites.
func (s *Store) Unfav(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "make post %d no favourite", post)
	const remove = `delete from favs where post_id = $1 and user_id = $2`
	const count = `update posts set version = version + 1, favs_count = favs_count - 1 where id = $1`
	return s.withPost(ctx, actor, post, func(tx *txn, _ *lockedPost) error {
		tag, err := tx.Exec(ctx, remove, post, actor)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		e := postBatch{post: post}
		e.Queue(count, post)
		var left []TimelineID
		e.removeFrom(WhatUserFavs, actor, &left)
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: left})
		return nil
	})
}
