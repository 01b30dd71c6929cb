package discover

import (
	"context"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// An Order is the order of a directory.
type Order string

// The orders.
const (
	BySize     Order = "size"     // most members first
	ByActivity Order = "activity" // the newest post or comment first
	ByName     Order = "name"
)

// A Listed is a person or a group in a directory, with facts that help a viewer to choose.
type Listed struct {
	ID      int64 // a [timeline.UserID] or a [timeline.GroupID]
	Feed    timeline.TimelineID
	Members int       // the number that [timeline.Store.CountSubscribers] returns
	Active  time.Time // when the newest post or comment was written, rounded up to a minute; zero: never, or the feed is not public
}

// mostListed is how many feeds a directory has in the orders by size and by activity.
const mostListed = 6_500

// largeFrom is a number of members. The members of a feed with so many or more are not counted each
// time the feed is shown.
const largeFrom = 1_000

// Standings are all people or all groups in the orders of a directory, as they were when
// [Store.Standings] read them. Standings never change, and callers may keep them for a while. They
// have the sizes of large feeds; the members of other feeds are counted when the feed is shown.
type Standings struct {
	bySize, byActivity []int64
	sizes              map[int64]int // of large feeds
	upto               int64         // the highest id
}

// Standings returns the standings of all people ([timeline.WhatUser]) or groups
// ([timeline.WhatGroup]). It is slow, because it reads all subscriptions to them. Accounts under
// deletion are not counted as members. The order by activity has only public feeds, and those that a suspension has closed.
// Suspended people have a place in both orders, so that they are back as soon as they are restored; [Store.Directory] leaves
// them out.
func (s *Store) Standings(ctx context.Context, what timeline.What) (_ *Standings, err error) {
	defer primary.Wrap(&err, "standings of each %s", what)
	const suspended = `t.access = 'closed' and $1 = 'user'
		and exists (select from users u where u.id = t.their_id and u.suspended_at is not null and u.status <> 'deleted')`
	const sizes = `
		select t.their_id, count(s.user_id)
		from timelines t left join subscriptions s
			on s.timeline_id = t.id and s.user_id not in (select user_id from jobs where kind = 'delete account')
		where t.what = $1 and (t.access <> 'closed' or ` + suspended + `)
		group by 1 order by 2 desc, 1 limit $2`
	const activity = `
		select t.their_id from timelines t
		where t.what = $1 and (t.access = 'public' or ` + suspended + `) and t.latest_at > 0
		order by t.latest_at desc, t.their_id limit $2`
	const upto = `select coalesce(max(their_id), 0) from timelines where what = $1`
	st := &Standings{sizes: make(map[int64]int)}
	err = s.db().View(ctx, func(q primary.Querier) error {
		var b pgx.Batch
		b.Queue(sizes, what, mostListed).Query(func(rows pgx.Rows) error {
			var id int64
			var n int
			_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
				if st.bySize = append(st.bySize, id); n >= largeFrom {
					st.sizes[id] = n
				}
				return nil
			})
			return err
		})
		b.Queue(activity, what, mostListed).Query(primary.Collect(&st.byActivity))
		b.Queue(upto, what).QueryRow(func(row pgx.Row) error { return row.Scan(&st.upto) })
		return q.SendBatch(ctx, &b).Close()
	})
	if err != nil {
		return nil, err
	}
	return st, nil
}

// Without returns the standings without the size of one feed. The size is then counted when the
// feed is shown; the feed keeps its place in the orders.
func (st *Standings) Without(id int64) *Standings {
	if st == nil {
		return nil
	}
	if _, known := st.sizes[id]; !known {
		return st
	}
	other := *st
	other.sizes = maps.Clone(st.sizes)
	delete(other.sizes, id)
	return &other
}

// ranked returns the ids in an order. Feeds with ids above upto were made after the standings were
// read, and follow the others.
func (st *Standings) ranked(order Order) (ids []int64, upto int64) {
	if st == nil {
		return nil, 0
	}
	if order == ByActivity {
		return st.byActivity, math.MaxInt64
	}
	return st.bySize, st.upto
}

// Directory returns up to want people ([timeline.WhatUser]) or groups ([timeline.WhatGroup]) in an
// order, beginning at an offset. With a text, it returns only the accounts that [Store.Find] finds
// by the text. Without a text, the order by activity has only public feeds.
//
// Example: when the standings were read, anna had 5 subscribers and bert 3; carl signed up later.
// The directory by size is anna, bert, carl. With the text "ber" it is bert.
func (s *Store) Directory(ctx context.Context, viewer timeline.UserID, what timeline.What, text string, order Order, st *Standings, offset, want int) (all []Listed, err error) {
	defer primary.Wrap(&err, "directory of each %s", what)
	const (
		namedUsers  = `select u.id from users u where ` + visibleUsers + ` order by u.name limit $2 offset $3`
		namedGroups = `select g.id from groups g where ` + visibleGroups + ` order by g.name limit $2 offset $3`
		rankedUsers = `
			select u.id
			from (
				select id, n from unnest($2::bigint[]) with ordinality as r (id, n)
				union all select id, $4::bigint + id from users where id > $3
			) r join users u on u.id = r.id
			where ` + visibleUsers + ` and (not $7 or exists (
				select from timelines t where t.what = 'user' and t.their_id = u.id and t.access = 'public'))
			order by r.n limit $5 offset $6`
		rankedGroups = `
			select g.id
			from (
				select id, n from unnest($2::bigint[]) with ordinality as r (id, n)
				union all select id, $4::bigint + id from groups where id > $3
			) r join groups g on g.id = r.id
			where ` + visibleGroups + ` and (not $7 or exists (
				select from timelines t where t.what = 'group' and t.their_id = g.id and t.access = 'public'))
			order by r.n limit $5 offset $6`
		matchedUsers = `
			select u.id from users u left join unnest($6::bigint[]) with ordinality as r (id, n) on r.id = u.id
			where ` + visibleUsers + ` and ` + matchingUsers + ` order by r.n, u.name limit $7 offset $8`
		matchedGroups = `
			select g.id from groups g left join unnest($6::bigint[]) with ordinality as r (id, n) on r.id = g.id
			where ` + visibleGroups + ` and ` + matchingGroups + ` order by r.n, g.name limit $7 offset $8`
	)
	named, ranked, matched := namedUsers, rankedUsers, matchedUsers
	if what == timeline.WhatGroup {
		named, ranked, matched = namedGroups, rankedGroups, matchedGroups
	}
	ids, upto := st.ranked(order)
	if order == ByName {
		ids = nil
	}
	// A feed may have been closed after the standings were read, so the statements test the access.
	query, args := ranked, []any{primary.Planned, viewer, ids, upto, mostListed, want, offset, order == ByActivity}
	switch {
	case strings.TrimSpace(text) != "":
		if args, err = findArgs(viewer, text); err != nil {
			return nil, err
		}
		query, args = matched, append(args, ids, want, offset)
	case order == ByName:
		query, args = named, []any{primary.Planned, viewer, want, offset}
	}
	err = s.db().View(ctx, func(q primary.Querier) error {
		var ids []int64
		if err := primary.Read(ctx, q, &ids, query, args...); err != nil {
			return err
		}
		all, err = describe(ctx, q, viewer, what, ids, st)
		return err
	})
	return all, err
}

// Describe returns the facts of the people or groups with the given ids, in the order of the ids. It
// leaves out ids without a feed. st may be nil.
func (s *Store) Describe(ctx context.Context, viewer timeline.UserID, what timeline.What, ids []int64, st *Standings) (all []Listed, err error) {
	defer primary.Wrap(&err, "facts of each %s", what)
	err = s.db().View(ctx, func(q primary.Querier) error {
		all, err = describe(ctx, q, viewer, what, ids, st)
		return err
	})
	return all, err
}

func describe(ctx context.Context, q primary.Querier, viewer timeline.UserID, what timeline.What, ids []int64, st *Standings) ([]Listed, error) {
	const feeds = `
		select their_id, id, case access when 'public' then latest_at else 0 end from timelines where what = $1 and their_id = any($2)`
	const unknown = `
		select t.their_id, count(s.user_id)
		from timelines t left join subscriptions s
			on s.timeline_id = t.id and s.user_id not in (select user_id from jobs where kind = 'delete account')
		where t.what = $1 and t.their_id = any($2)
		group by 1`
	const unseen = `
		select t.their_id, count(*)
		from subscriptions s join timelines t on t.id = s.timeline_id and t.what = $1 and t.their_id = any($2)
		where s.user_id in (
				select target_id from bans where user_id = $3
				union select user_id from bans where target_id = $3)
			and s.user_id not in (select user_id from jobs where kind = 'delete account')
		group by 1`
	if len(ids) == 0 {
		return nil, nil
	}
	found, counted, banned := make(map[int64]Listed), make(map[int64]int), make(map[int64]int)
	var missing []int64
	for _, id := range ids {
		known := false
		if st != nil {
			counted[id], known = st.sizes[id]
		}
		if !known {
			missing = append(missing, id)
		}
	}
	var b pgx.Batch
	b.Queue(feeds, what, ids).Query(func(rows pgx.Rows) error {
		var l Listed
		var at int64
		_, err := pgx.ForEachRow(rows, []any{&l.ID, &l.Feed, &at}, func() error {
			if l.Active = (time.Time{}); at > 0 {
				l.Active = time.UnixMilli(at).UTC()
			}
			found[l.ID] = l
			return nil
		})
		return err
	})
	if len(missing) > 0 {
		b.Queue(unknown, what, missing).Query(primary.CollectMap(counted))
	}
	if viewer != 0 {
		b.Queue(unseen, what, ids, viewer).Query(primary.CollectMap(banned))
	}
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return nil, err
	}
	var all []Listed
	for _, id := range ids {
		if l, there := found[id]; there {
			// The two numbers may be of different times, so their difference may be negative.
			l.Members = max(0, counted[id]-banned[id])
			all = append(all, l)
		}
	}
	return all, nil
}
