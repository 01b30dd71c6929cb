package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ReadSets reads what one viewer may read and do; of anonymous readers without
// asking. What decides nothing is left out: what he hides, what waits for him,
// and what he waits for.
func ReadSets(ctx context.Context, q primary.Querier, viewer UserID) (*Sets, error) {
	if viewer == 0 {
		return &Sets{}, nil
	}
	r := readingOf(viewer)
	r.rights()
	err := r.send(ctx, q)
	return r.sets[viewer], err
}

// lockSets reads them for a write of the actor's, and keeps them as they are
// until it ends: whoever bans or excludes him waits, and then finds what he wrote;
// or he waits for that, and then is told that he may not. The statements that read
// the sets begin when the lock was had, though they were sent along with it.
func lockSets(ctx context.Context, tx primary.Querier, actor UserID) (*Sets, error) {
	r := readingOf(actor)
	r.lock()
	r.rights()
	err := r.send(ctx, tx)
	return r.sets[actor], err
}

// ReadSetsOf reads the sets of several viewers in one round trip, and the
// timelines that they name. A viewer who is not there, or is suspended, has
// none.
func ReadSetsOf(ctx context.Context, q primary.Querier, viewers []UserID) (map[UserID]*Sets, map[TimelineID]Timeline, error) {
	r := readingOf(viewers...)
	if len(viewers) == 0 || len(viewers) == 1 && viewers[0] == 0 {
		return r.sets, nil, nil
	}
	r.rights()
	r.waiting()
	r.hides()
	r.homes()
	if err := r.send(ctx, q); err != nil {
		return nil, nil, err
	}
	return r.sets, r.timelines, nil
}

// A reading of sets: statements that run together in one round trip.
type reading struct {
	pgx.Batch
	viewers   []UserID
	sets      map[UserID]*Sets
	timelines map[TimelineID]Timeline
}

func readingOf(viewers ...UserID) *reading {
	r := &reading{viewers: viewers, sets: make(map[UserID]*Sets, len(viewers)), timelines: make(map[TimelineID]Timeline)}
	for _, v := range viewers {
		r.sets[v] = &Sets{User: v, Suspended: v != 0}
	}
	return r
}

// each queues a query whose rows are a viewer and more values.
func (r *reading) each(query string, dest []any, row func(*Sets)) {
	r.Queue(query, r.viewers).Query(func(rows pgx.Rows) error {
		var user UserID
		_, err := pgx.ForEachRow(rows, append([]any{&user}, dest...), func() error {
			if s := r.sets[user]; s != nil {
				row(s)
			}
			return nil
		})
		return err
	})
}

// lock keeps the viewers' rows until the transaction ends; see [lockSets].
func (r *reading) lock() {
	const query = `select from users where id = any($1) order by id for share`
	r.Queue(query, r.viewers)
}

// rights are what they may read and do.
func (r *reading) rights() {
	const people = `
		select id, admin, suspended_at is not null or status = 'deleted' from users where id = any($1)`
	const own = `
		select their_id, id, what, their_id, access from timelines
		where their_id = any($1) and what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions')`
	// A row a subscription, with what comes along: each by its key, from the
	// index alone.
	const subscribed = `
		select s.user_id, t.id, t.what, t.their_id, t.access, s.since, l.id, l.access, c.id, c.access
		from subscriptions s
		join timelines t on t.id = s.timeline_id
		left join timelines l on t.what = 'user' and l.what = 'user_likes' and l.their_id = t.their_id
		left join timelines c on t.what = 'user' and c.what = 'user_comments' and c.their_id = t.their_id
		where s.user_id = any($1)`
	const bans = `
		select user_id, target_id, true from bans where user_id = any($1)
		union all
		select target_id, user_id, false from bans where target_id = any($1)`
	const excluded = `
		select user_id, timeline_id from timeline_excluded where user_id = any($1)`
	const administers = `
		select user_id, group_id from group_admins where user_id = any($1)`
	var (
		flag, flag2 bool
		t           Timeline
		timeline    TimelineID
		other       UserID
		group       GroupID
	)
	r.each(people, []any{&flag, &flag2}, func(s *Sets) { s.Admin, s.Suspended = flag, flag2 })
	whole := []any{&t.ID, &t.What, &t.TheirID, &t.Access}
	r.each(own, whole, func(s *Sets) {
		r.timelines[t.ID] = t
		put(&s.Own, t.What, t.ID)
		switch t.What {
		case WhatUserFavs, WhatDiscussions, WhatMentions: // pages of their own
		default:
			put(&s.Feeds, t.ID, true)
		}
	})
	var likes, comments *TimelineID
	var likesAccess, commentsAccess *Access
	var since *int64
	r.each(subscribed, append(slices.Clip(whole), &since, &likes, &likesAccess, &comments, &commentsAccess), func(s *Sets) {
		follow := func(t Timeline) {
			r.timelines[t.ID] = t
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
	r.each(bans, []any{&other, &flag}, func(s *Sets) { put(&s.Bans, other, flag || s.Bans[other]) })
	r.each(excluded, []any{&timeline}, func(s *Sets) { put(&s.Excluded, timeline, true) })
	r.each(administers, []any{&group}, func(s *Sets) { put(&s.Administers, group, true) })
}

// waiting is what waits for an answer, theirs or another's.
func (r *reading) waiting() {
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
	var timeline TimelineID
	var count int
	r.each(requested, []any{&timeline}, func(s *Sets) { put(&s.Requested, timeline, true) })
	r.each(invited, []any{&timeline}, func(s *Sets) {
		put(&s.Invited, timeline, true)
		s.Incoming++
	})
	r.each(incoming, []any{&count}, func(s *Sets) { s.Incoming += count })
}

// hides are what they fold away.
func (r *reading) hides() {
	const hiddenPosts = `
		select user_id, post_id from hidden_posts where user_id = any($1)`
	const hiddenUsers = `
		select user_id, target_id, posts, comments from hidden_users where user_id = any($1)`
	var post PostID
	var other UserID
	var posts, comments bool
	r.each(hiddenPosts, []any{&post}, func(s *Sets) { put(&s.HiddenPosts, post, true) })
	r.each(hiddenUsers, []any{&other, &posts, &comments}, func(s *Sets) {
		if posts {
			put(&s.HiddenUsers, other, true)
		}
		if comments {
			put(&s.HiddenComments, other, true)
		}
	})
}

// homes are what stands in their homes and lists, beside what they follow.
func (r *reading) homes() {
	const ownPosts = `
		select id from users where id = any($1) and not own_posts`
	const muted = `
		select user_id, timeline_id from muted where user_id = any($1)`
	const lists = `
		select l.user_id, l.id, l.name, t.id, t.what, t.their_id, t.access, f.id, f.what, f.access
		from lists l
		left join list_members m on m.list_id = l.id
		left join timelines t on t.id = m.timeline_id
		left join timelines f on t.what = 'user' and f.their_id = t.their_id and f.what in ('user_likes', 'user_comments')
		where l.user_id = any($1)`
	var (
		id         TimelineID
		list       List
		member     *TimelineID
		what       *What
		their      *int64
		access     *Access
		along      *TimelineID
		alongWhat  *What
		alongWhose *Access
	)
	r.each(ownPosts, nil, func(s *Sets) { s.OwnLeftOut = true })
	r.each(muted, []any{&id}, func(s *Sets) { put(&s.Muted, id, true) })
	r.each(lists, []any{&list.ID, &list.Name, &member, &what, &their, &access, &along, &alongWhat, &alongWhose}, func(s *Sets) {
		l := s.Lists[list.ID]
		if l == nil {
			l = &List{ID: list.ID, Name: list.Name}
			put(&s.Lists, l.ID, l)
		}
		if member == nil {
			return
		}
		put(&l.Members, *member, true)
		put(&l.Feeds, *member, true)
		r.timelines[*member] = Timeline{*member, *what, *their, *access}
		if along != nil {
			r.timelines[*along] = Timeline{*along, *alongWhat, *their, *alongWhose}
			if !s.Muted[*along] {
				put(&l.Feeds, *along, true)
			}
		}
	})
}

// send has all that was queued done.
func (r *reading) send(ctx context.Context, q primary.Querier) error {
	if err := q.SendBatch(ctx, &r.Batch).Close(); err != nil {
		return err
	}
	for v, s := range r.sets {
		if s.Suspended {
			r.sets[v] = &Sets{User: v, Suspended: true}
		}
	}
	return nil
}

// put sets m[k] in a map that may not have been made yet.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
