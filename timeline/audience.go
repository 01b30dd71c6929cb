package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// An Audience is how many accounts may read a post or a feed, and how many would gain or lose
// sight of it by a change. The account that asks, and suspended and deleted accounts, don't count.
type Audience struct {
	Everybody bool // visitors may read the post or feed after the change
	People    int  // accounts that may read it after the change
	Gain      int  // accounts that gain access by the change
	Lose      int  // accounts that lose access by the change
	Opens     bool // visitors gain access by the change
	Closes    bool // visitors lose access by the change
}

// AudienceOfPost counts the people who could read one of the actor's posts in the given
// places, written as in NewPost.To. Post 0 stands for a new post; any other is moved to the
// places. AudienceOfPost returns the error that posting or moving would return.
func (s *Store) AudienceOfPost(ctx context.Context, actor UserID, post PostID, to []string) (a Audience, err error) {
	defer primary.Wrap(&err, "audience of post %d", post)
	parsed, err := parseDestinations(to)
	if err == nil {
		err = s.db.View(ctx, func(q primary.Querier) error {
			before, after, err := placesOf(ctx, q, actor, post, parsed)
			if err != nil {
				return err
			}
			a, err = countAudience(ctx, q, actor, actor, before, after, nil)
			return err
		})
	}
	return a, err
}

// placesOf returns the decisive timelines of a post as they are (before), and as they would
// be in the given places (after). A new post (id 0) has none before.
func placesOf(ctx context.Context, q primary.Querier, actor UserID, post PostID, to destinations) (before, after []TimelineID, err error) {
	const query = `select user_id from posts where id = $1 and deleted_at is null`
	sets, err := ReadSets(ctx, q, actor)
	if err != nil {
		return nil, nil, err
	}
	if !sets.MayAct() {
		return nil, nil, ErrUnauthorized
	}
	if post == 0 {
		after, err = to.resolve(ctx, q, sets, nil)
		return nil, after, err
	}
	p := lockedPost{ID: post, sets: sets}
	if err := q.QueryRow(ctx, query, post).Scan(&p.Author); err != nil {
		return nil, nil, err
	}
	if p.places, err = readablePlaces(ctx, q, sets, post); err != nil {
		return nil, nil, err
	}
	if !sets.MayEdit(p.Author) {
		return nil, nil, ErrForbidden
	}
	after, err = p.newPlaces(ctx, q, to)
	return p.placeIDs(), after, err
}

// AudienceOfStatus counts the people who could read a feed if it had another status: the group or
// the person with the name, or the actor's own feed if name is empty. [ErrForbidden] unless the
// actor may change the status; an [InvalidError] for an unknown status.
func (s *Store) AudienceOfStatus(ctx context.Context, actor UserID, name, status string) (a Audience, err error) {
	defer primary.Wrap(&err, "audience of %q as %s", name, status)
	err = s.db.View(ctx, func(q primary.Querier) error {
		t, err := editableFeed(ctx, q, actor, name, status)
		if err != nil {
			return err
		}
		owner := actor
		if t.What == WhatGroup {
			owner = 0 // bans between people do not concern groups
		}
		a, err = countAudience(ctx, q, actor, owner, []TimelineID{t.ID}, []TimelineID{t.ID}, new(accessOf(status)))
		return err
	})
	return a, err
}

// editableFeed finds a feed by name, or the actor's own feed if name is empty. It returns an error
// unless the actor may give the feed the status.
func editableFeed(ctx context.Context, q primary.Querier, actor UserID, name, status string) (Timeline, error) {
	const own = `select name from users where id = $1`
	if name == "" {
		if err := q.QueryRow(ctx, own, actor).Scan(&name); err != nil {
			return Timeline{}, err
		}
	}
	t, err := managedFeed(ctx, q, actor, FeedName{Name: name})
	if err != nil {
		return t, err
	}
	if t.What == WhatGroup {
		return t, checkStatus(status)
	}
	return t, checkUserStatus(status)
}

// countAudience counts the accounts that may read a post in the timelines before, and the accounts
// that could read a post in the timelines after. asks is the account that asks, and is not counted.
// owner is the author of the post or the owner of the feed: people across a ban from the owner are
// not counted. If owner is 0, bans do not matter. access, unless nil, is the access that the
// timelines after would have.
//
// The statement is [Sets.MayRead] and [Sets.Readable] in SQL, for all accounts at once:
//
//	place     each timeline, with its access before (was) and after (becomes)
//	wide      whether a place is public, and how many places are protected
//	let_in    subscribers of private timelines that do not exclude them, and owners
//	kept_out  how many of the protected timelines exclude a person
//	reader    for each account, whether the account may read before and after
//
// An account may read if one timeline is public, or if fewer protected timelines exclude the
// account than protected timelines exist, or if the account is let in. For example, of two
// protected groups with a post, one excludes bob: 2 are protected, 1 excludes bob, so bob may read
// the post in the other.
func countAudience(ctx context.Context, q primary.Querier, asks, owner UserID, before, after []TimelineID, access *Access) (Audience, error) {
	const query = `
		with place as (
			select id, what, their_id,
				case when id = any($3) then access end was,
				case when id = any($4) then coalesce($5, access) end becomes
			from timelines where id = any($3) or id = any($4)
		), wide as (
			select
				count(*) filter (where was = 'public') > 0 public_was,
				count(*) filter (where becomes = 'public') > 0 public_becomes,
				count(*) filter (where was = 'protected') protected_was,
				count(*) filter (where becomes = 'protected') protected_becomes
			from place
		), let_in as (
			select s.user_id, p.was = 'private' was, p.becomes = 'private' becomes
			from place p join subscriptions s on s.timeline_id = p.id
			where (p.was = 'private' or p.becomes = 'private') and not exists (
				select from timeline_excluded x where x.timeline_id = p.id and x.user_id = s.user_id)
			union all
			select their_id, was <> 'closed', becomes <> 'closed' from place where what <> 'group'
		), kept_out as (
			select x.user_id,
				count(*) filter (where p.was = 'protected') was,
				count(*) filter (where p.becomes = 'protected') becomes
			from place p join timeline_excluded x on x.timeline_id = p.id
			group by 1
		), banned as (
			select target_id id from bans where user_id = $2
			union
			select user_id from bans where target_id = $2
		), reader as (
			select
				w.public_was or w.protected_was > coalesce(k.was, 0) or u.id in (select user_id from let_in where was) was,
				w.public_becomes or w.protected_becomes > coalesce(k.becomes, 0) or u.id in (select user_id from let_in where becomes) becomes
			from wide w cross join users u
			left join kept_out k on k.user_id = u.id
			left join banned b on b.id = u.id
			where u.suspended_at is null and u.status <> 'deleted' and u.id <> $1 and b.id is null
			offset 0 -- without it, PostgreSQL looks up let_in again for each of the counts below
		)
		select w.public_becomes, r.*, w.public_becomes and not w.public_was, w.public_was and not w.public_becomes
		from wide w, (
			select count(*) filter (where becomes), count(*) filter (where becomes and not was), count(*) filter (where was and not becomes)
			from reader) r`
	var a Audience
	err := q.QueryRow(ctx, query, asks, owner, before, after, access).Scan(&a.Everybody, &a.People, &a.Gain, &a.Lose, &a.Opens, &a.Closes)
	return a, err
}
