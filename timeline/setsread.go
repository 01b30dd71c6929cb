package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// readSets reads the sets of one viewer; of anonymous readers without asking.
func readSets(ctx context.Context, q querier, viewer UserID) (*Sets, error) {
	all, _, err := readSetsOf(ctx, q, []UserID{viewer})
	if err != nil {
		return nil, err
	}
	return all[viewer], nil
}

// readSetsOf reads the sets of several viewers in one round trip, and the
// timelines that they name. A viewer who is not there, or is suspended, has
// none.
func readSetsOf(ctx context.Context, q querier, viewers []UserID) (map[UserID]*Sets, map[TimelineID]Timeline, error) {
	const people = `
		select id, admin, suspended_at is not null or status = 'deleted' from users where id = any($1)`
	const own = `
		select their_id, id, what, their_id, access from timelines
		where their_id = any($1) and what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'user_likes', 'user_comments', 'user_favs', 'mentions')`
	// A row a subscription, with what comes along: each by its key, from the
	// index alone.
	const subscribed = `
		select s.user_id, t.id, t.what, t.their_id, t.access, s.since, l.id, l.access, c.id, c.access
		from subscriptions s
		join timelines t on t.id = s.timeline_id
		left join timelines l on t.what = 'user' and l.what = 'user_likes' and l.their_id = t.their_id
		left join timelines c on t.what = 'user' and c.what = 'user_comments' and c.their_id = t.their_id
		where s.user_id = any($1)`
	const requested = `
		select user_id, timeline_id from subscription_requests where user_id = any($1)`
	const incoming = `
		select t.their_id, count(*) from subscription_requests r
		join timelines t on t.id = r.timeline_id and t.what in ('user', 'user_private')
		where t.their_id = any($1) group by 1
		union all
		select a.user_id, count(*) from group_admins a
		join timelines t on t.what = 'group' and t.their_id = a.group_id
		join subscription_requests r on r.timeline_id = t.id
		where a.user_id = any($1) group by 1`
	const invited = `
		select user_id, timeline_id from invitations where user_id = any($1)`
	const bans = `
		select user_id, target_id, true from bans where user_id = any($1)
		union all
		select target_id, user_id, false from bans where target_id = any($1)`
	const excluded = `
		select user_id, timeline_id from timeline_excluded where user_id = any($1)`
	const administers = `
		select user_id, group_id from group_admins where user_id = any($1)`
	const hiddenPosts = `
		select user_id, post_id from hidden_posts where user_id = any($1)`
	const hiddenUsers = `
		select user_id, target_id, posts, comments from hidden_users where user_id = any($1)`

	sets := make(map[UserID]*Sets, len(viewers))
	for _, v := range viewers {
		sets[v] = &Sets{User: v, Suspended: v != 0}
	}
	if len(viewers) == 0 || len(viewers) == 1 && viewers[0] == 0 {
		return sets, nil, nil
	}
	timelines := make(map[TimelineID]Timeline)
	var (
		batch pgx.Batch
		user  UserID
	)
	// each queues a query whose rows are a viewer and more values.
	each := func(query string, dest []any, row func(*Sets)) {
		batch.Queue(query, viewers).Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, append([]any{&user}, dest...), func() error {
				if s := sets[user]; s != nil {
					row(s)
				}
				return nil
			})
			return err
		})
	}
	var (
		flag, flag2 bool
		t           Timeline
		timeline    TimelineID
		other       UserID
		group       GroupID
		post        PostID
		count       int
	)
	each(people, []any{&flag, &flag2}, func(s *Sets) { s.Admin, s.Suspended = flag, flag2 })
	whole := []any{&t.ID, &t.What, &t.TheirID, &t.Access}
	each(own, whole, func(s *Sets) {
		timelines[t.ID] = t
		put(&s.Own, t.What, t.ID)
		switch t.What {
		case WhatUserFavs, WhatMentions: // pages of their own
		default:
			put(&s.Feeds, t.ID, true)
		}
	})
	var likes, comments *TimelineID
	var likesAccess, commentsAccess *Access
	var since *int64
	each(subscribed, append(slices.Clip(whole), &since, &likes, &likesAccess, &comments, &commentsAccess), func(s *Sets) {
		follow := func(t Timeline) {
			timelines[t.ID] = t
			put(&s.Feeds, t.ID, true)
			if since != nil {
				put(&s.Since, t.ID, *since)
			}
		}
		put(&s.Subscribed, t.ID, true)
		follow(t)
		if likes != nil {
			follow(Timeline{*likes, WhatUserLikes, t.TheirID, *likesAccess})
		}
		if comments != nil {
			follow(Timeline{*comments, WhatUserComments, t.TheirID, *commentsAccess})
		}
	})
	each(requested, []any{&timeline}, func(s *Sets) { put(&s.Requested, timeline, true) })
	each(invited, []any{&timeline}, func(s *Sets) {
		put(&s.Invited, timeline, true)
		s.Incoming++
	})
	each(incoming, []any{&count}, func(s *Sets) { s.Incoming += count })
	each(bans, []any{&other, &flag}, func(s *Sets) { put(&s.Bans, other, flag || s.Bans[other]) })
	each(excluded, []any{&timeline}, func(s *Sets) { put(&s.Excluded, timeline, true) })
	each(administers, []any{&group}, func(s *Sets) { put(&s.Administers, group, true) })
	each(hiddenPosts, []any{&post}, func(s *Sets) { put(&s.HiddenPosts, post, true) })
	each(hiddenUsers, []any{&other, &flag, &flag2}, func(s *Sets) {
		if flag {
			put(&s.HiddenUsers, other, true)
		}
		if flag2 {
			put(&s.HiddenComments, other, true)
		}
	})
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("sets of %d viewers: %w", len(viewers), err)
	}
	for v, s := range sets {
		if s.Suspended {
			sets[v] = &Sets{User: v, Suspended: true}
		}
	}
	return sets, timelines, nil
}

// put sets m[k] in a map that may not have been made yet.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
