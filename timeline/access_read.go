package timeline

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ReadSets reads everything that decides which posts one viewer may read and which actions the
// viewer may take, as of the state that q shows. For viewer 0, a visitor, ReadSets returns empty
// sets without a query. ReadSets leaves out hides, mutes, lists, requests and invitations, which
// decide nothing; [ReadSetsOf] reads them too. For a suspended, deleted or missing viewer the
// sets are empty but for Suspended.
func ReadSets(ctx context.Context, q primary.Querier, viewer UserID) (*Sets, error) {
	if viewer == 0 {
		return &Sets{}, nil
	}
	r := newSetsReader(viewer)
	r.queueRights()
	r.queueSubscriptions()
	err := r.run(ctx, q)
	return r.sets[viewer], err
}

// lockSets reads the sets of the actor for a write, and locks the actor's row until the
// transaction ends, so that the sets stay true until the write is committed. The sets decide about posts and the places
// of posts. They know which feeds the actor follows, but not what a subscription brings to the actor's home.
//
// A ban or an exclusion of the actor locks the same row alone, and so comes before the write or
// after it. A ban before the write is in these sets, and the write is refused. A ban after the
// write waits, and then finds the rows of the write. The lock and the queries travel in one batch,
// but each query begins, and takes its snapshot, when the lock is held.
//
// The functions more add queries to the batch.
func lockSets(ctx context.Context, tx primary.Querier, actor UserID, more ...func(*pgx.Batch, UserID)) (*Sets, error) {
	r := newSetsReader(actor)
	for _, add := range more {
		add(&r.Batch, actor)
	}
	r.queueLock()
	r.queueRights()
	r.queueFollowed()
	err := r.run(ctx, tx)
	r.sets[actor].AsMember = actsAsMember(ctx)
	return r.sets[actor], err
}

// actorSets reads the sets of the actor of a write, without a lock.
func actorSets(ctx context.Context, q primary.Querier, actor UserID) (*Sets, error) {
	sets, err := ReadSets(ctx, q, actor)
	if sets != nil {
		sets.AsMember = actsAsMember(ctx)
	}
	return sets, err
}

// ReadSetsOf reads the sets of several viewers in one round trip: all fields of [Sets], also the
// fields that decide nothing. It returns the sets by viewer, and by id the timelines of Own, Feeds
// and Lists of all viewers. A suspended, deleted or missing viewer gets sets that are empty but
// for Suspended.
func ReadSetsOf(ctx context.Context, q primary.Querier, viewers []UserID) (map[UserID]*Sets, map[TimelineID]Timeline, error) {
	r := newSetsReader(viewers...)
	if len(viewers) == 0 || len(viewers) == 1 && viewers[0] == 0 {
		return r.sets, nil, nil
	}
	r.queueRights()
	r.queueSubscriptions()
	r.queueRequests()
	r.queueHides()
	r.queueHomes()
	if err := r.run(ctx, q); err != nil {
		return nil, nil, err
	}
	return r.sets, r.timelines, nil
}

// A setsReader reads sets: its methods queue statements, which run sends in one round trip.
type setsReader struct {
	pgx.Batch
	viewers   []UserID
	sets      map[UserID]*Sets
	timelines map[TimelineID]Timeline
}

// newSetsReader returns a reader of the sets of these viewers, with nothing queued yet.
// Until a row of the table users says otherwise, a viewer other than 0 counts as suspended.
func newSetsReader(viewers ...UserID) *setsReader {
	r := &setsReader{viewers: viewers, sets: make(map[UserID]*Sets, len(viewers)), timelines: make(map[TimelineID]Timeline)}
	for _, v := range viewers {
		r.sets[v] = &Sets{User: v, Suspended: v != 0}
	}
	return r
}

// queue adds a query about all viewers. The first column of its rows is the viewer; the
// other columns are scanned into dest, and then row is called with the sets of that viewer.
//
// A query compares with any($1), the viewers. For a single viewer, queue sends the query with $1 instead, because
// PostgreSQL keeps a plan for one number. It would plan the query again at each execution for an array of one: such a
// plan seems cheaper to it than a plan for any array. Planning takes longer than the execution.
func (r *setsReader) queue(query string, dest []any, row func(*Sets)) {
	var of any = r.viewers
	if len(r.viewers) == 1 {
		query, of = strings.ReplaceAll(query, "any($1)", "$1"), r.viewers[0]
	}
	r.Queue(query, of).Query(func(rows pgx.Rows) error {
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

// queueLock locks the rows of the viewers until the transaction ends; see [lockSets].
func (r *setsReader) queueLock() {
	const query = `select from users where id = any($1) order by id for share`
	r.Queue(query, r.viewers)
}

// queueRights queues the queries for the visibility rule and the rights of access_rights.go:
// the accounts of the viewers, their bans, the feeds that exclude them, and the groups that they administer. The feeds
// that the viewers follow are read by queueFollowed or queueSubscriptions.
func (r *setsReader) queueRights() {
	const people = `
		select id, admin, suspended_at is not null or status = 'deleted' from users where id = any($1)`
	const own = `
		select their_id, id, what, their_id, access from timelines
		where their_id = any($1) and what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions')`
	const bans = `
		select user_id, target_id, true from bans where user_id = any($1)
		union all
		select target_id, user_id, false from bans where target_id = any($1)`
	const excluded = `
		select user_id, timeline_id from timeline_excluded where user_id = any($1)`
	const administers = `
		select user_id, group_id from group_admins where user_id = any($1)`
	var (
		admin, suspended, byViewer bool
		t                          Timeline
		timeline                   TimelineID
		other                      UserID
		group                      GroupID
	)
	r.queue(people, []any{&admin, &suspended}, func(s *Sets) { s.Admin, s.Suspended = admin, suspended })
	r.queue(own, []any{&t.ID, &t.What, &t.TheirID, &t.Access}, func(s *Sets) {
		r.timelines[t.ID] = t
		put(&s.Own, t.What, t.ID)
		switch t.What {
		case WhatUserFavs, WhatDiscussions, WhatMentions: // have pages of their own, and no part in the home
		default:
			put(&s.Feeds, t.ID, true)
		}
	})
	r.queue(bans, []any{&other, &byViewer}, func(s *Sets) { put(&s.Bans, other, byViewer || s.Bans[other]) })
	r.queue(excluded, []any{&timeline}, func(s *Sets) { put(&s.Excluded, timeline, true) })
	r.queue(administers, []any{&group}, func(s *Sets) { put(&s.Administers, group, true) })
}

// queueFollowed queues the query for the feeds that the viewers follow. It suffices for decisions about posts and their
// places, and reads one index where queueSubscriptions joins three tables.
func (r *setsReader) queueFollowed() {
	const query = `select user_id, timeline_id from subscriptions where user_id = any($1)`
	var feed TimelineID
	r.queue(query, []any{&feed}, func(s *Sets) { put(&s.Subscribed, feed, true) })
}

// queueSubscriptions queues the query for the subscriptions of the viewers, with all that the subscriptions bring to
// their homes.
func (r *setsReader) queueSubscriptions() {
	// One row for each subscription. A subscription to a person brings the person's likes
	// and comments along. Each timeline is found by its key, from the index alone.
	const subscribed = `
		select s.user_id, t.id, t.what, t.their_id, t.access, s.since, (extract(epoch from s.created_at) * 1000)::bigint,
			l.id, l.access, c.id, c.access
		from subscriptions s
		join timelines t on t.id = s.timeline_id
		left join timelines l on t.what = 'user' and l.what = 'user_likes' and l.their_id = t.their_id
		left join timelines c on t.what = 'user' and c.what = 'user_comments' and c.their_id = t.their_id
		where s.user_id = any($1)`
	var t Timeline
	var likes, comments Timeline // with id 0 where none comes along
	var since *int64
	var began int64
	r.queue(subscribed, []any{&t.ID, &t.What, &t.TheirID, &t.Access, &since, &began,
		(*zeronull.Int8)(&likes.ID), (*zeronull.Text)(&likes.Access),
		(*zeronull.Int8)(&comments.ID), (*zeronull.Text)(&comments.Access),
	}, func(s *Sets) {
		follow := func(t Timeline) {
			r.timelines[t.ID] = t
			put(&s.Feeds, t.ID, true)
			put(&s.SubscribedAt, t.ID, began)
			if since != nil {
				put(&s.Since, t.ID, *since)
			}
		}
		put(&s.Subscribed, t.ID, true)
		follow(t)
		if likes.ID != 0 {
			follow(Timeline{likes.ID, WhatUserLikes, t.TheirID, likes.Access})
		}
		if comments.ID != 0 {
			follow(Timeline{comments.ID, WhatUserComments, t.TheirID, comments.Access})
		}
	})
}

// queueRequests reads the viewers' sent requests, their received invitations, and how many
// requests and invitations wait for their answer.
func (r *setsReader) queueRequests() {
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
	r.queue(requested, []any{&timeline}, func(s *Sets) { put(&s.Requested, timeline, true) })
	r.queue(invited, []any{&timeline}, func(s *Sets) {
		put(&s.Invited, timeline, true)
		s.Incoming++
	})
	r.queue(incoming, []any{&count}, func(s *Sets) { s.Incoming += count })
}

// queueHides reads the posts and the people the viewers hide.
func (r *setsReader) queueHides() {
	const hiddenPosts = `
		select user_id, post_id from hidden_posts where user_id = any($1)`
	const hiddenUsers = `
		select user_id, target_id, posts, comments from hidden_users where user_id = any($1)`
	var post PostID
	var other UserID
	var posts, comments bool
	r.queue(hiddenPosts, []any{&post}, func(s *Sets) { put(&s.HiddenPosts, post, true) })
	r.queue(hiddenUsers, []any{&other, &posts, &comments}, func(s *Sets) {
		if posts {
			put(&s.HiddenUsers, other, true)
		}
		if comments {
			put(&s.HiddenComments, other, true)
		}
	})
}

// queueHomes queues the queries for homes and lists: whether the viewers' own posts are left
// out, their mutes, and their lists. The mutes are read before the lists, because lists leave
// out muted likes and comments.
func (r *setsReader) queueHomes() {
	const ownPosts = `
		select id from users where id = any($1) and not own_posts`
	const mutes = `
		select user_id, timeline_id from muted where user_id = any($1)`
	const lists = `
		select l.user_id, l.id, l.name, t.id, t.what, t.their_id, t.access, f.id, f.what, f.access
		from lists l
		left join list_members m on m.list_id = l.id
		left join timelines t on t.id = m.timeline_id
		left join timelines f on t.what = 'user' and f.their_id = t.their_id and f.what in ('user_likes', 'user_comments')
		where l.user_id = any($1)`
	var (
		muted  TimelineID
		list   List
		member Timeline // with id 0 for a list without members
		along  Timeline // the member's likes or comments; id 0: not in the list
	)
	r.queue(ownPosts, nil, func(s *Sets) { s.OwnLeftOut = true })
	r.queue(mutes, []any{&muted}, func(s *Sets) { put(&s.Muted, muted, true) })
	r.queue(lists, []any{
		&list.ID, &list.Name,
		(*zeronull.Int8)(&member.ID), (*zeronull.Text)(&member.What), (*zeronull.Int8)(&member.TheirID), (*zeronull.Text)(&member.Access),
		(*zeronull.Int8)(&along.ID), (*zeronull.Text)(&along.What), (*zeronull.Text)(&along.Access),
	}, func(s *Sets) {
		l := s.Lists[list.ID]
		if l == nil {
			l = &List{ID: list.ID, Name: list.Name}
			put(&s.Lists, l.ID, l)
		}
		if member.ID == 0 {
			return
		}
		put(&l.Members, member.ID, true)
		put(&l.Feeds, member.ID, true)
		r.timelines[member.ID] = member
		if along.ID != 0 {
			along.TheirID = member.TheirID
			r.timelines[along.ID] = along
			if !s.Muted[along.ID] {
				put(&l.Feeds, along.ID, true)
			}
		}
	})
}

// run sends the batch. The sets of a suspended viewer are emptied then.
func (r *setsReader) run(ctx context.Context, q primary.Querier) error {
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

// put sets m[k], and makes the map first if the map is nil.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
