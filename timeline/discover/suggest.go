package discover

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// The limits of suggestions.
const (
	suggestFriends = 2_000 // the newest subscriptions of friends that are read; each friend's counts as one
	suggestPosts   = 5_000 // the newest posts, of any age, by which the busiest feeds are found
)

// Suggestions are the people and groups that a viewer may want to follow.
type Suggestions struct {
	People []Suggestion[timeline.UserID]
	Groups []Suggestion[timeline.GroupID]
}

// A Suggestion is a person or a group, and the reason.
type Suggestion[ID ~int64] struct {
	ID      ID
	Friends int             // how many friends follow the feed, as far as the viewer may know
	Friend  timeline.UserID // one of these friends; 0: there is none
	Posts   int             // how many of the newest posts of the site are in the feed
}

// suggestLately is how long a suggestion stays after the viewer follows it: the list keeps its
// entries and their order while the viewer chooses.
const suggestLately = time.Hour

// Suggest returns up to want people and up to want groups to follow: first the feeds that most of
// the viewer's friends follow, then the feeds with the most posts of late. A friend is a person whom
// the viewer follows. The subscription of a friend counts if the viewer may see it on the friend's
// page, that is, if the viewer may read the friend's feed and the feed that the friend follows.
//
// Suggest returns only feeds that the viewer may read, and neither follows nor has asked to follow.
// But a feed that the viewer followed within the last hour keeps its place. It leaves out people
// whom the viewer hides, and people across a ban.
func (s *Store) Suggest(ctx context.Context, viewer timeline.UserID, want int) (found Suggestions, err error) {
	defer primary.Wrap(&err, "suggestions for user %d", viewer)
	const follow = `
		select f.id, f.what, f.their_id, f.access, t.id, t.what, t.their_id, t.access
		from subscriptions mine
		join timelines f on f.id = mine.timeline_id and f.what = 'user'
		join users friend on friend.id = f.their_id and friend.status <> 'deleted' and friend.suspended_at is null
		join subscriptions theirs on theirs.user_id = f.their_id
		join timelines t on t.id = theirs.timeline_id and t.what in ('user', 'group') and t.their_id <> case t.what when 'user' then $1 else 0 end
		where mine.user_id = $1 and mine.created_at < $3
			and not exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id and s.created_at < $3)
		order by theirs.created_at desc limit $2`
	const busiest = `
		select t.id, t.what, t.their_id, t.access, count(*)
		from (select id, places from posts where deleted_at is null order by id desc limit $1) p
		join timelines t on t.id = any(p.places) and t.what in ('user', 'group')
		group by t.id`
	const lately = `
		select timeline_id from subscriptions where user_id = $1 and created_at >= $2
		union all select timeline_id from subscription_requests where user_id = $1 and created_at >= $2`
	const gone = `
		select id from users where id = any($1) and (status = 'deleted' or suspended_at is not null)`
	err = s.db().View(ctx, func(q primary.Querier) error {
		all, _, err := timeline.ReadSetsOf(ctx, q, []timeline.UserID{viewer})
		if err != nil {
			return err
		}
		sg := suggesting{sets: all[viewer], friends: make(map[timeline.Timeline]following), posts: make(map[timeline.Timeline]int), lately: make(map[timeline.TimelineID]bool)}
		since := s.db().Now().Add(-suggestLately)
		var b pgx.Batch
		b.Queue(lately, viewer, since).Query(func(rows pgx.Rows) error {
			var id timeline.TimelineID
			_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
				sg.lately[id] = true
				return nil
			})
			return err
		})
		b.Queue(follow, viewer, suggestFriends, since).Query(func(rows pgx.Rows) error {
			var f, t timeline.Timeline
			_, err := pgx.ForEachRow(rows, []any{&f.ID, &f.What, &f.TheirID, &f.Access, &t.ID, &t.What, &t.TheirID, &t.Access}, func() error {
				if sg.sets.Readable(f) && sg.sets.ToldOf(timeline.UserID(f.TheirID), t) {
					so := sg.friends[t]
					sg.friends[t] = following{so.n + 1, cmp.Or(so.friend, timeline.UserID(f.TheirID))}
				}
				return nil
			})
			return err
		})
		b.Queue(busiest, suggestPosts).Query(func(rows pgx.Rows) error {
			var t timeline.Timeline
			var n int
			_, err := pgx.ForEachRow(rows, []any{&t.ID, &t.What, &t.TheirID, &t.Access, &n}, func() error {
				sg.posts[t] = n
				return nil
			})
			return err
		})
		if err := q.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		ranked := sg.ranked()
		var people, away []timeline.UserID
		for _, t := range ranked {
			if t.What == timeline.WhatUser {
				people = append(people, timeline.UserID(t.TheirID))
			}
		}
		rows, err := q.Query(ctx, gone, people)
		if err == nil {
			err = primary.Collect(&away)(rows)
		}
		if err != nil {
			return err
		}
		for _, t := range ranked {
			switch {
			case t.What == timeline.WhatGroup && len(found.Groups) < want:
				found.Groups = append(found.Groups, Suggestion[timeline.GroupID]{timeline.GroupID(t.TheirID), sg.friends[t].n, sg.friends[t].friend, sg.posts[t]})
			case t.What == timeline.WhatUser && len(found.People) < want && !slices.Contains(away, timeline.UserID(t.TheirID)):
				found.People = append(found.People, Suggestion[timeline.UserID]{timeline.UserID(t.TheirID), sg.friends[t].n, sg.friends[t].friend, sg.posts[t]})
			}
		}
		return nil
	})
	return found, err
}

// suggesting holds the feeds that may be suggested to a viewer.
type suggesting struct {
	sets    *timeline.Sets
	friends map[timeline.Timeline]following // the friends who follow each feed
	posts   map[timeline.Timeline]int       // the number of recent posts in each feed
	lately  map[timeline.TimelineID]bool    // the feeds that the viewer followed, or asked to follow, lately
}

// following says how many friends follow a feed, and names one of these friends.
type following struct {
	n      int
	friend timeline.UserID
}

// ranked returns the wanted feeds, the best first.
func (sg *suggesting) ranked() []timeline.Timeline {
	var all []timeline.Timeline
	for t := range sg.friends {
		all = append(all, t)
	}
	for t := range sg.posts {
		if _, there := sg.friends[t]; !there {
			all = append(all, t)
		}
	}
	all = slices.DeleteFunc(all, func(t timeline.Timeline) bool { return !sg.wanted(t) })
	slices.SortFunc(all, func(a, b timeline.Timeline) int {
		return cmp.Or(cmp.Compare(sg.friends[b].n, sg.friends[a].n), cmp.Compare(sg.posts[b], sg.posts[a]), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// wanted reports whether to suggest a feed: the viewer can subscribe or did so lately, does not
// run the feed, and has not hidden its owner.
func (sg *suggesting) wanted(t timeline.Timeline) bool {
	own := t.What == timeline.WhatUser && t.TheirID == int64(sg.sets.User) ||
		t.What == timeline.WhatGroup && sg.sets.Administers[timeline.GroupID(t.TheirID)]
	hidden := t.What == timeline.WhatUser && sg.sets.HiddenUsers[timeline.UserID(t.TheirID)]
	followed := sg.sets.Subscribed[t.ID] || sg.sets.Requested[t.ID]
	return !own && !hidden && sg.sets.Readable(t) && !sg.sets.Excluded[t.ID] &&
		(!followed || sg.lately[t.ID] && t.Access != timeline.AccessPrivate)
}
