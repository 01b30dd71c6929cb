package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// excludedFrom are the kinds of timeline whose excluded set is that of a feed: a
// person's likes and comments go with his feed, his private sub-feed does not.
func excludedFrom(feed What) []What {
	if feed == WhatUser {
		return []What{WhatUser, WhatUserLikes, WhatUserComments}
	}
	return []What{feed}
}

// Exclude puts somebody into the excluded set of a feed that the actor keeps; in
// a group that is blocking him from it. What he is to it ends: subscription,
// request, invitation, and administration unless it is the last: [ErrConflict].
func (s *Store) Exclude(ctx context.Context, actor UserID, name FeedName, who string) (err error) {
	defer primary.Wrap(&err, "exclude %q from %v", who, name)
	return s.inFeed(ctx, actor, name, who, func(tx *txn, p place) error { return tx.exclude(ctx, p) })
}

func (tx *txn) exclude(ctx context.Context, p place) error {
	const insert = `
		insert into timeline_excluded (timeline_id, user_id)
		select id, $3 from timelines where their_id = $1 and what = any($2)
		on conflict do nothing`
	const all = `select count(*) from (select from timeline_excluded where timeline_id = $1 limit $2) e`
	tx.Revokes()
	tag, err := tx.Exec(ctx, insert, p.TheirID, excludedFrom(p.What), p.who)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if err := primary.CheckRoom(ctx, tx, all, p.ID, maxExcluded, "it excludes"); err != nil {
		return err
	}
	if _, err := tx.leave(ctx, p.who, p.ID, p.group()); err != nil {
		return err
	}
	if _, err := tx.dropInvitation(ctx, p.who, p.ID); err != nil {
		return err
	}
	asked, _, err := tx.dropRequest(ctx, p.who, p.ID)
	if err != nil {
		return err
	}
	if asked {
		return tx.noteRequest(ctx, p.ID, p.who) // the keeper is among those who answer
	}
	tx.noteViewers(p.keeper, p.who)
	return nil
}

// Readmit takes somebody out of the excluded set again. What that ended does
// not come back.
func (s *Store) Readmit(ctx context.Context, actor UserID, name FeedName, who string) (err error) {
	defer primary.Wrap(&err, "readmit %q to %v", who, name)
	const remove = `
		delete from timeline_excluded e using timelines t
		where e.timeline_id = t.id and t.their_id = $1 and t.what = any($2) and e.user_id = $3`
	return s.inFeed(ctx, actor, name, who, func(tx *txn, p place) error {
		tag, err := tx.Exec(ctx, remove, p.TheirID, excludedFrom(p.What), p.who)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(p.keeper, p.who)
		}
		return err
	})
}

// Excluded lists the excluded set of a feed that the actor keeps, by name. Of a
// person's own, those who banned him are left out.
func (s *Store) Excluded(ctx context.Context, actor UserID, name FeedName) (users []UserID, err error) {
	defer primary.Wrap(&err, "excluded from %v", name)
	const query = `
		select u.id
		from timeline_excluded e join users u on u.id = e.user_id and u.status <> 'deleted'
		where e.timeline_id = $1 and ($2 or not exists (select from bans where user_id = u.id and target_id = $3))
		order by u.name`
	err = s.db.View(ctx, func(q primary.Querier) error {
		t, err := keptFeed(ctx, q, actor, name)
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, t.ID, t.What == WhatGroup, actor)
		if err != nil {
			return err
		}
		return primary.Collect(&users)(rows)
	})
	return users, err
}
