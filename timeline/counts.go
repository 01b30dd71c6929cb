package timeline

import (
	"context"
	"fmt"
)

// Numbers of a person's or a group's page are known to everybody, like the
// accounts themselves, also where the lists are not.

// CountSubscribers counts who follows a name, without deleted accounts and whoever
// is on the other side of a ban from the viewer.
func (s *Store) CountSubscribers(ctx context.Context, viewer UserID, name string) (n int, err error) {
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
			(select count(*) from subscriptions where timeline_id = (select id from feed) and user_id in (select id from unseen))`
	whose, err := lookup(ctx, s.pool, name)
	if err == nil {
		what, their := whose.feed()
		err = s.pool.QueryRow(ctx, query, what, their, viewer).Scan(&n)
	}
	if err != nil {
		return 0, fmt.Errorf("subscribers of %q: %w", name, err)
	}
	return n, nil
}

// CountSubscriptions counts the people and the groups that a person follows, as
// far as the viewer is told: see [Sets.ToldOf]. A group follows nobody.
func (s *Store) CountSubscriptions(ctx context.Context, viewer *Sets, name string) (people, groups int, err error) {
	whose, err := lookup(ctx, s.pool, name)
	if err == nil && whose.User != 0 {
		var feeds []Timeline
		feeds, err = followed(ctx, s.pool, viewer, whose.User)
		for _, t := range feeds {
			if t.What == WhatGroup {
				groups++
			}
		}
		people = len(feeds) - groups
	}
	if err != nil {
		return 0, 0, fmt.Errorf("subscriptions of %q: %w", name, err)
	}
	return people, groups, nil
}
