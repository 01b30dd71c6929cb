package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// excludedFrom returns the kinds of timeline that share the excluded set of a feed. A person's
// feed, likes and comments share one set; the private sub-feed has a set of its own, and so has a
// group.
func excludedFrom(feed What) []What {
	if feed == WhatUser {
		return []What{WhatUser, WhatUserLikes, WhatUserComments}
	}
	return []What{feed}
}

// Exclude adds a person to the excluded set of a feed that the actor manages, for example of a
// group that the actor administers. The person's subscription, request and invitation end, and the
// person is no administrator of the group any more.
//
// The error is a [LastAdminError] for the last administrator of a group, [ErrForbidden] if the
// actor does not manage the feed, [ErrNotFound] if the feed or the person does not exist, and an
// [InvalidError] if the feed excludes too many people.
func (s *Store) Exclude(ctx context.Context, actor UserID, name FeedName, person string) (err error) {
	defer primary.Wrap(&err, "exclude %q from %v", person, name)
	return s.withFeedPerson(ctx, actor, name, person, func(tx *txn, p feedPerson) error { return tx.exclude(ctx, p) })
}

func (tx *txn) exclude(ctx context.Context, p feedPerson) error {
	const insert = `
		insert into timeline_excluded (timeline_id, user_id)
		select id, $3 from timelines where their_id = $1 and what = any($2)
		on conflict do nothing`
	const all = `select count(*) from (select from timeline_excluded where timeline_id = $1 limit $2) e`
	tx.Revokes()
	tag, err := tx.Exec(ctx, insert, p.TheirID, excludedFrom(p.What), p.person)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if err := primary.CheckRoom(ctx, tx, all, p.ID, maxExcluded, "it excludes"); err != nil {
		return err
	}
	if _, err := tx.leave(ctx, p.person, p.ID, p.group()); err != nil {
		return err
	}
	if _, err := tx.dropInvitation(ctx, p.person, p.ID); err != nil {
		return err
	}
	asked, _, err := tx.dropRequest(ctx, p.person, p.ID)
	if err != nil {
		return err
	}
	if asked {
		// noteRequest also notes a change of each person who could have answered the request; the
		// actor is among them.
		return tx.noteRequest(ctx, p.ID, p.person)
	}
	tx.noteViewers(p.actor, p.person)
	return nil
}

// Readmit removes a person from the excluded people of a feed that the actor manages. It does
// not restore the subscription that the exclusion ended.
func (s *Store) Readmit(ctx context.Context, actor UserID, name FeedName, person string) (err error) {
	defer primary.Wrap(&err, "readmit %q to %v", person, name)
	const remove = `
		delete from timeline_excluded e using timelines t
		where e.timeline_id = t.id and t.their_id = $1 and t.what = any($2) and e.user_id = $3`
	return s.withFeedPerson(ctx, actor, name, person, func(tx *txn, p feedPerson) error {
		tag, err := tx.Exec(ctx, remove, p.TheirID, excludedFrom(p.What), p.person)
		if err == nil && tag.RowsAffected() > 0 {
			tx.noteViewers(p.actor, p.person)
		}
		return err
	})
}

// Excluded returns the excluded set of a feed that the actor manages, by name. The set of a
// person's own feed leaves out people with a ban on the actor.
func (s *Store) Excluded(ctx context.Context, actor UserID, name FeedName) (users []UserID, err error) {
	defer primary.Wrap(&err, "excluded from %v", name)
	const query = `
		select u.id
		from timeline_excluded e join users u on u.id = e.user_id and u.status <> 'deleted'
		where e.timeline_id = $1 and ($2 or not exists (select from bans where user_id = u.id and target_id = $3))
		order by u.name`
	err = s.db.View(ctx, func(q primary.Querier) error {
		t, err := managedFeed(ctx, q, actor, name)
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
