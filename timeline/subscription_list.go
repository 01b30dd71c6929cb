package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// feed returns the kind and the owner of the timeline to which people subscribe by the name.
func (n Named) feed() (What, int64) {
	if n.Group != 0 {
		return WhatGroup, int64(n.Group)
	}
	return WhatUser, int64(n.User)
}

// maxListed is the largest length of a list of subscribers. Of a feed with more subscribers, the
// list has the newest; [Store.CountSubscribers] returns how many there are.
const maxListed = 5_000

// Subscribers returns the subscribers of a person's or a group's feed, the newest first and at most
// five thousand, without people across a ban from the viewer. It returns [ErrForbidden] if the
// viewer may not read the feed.
func (s *Store) Subscribers(ctx context.Context, viewer UserID, name string) (users []UserID, err error) {
	defer primary.Wrap(&err, "subscribers of %q", name)
	const query = `
		select user_id
		from subscriptions
		where timeline_id = $1 and user_id not in (
			select target_id from bans where user_id = $2
			union select user_id from bans where target_id = $2
			union select user_id from jobs where kind = 'delete account')
		order by created_at desc, user_id
		limit $3`
	err = s.db.View(ctx, func(q primary.Querier) error {
		_, t, _, err := openFeed(ctx, q, viewer, name)
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, t.ID, viewer, maxListed)
		if err != nil {
			return err
		}
		return primary.Collect(&users)(rows)
	})
	return users, err
}

// SomeSubscribers returns at most n of the subscribers whom [Store.Subscribers] returns: first the
// people whom the viewer follows, then the newest.
func (s *Store) SomeSubscribers(ctx context.Context, viewer UserID, name string, n int) (users []UserID, err error) {
	defer primary.Wrap(&err, "some subscribers of %q", name)
	const query = `
		with apart as (
			select target_id as id from bans where user_id = $2
			union select user_id from bans where target_id = $2
			union select user_id from jobs where kind = 'delete account'
		), followed as (
			select s.user_id, s.created_at
			from subscriptions f join timelines t on t.id = f.timeline_id and t.what = 'user'
			join subscriptions s on s.user_id = t.their_id and s.timeline_id = $1
			where f.user_id = $2 and s.user_id not in (select id from apart)
			order by s.created_at desc, s.user_id limit $3
		), newest as (
			select user_id, created_at from subscriptions
			where timeline_id = $1 and user_id not in (select id from apart)
			order by created_at desc, user_id limit $3
		)
		select user_id from (
			select user_id, created_at, true as is_followed from followed
			union all select user_id, created_at, false from newest where user_id not in (select user_id from followed)
		) picked
		order by is_followed desc, created_at desc, user_id limit $3`
	err = s.db.View(ctx, func(q primary.Querier) error {
		_, t, _, err := openFeed(ctx, q, viewer, name)
		if err != nil {
			return err
		}
		return primary.Read(ctx, q, &users, query, t.ID, viewer, n)
	})
	return users, err
}

// FeedSubscribers returns the subscribers of a feed that the actor manages, the newest first and at
// most five thousand. The subscribers of a private sub-feed are listed for its owner alone. The
// list includes people across a ban from the actor, so that the actor can remove them from a group.
func (s *Store) FeedSubscribers(ctx context.Context, actor UserID, name FeedName) (users []UserID, err error) {
	defer primary.Wrap(&err, "subscribers of %v", name)
	const query = `
		select user_id
		from subscriptions
		where timeline_id = $1 and user_id not in (select user_id from jobs where kind = 'delete account')
		order by created_at desc, user_id
		limit $2`
	err = s.db.View(ctx, func(q primary.Querier) error {
		t, err := managedFeed(ctx, q, actor, name)
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, t.ID, maxListed)
		if err != nil {
			return err
		}
		return primary.Collect(&users)(rows)
	})
	return users, err
}

// SubscribersAmong returns those of the given people who subscribe to the feed of a person, without deleted accounts.
func (s *Store) SubscribersAmong(ctx context.Context, whose UserID, people []UserID) (users []UserID, err error) {
	defer primary.Wrap(&err, "subscribers of user %d among %d people", whose, len(people))
	const query = `
		select s.user_id
		from subscriptions s join timelines t on t.id = s.timeline_id
		where t.what = 'user' and t.their_id = $1 and s.user_id = any($2)
			and exists (select from users u where u.id = s.user_id and u.status <> 'deleted')`
	rows, err := s.db.Pool.Query(ctx, query, whose, people)
	if err != nil {
		return nil, err
	}
	return users, primary.Collect(&users)(rows)
}

// Subscriptions returns the people and groups that a person follows, the newest first,
// as far as [Sets.ToldOf] lets the viewer know. It returns [ErrForbidden] if the viewer
// may not read the person's feed.
func (s *Store) Subscriptions(ctx context.Context, viewer UserID, name string) (users []UserID, groups []GroupID, err error) {
	defer primary.Wrap(&err, "subscriptions of %q", name)
	err = s.db.View(ctx, func(q primary.Querier) error {
		n, _, sets, err := openFeed(ctx, q, viewer, name)
		if err != nil {
			return err
		}
		if n.User == 0 {
			return ErrNotFound // a group has no subscriptions
		}
		feeds, err := followed(ctx, q, sets, n.User)
		for _, t := range feeds {
			if t.What == WhatGroup {
				groups = append(groups, GroupID(t.TheirID))
			} else {
				users = append(users, UserID(t.TheirID))
			}
		}
		return err
	})
	return users, groups, err
}

// ToldOf reports whether the viewer may know that the follower subscribes to a feed. Viewers may
// know of their own subscriptions, and of subscriptions to feeds that they may read, but not of
// subscriptions to feeds of deleted accounts.
func (s *Sets) ToldOf(follower UserID, feed Timeline) bool {
	return feed.Access != AccessClosed && (s.User != 0 && s.User == follower || s.Readable(feed))
}

// followed returns the people's feeds and the groups to which a person subscribes, the
// newest first, as far as the viewer may know.
func followed(ctx context.Context, q primary.Querier, viewer *Sets, who UserID) ([]Timeline, error) {
	const query = `
		select t.id, t.what, t.their_id, t.access
		from subscriptions s join timelines t on t.id = s.timeline_id and t.what in ('user', 'group')
		where s.user_id = $1
		order by s.created_at desc, t.their_id`
	rows, err := q.Query(ctx, query, who)
	if err != nil {
		return nil, err
	}
	feeds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Timeline])
	return slices.DeleteFunc(feeds, func(t Timeline) bool { return !viewer.ToldOf(who, t) }), err
}

// openFeed returns the feed of a name and the viewer's sets. It returns [ErrForbidden] if the viewer
// may not read the feed. [ErrNotFound] would hide nothing, because all readers may know which
// accounts exist. Of a suspended person, or one who deleted the account, it returns [ErrNotFound], like all pages.
func openFeed(ctx context.Context, q primary.Querier, viewer UserID, name string) (Named, Timeline, *Sets, error) {
	const query = `select id, what, their_id, access from timelines where what = $1 and their_id = $2`
	var t Timeline
	n, err := lookup(ctx, q, name)
	if err != nil {
		return n, t, nil, err
	}
	sets, err := ReadSets(ctx, q, viewer)
	if err != nil {
		return n, t, nil, err
	}
	what, their := n.feed()
	if err := q.QueryRow(ctx, query, what, their).Scan(&t.ID, &t.What, &t.TheirID, &t.Access); err != nil {
		return n, t, nil, err
	}
	switch {
	case t.Access == AccessClosed:
		return n, t, sets, ErrNotFound
	case !sets.Readable(t):
		return n, t, sets, ErrForbidden
	}
	return n, t, sets, nil
}

// All viewers may see the numbers on the page of a person or a group, even if they may not see the
// lists of people: the existence of the account is public, and so are its numbers.

// CountSubscribers returns how many people subscribe to a person's or a group's feed,
// without deleted accounts and people across a ban from the viewer.
func (s *Store) CountSubscribers(ctx context.Context, viewer UserID, name string) (n int, err error) {
	defer primary.Wrap(&err, "subscribers of %q", name)
	// A feed may have very many subscribers: an index counts all of them, and then the
	// few that do not count are subtracted. A deleted account has subscriptions only
	// until its job is done.
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
			(select count(*) from subscriptions where timeline_id = (select id from feed) and user_id in (select id from unseen))`
	whose, err := lookup(ctx, s.db.Pool, name)
	if err == nil {
		what, their := whose.feed()
		err = s.db.Pool.QueryRow(ctx, query, what, their, viewer).Scan(&n)
	}
	return n, err
}

// CountSubscriptions returns how many people's feeds and groups a person subscribes to,
// as far as [Sets.ToldOf] lets the viewer know.
func (s *Store) CountSubscriptions(ctx context.Context, viewer *Sets, name string) (people, groups int, err error) {
	defer primary.Wrap(&err, "subscriptions of %q", name)
	whose, err := lookup(ctx, s.db.Pool, name)
	if err == nil && whose.User != 0 {
		var feeds []Timeline
		feeds, err = followed(ctx, s.db.Pool, viewer, whose.User)
		for _, t := range feeds {
			if t.What == WhatGroup {
				groups++
			}
		}
		people = len(feeds) - groups
	}
	return people, groups, err
}
