package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// What somebody mutes brings nothing into his home and his lists: it stays where
// it is, and he may read it there. Nobody else learns of it.

// MutedParts are what of a person's doings brings nothing into somebody's home.
type MutedParts struct {
	Likes    bool // posts that the person likes
	Comments bool // posts that the person commented on
}

// kinds are the timelines of the person that are muted.
func (p MutedParts) kinds() (kinds []What) {
	if p.Likes {
		kinds = append(kinds, WhatUserLikes)
	}
	if p.Comments {
		kinds = append(kinds, WhatUserComments)
	}
	return kinds
}

// Mute keeps what another person likes, or comments on, from bringing posts into
// the actor's home and lists; what else he muted of him stays muted.
func (s *Store) Mute(ctx context.Context, actor UserID, name string, parts MutedParts) (err error) {
	defer primary.Wrap(&err, "mute %q", name)
	const insert = `
		insert into muted (user_id, timeline_id)
		select $1, id from timelines where what = any($3) and their_id = $2 order by id
		on conflict do nothing`
	const all = `select count(*) from (select from muted where user_id = $1 limit $2) m`
	return s.ofUser(ctx, actor, name, func(tx *txn, who UserID) (bool, error) {
		tag, err := tx.Exec(ctx, insert, actor, who, parts.kinds())
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, primary.CheckRoom(ctx, tx, all, actor, maxMuted, "you muted")
	})
}

// Unmute is the reverse of Mute.
func (s *Store) Unmute(ctx context.Context, actor UserID, name string, parts MutedParts) (err error) {
	defer primary.Wrap(&err, "unmute %q", name)
	const remove = `
		delete from muted m using timelines t
		where t.id = m.timeline_id and m.user_id = $1 and t.their_id = $2 and t.what = any($3)`
	return s.ofUser(ctx, actor, name, func(tx *txn, who UserID) (bool, error) {
		tag, err := tx.Exec(ctx, remove, actor, who, parts.kinds())
		return tag.RowsAffected() > 0, err
	})
}

// Muted lists whom the actor muted, and what of them, without those who banned
// him: it is for showing, and nothing is to be written by it.
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
		var who UserID
		var parts MutedParts
		_, err = pgx.ForEachRow(rows, []any{&who, &parts.Likes, &parts.Comments}, func() error {
			muted[who] = parts
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return muted, nil
}
