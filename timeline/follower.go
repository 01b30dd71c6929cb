package timeline

import (
	"context"
	"fmt"
)

// Counts are numbers of a person's or a group's page.
type Counts struct {
	Subscribers        int
	Subscriptions      int // to people; a group has none
	GroupSubscriptions int
}

// Counts counts who follows a name, and whom it follows, without deleted
// accounts and whoever is on the other side of a ban from the viewer. Otherwise
// they are known to everybody, like the accounts themselves.
func (s *Store) Counts(ctx context.Context, viewer UserID, name string) (Counts, error) {
	// A feed may have very many subscribers: they are counted by an index, and
	// then those who are left out. Of a deleted account subscriptions are left
	// only as long as there is a job for it.
	const query = `
		with unseen as (
			select target_id as id from bans where user_id = $3
			union select user_id from bans where target_id = $3
			union select user_id from jobs where kind = 'delete account'
		), feed as (
			select id from timelines where what = $1 and their_id = $2
		)
		select
			(select count(*) from subscriptions where timeline_id = (select id from feed)) -
			(select count(*) from subscriptions where timeline_id = (select id from feed) and user_id in (select id from unseen)),
			(select count(*) from subscriptions s
				join timelines t on t.id = s.timeline_id and t.what = 'user'
				where $1 = 'user' and s.user_id = $2 and t.their_id not in (select id from unseen)),
			(select count(*) from subscriptions s
				join timelines t on t.id = s.timeline_id and t.what = 'group'
				join groups g on g.id = t.their_id and g.status <> 'deleted'
				where $1 = 'user' and s.user_id = $2)`
	var c Counts
	n, err := lookup(ctx, s.pool, name)
	if err == nil {
		what, their := n.feed()
		err = s.pool.QueryRow(ctx, query, what, their, viewer).Scan(&c.Subscribers, &c.Subscriptions, &c.GroupSubscriptions)
	}
	if err != nil {
		return c, translate(fmt.Errorf("counts of %q: %w", name, err))
	}
	return c, nil
}

// feed is the timeline that one subscribes to under the name.
func (n Named) feed() (What, int64) {
	if n.Group != 0 {
		return WhatGroup, int64(n.Group)
	}
	return WhatUser, int64(n.User)
}

// Subscribers lists who follows a name, the newest first, without whoever is on
// the other side of a ban; [ErrForbidden] if the viewer may not read that feed.
func (s *Store) Subscribers(ctx context.Context, viewer UserID, name string) ([]UserID, error) {
	const query = `
		select user_id
		from subscriptions
		where timeline_id = $1 and user_id not in (
			select target_id from bans where user_id = $2
			union select user_id from bans where target_id = $2
			union select user_id from jobs where kind = 'delete account')
		order by created_at desc, user_id`
	var users []UserID
	err := s.view(ctx, func(q querier) error {
		_, t, err := openFeed(ctx, q, viewer, name)
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, t.ID, viewer)
		if err != nil {
			return err
		}
		return collect(&users)(rows)
	})
	if err != nil {
		return nil, fmt.Errorf("subscribers of %q: %w", name, err)
	}
	return users, nil
}

// FeedSubscribers lists who subscribes to a feed that the actor keeps, the newest
// first; nobody else is told who reads a private sub-feed. In a group it has
// also those on the other side of a ban: they are his to remove.
func (s *Store) FeedSubscribers(ctx context.Context, actor UserID, name FeedName) ([]UserID, error) {
	const query = `
		select user_id
		from subscriptions
		where timeline_id = $1 and user_id not in (select user_id from jobs where kind = 'delete account')
		order by created_at desc, user_id`
	var users []UserID
	err := s.view(ctx, func(q querier) error {
		t, err := keptFeed(ctx, q, actor, name)
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, t.ID)
		if err != nil {
			return err
		}
		return collect(&users)(rows)
	})
	if err != nil {
		return nil, fmt.Errorf("subscribers of %v: %w", name, err)
	}
	return users, nil
}

// Subscriptions lists whom and which groups a person follows, the newest first,
// under the same rule.
func (s *Store) Subscriptions(ctx context.Context, viewer UserID, name string) (users []UserID, groups []GroupID, err error) {
	const people = `
		select u.id
		from subscriptions s
		join timelines t on t.id = s.timeline_id and t.what = 'user'
		join users u on u.id = t.their_id and u.status <> 'deleted'
		where s.user_id = $1 and not exists (
			select from bans where user_id = $2 and target_id = u.id or user_id = u.id and target_id = $2)
		order by s.created_at desc, u.id`
	const theGroups = `
		select g.id
		from subscriptions s
		join timelines t on t.id = s.timeline_id and t.what = 'group'
		join groups g on g.id = t.their_id and g.status <> 'deleted'
		where s.user_id = $1
		order by s.created_at desc, g.id`
	err = s.view(ctx, func(q querier) error {
		n, _, err := openFeed(ctx, q, viewer, name)
		if err != nil {
			return err
		}
		if n.User == 0 {
			return ErrNotFound // a group follows nobody
		}
		rows, err := q.Query(ctx, people, n.User, viewer)
		if err != nil {
			return err
		}
		if err := collect(&users)(rows); err != nil {
			return err
		}
		if rows, err = q.Query(ctx, theGroups, n.User); err != nil {
			return err
		}
		return collect(&groups)(rows)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("subscriptions of %q: %w", name, err)
	}
	return users, groups, nil
}

// openFeed finds a feed by name that the viewer may read: a private account is
// known to be there, so the answer for others is ErrForbidden.
func openFeed(ctx context.Context, q querier, viewer UserID, name string) (Named, Timeline, error) {
	const query = `select id, what, their_id, access from timelines where what = $1 and their_id = $2`
	var t Timeline
	n, err := lookup(ctx, q, name)
	if err != nil {
		return n, t, err
	}
	sets, err := readSets(ctx, q, viewer)
	if err != nil {
		return n, t, err
	}
	what, their := n.feed()
	if err := q.QueryRow(ctx, query, what, their).Scan(&t.ID, &t.What, &t.TheirID, &t.Access); err != nil {
		return n, t, err
	}
	if !sets.Readable(t) {
		return n, t, ErrForbidden
	}
	return n, t, nil
}
