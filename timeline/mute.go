package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A mute keeps a person's likes, comments or both from bringing posts into the actor's home
// and lists. The posts, likes and comments stay where they are, and the actor may read them
// there. No other viewer learns of the mute.

// MutedParts holds which actions of a person bring nothing into a viewer's home and lists.
type MutedParts struct {
	Likes    bool // posts that the person likes
	Comments bool // posts that the person commented on
}

// kinds returns the kinds of the person's timelines that are muted.
func (p MutedParts) kinds() (kinds []What) {
	if p.Likes {
		kinds = append(kinds, WhatUserLikes)
	}
	if p.Comments {
		kinds = append(kinds, WhatUserComments)
	}
	return kinds
}

// Mute keeps posts out of the actor's home and lists that would be there only because another
// person liked them, or commented on them. Parts that are muted already stay muted. The error is
// [ErrNotFound] if no person has the name, and an [InvalidError] if the name is a group's or the
// actor's own, or if the actor mutes too much.
func (s *Store) Mute(ctx context.Context, actor UserID, name string, parts MutedParts) (err error) {
	defer primary.Wrap(&err, "mute %q", name)
	const insert = `
		insert into muted (user_id, timeline_id)
		select $1, id from timelines where what = any($3) and their_id = $2 order by id
		on conflict do nothing`
	const all = `select count(*) from (select from muted where user_id = $1 limit $2) m`
	return s.withOtherUser(ctx, actor, name, func(tx *txn, person UserID) (bool, error) {
		tag, err := tx.Exec(ctx, insert, actor, person, parts.kinds())
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, primary.CheckRoom(ctx, tx, all, actor, maxMuted, "you muted")
	})
}

// Unmute undoes Mute for the given parts.
func (s *Store) Unmute(ctx context.Context, actor UserID, name string, parts MutedParts) (err error) {
	defer primary.Wrap(&err, "unmute %q", name)
	const remove = `
		delete from muted m using timelines t
		where t.id = m.timeline_id and m.user_id = $1 and t.their_id = $2 and t.what = any($3)`
	return s.withOtherUser(ctx, actor, name, func(tx *txn, person UserID) (bool, error) {
		tag, err := tx.Exec(ctx, remove, actor, person, parts.kinds())
		return tag.RowsAffected() > 0, err
	})
}

// Muted returns the people the actor muted, with the muted parts, for display only. It leaves
// out deleted accounts and people who banned the actor.
func (s *Store) Muted(ctx context.Context, actor UserID) (_ map[UserID]MutedParts, err error) {
	defer primary.Wrap(&err, "muted by user %d", actor)
	const query = `
		select t.their_id, bool_or(t.what = 'user_likes'), bool_or(t.what = 'user_comments')
		from muted m
		join timelines t on t.id = m.timeline_id and t.access <> 'closed'
		where m.user_id = $1 and not exists (select from bans where user_id = t.their_id and target_id = $1)
		group by 1`
	muted := make(map[UserID]MutedParts)
	rows, err := s.db.Pool.Query(ctx, query, actor)
	if err == nil {
		var person UserID
		var parts MutedParts
		_, err = pgx.ForEachRow(rows, []any{&person, &parts.Likes, &parts.Comments}, func() error {
			muted[person] = parts
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return muted, nil
}
