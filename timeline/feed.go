package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// FeedName says what one subscribes to: a person's feed or private sub-feed, or
// a group.
type FeedName struct {
	Name    string // whose
	Private bool   // the person's private sub-feed
}

// What is the kind of timeline that the name stands for, and whose id it has.
func (f FeedName) what(n Named) (What, int64, error) {
	switch {
	case n.Group != 0 && f.Private:
		return "", 0, &InvalidError{Field: "name", Reason: "is a group's, which has no private sub-feed", Code: "group"}
	case f.Private:
		return WhatUserPrivate, int64(n.User), nil
	}
	what, their := n.feed()
	return what, their, nil
}

func (f FeedName) String() string {
	if f.Private {
		return f.Name + "'s private sub-feed"
	}
	return f.Name
}

// A feed is what one subscribes to: a person's, or a group's.
type feed struct {
	Named
	timeline      TimelineID
	needsApproval bool // subscribing takes its owner's consent
}

// lockFeed finds what somebody else's name stands for, and keeps bans, and what
// the feed asks of subscribers, as they are until the transaction ends.
func lockFeed(ctx context.Context, tx primary.Querier, actor UserID, name FeedName) (feed, error) {
	const group = `
		select g.status, g.joining, t.id
		from groups g join timelines t on t.what = 'group' and t.their_id = g.id
		where g.id = $1 for share of g`
	const user = `
		select u.status, t.id
		from users u join timelines t on t.what = $2 and t.their_id = u.id
		where u.id = $1`
	n, err := lookup(ctx, tx, name.Name)
	if err != nil {
		return feed{}, err
	}
	what, _, err := name.what(n)
	if err != nil {
		return feed{}, err
	}
	f := feed{Named: n}
	var status, joining string
	if n.Group != 0 {
		// Whoever excludes or expels him waits, and then finds what is done here.
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return f, err
		}
		err := tx.QueryRow(ctx, group, n.Group).Scan(&status, &joining, &f.timeline)
		f.needsApproval = needsApproval(status) || joining == joiningRequest
		return f, err
	}
	if err := lockPair(ctx, tx, actor, n.User, pairShared); err != nil {
		return f, err
	}
	err = tx.QueryRow(ctx, user, n.User, what).Scan(&status, &f.timeline)
	f.needsApproval = name.Private || needsApproval(status)
	return f, err
}

// How two people are locked: whoever bans, or says who is in a feed and who is
// not, does it alone; whoever needs that nothing of that comes between them
// shares it with others who do. What somebody is to a feed, a group's too, is
// written under a lock of him.
const (
	pairShared = `select id, suspended_at is null from users where id in ($1, $2) and status <> 'deleted' order by id for share`
	pairAlone  = `select id, suspended_at is null from users where id in ($1, $2) and status <> 'deleted' order by id for no key update`
)

// lockPair locks the actor and another person, in the order of their ids.
func lockPair(ctx context.Context, tx primary.Querier, actor, other UserID, query string) error {
	if actor == other {
		return &InvalidError{Field: "name", Reason: "is your own", Code: "yourself"}
	}
	rows, err := tx.Query(ctx, query, actor, other)
	if err != nil {
		return err
	}
	var (
		id     UserID
		active bool
		found  = make(map[UserID]bool, 2)
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &active}, func() error {
		found[id] = active
		return nil
	})
	if err != nil {
		return err
	}
	if !found[actor] {
		return fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	if _, there := found[other]; !there {
		return ErrNotFound
	}
	return nil
}

// checkNoBan answers ErrForbidden if somebody has banned another, and ErrNotFound
// if only the other has banned him: then he is not there for him.
func checkNoBan(ctx context.Context, q primary.Querier, who, other UserID) error {
	const query = `
		select exists (select from bans where user_id = $1 and target_id = $2),
			exists (select from bans where user_id = $2 and target_id = $1)`
	var his, others bool
	if err := q.QueryRow(ctx, query, who, other).Scan(&his, &others); err != nil {
		return err
	}
	return apart(his, others)
}

// apart is how a ban is answered to who is on one side of it.
func apart(his, others bool) error {
	switch {
	case his:
		return fmt.Errorf("he banned the other: %w", ErrForbidden)
	case others:
		return fmt.Errorf("the other banned him: %w", ErrNotFound)
	}
	return nil
}

// checkJoin answers ErrForbidden where somebody can't come into a feed, however
// he does it: it is for its owner's eyes only, it excludes him, or he banned its
// owner; ErrNotFound where its owner banned him.
func checkJoin(ctx context.Context, q primary.Querier, who UserID, feed TimelineID) error {
	const query = `
		select t.access in ('owner', 'closed'),
			exists (select from timeline_excluded where timeline_id = t.id and user_id = $2),
			t.what <> 'group' and exists (select from bans where user_id = $2 and target_id = t.their_id),
			t.what <> 'group' and exists (select from bans where user_id = t.their_id and target_id = $2)
		from timelines t where t.id = $1`
	var nobody, excluded, his, owners bool
	if err := q.QueryRow(ctx, query, feed, who).Scan(&nobody, &excluded, &his, &owners); err != nil {
		return err
	}
	banned := apart(his, owners)
	switch {
	case banned != nil:
		return banned
	case nobody:
		return fmt.Errorf("it is for its owner's eyes only: %w", ErrForbidden)
	case excluded:
		return fmt.Errorf("it excludes user %d: %w", who, ErrForbidden)
	}
	return nil
}

// findFeed finds the timeline that a feed's name stands for.
func findFeed(ctx context.Context, q primary.Querier, name FeedName) (Named, Timeline, error) {
	const query = `select id, what, their_id, access from timelines where what = $1 and their_id = $2`
	var t Timeline
	n, err := lookup(ctx, q, name.Name)
	if err != nil {
		return n, t, err
	}
	what, their, err := name.what(n)
	if err != nil {
		return n, t, err
	}
	err = q.QueryRow(ctx, query, what, their).Scan(&t.ID, &t.What, &t.TheirID, &t.Access)
	return n, t, err
}

// keptFeed finds a feed that the actor keeps; ErrForbidden if he doesn't.
func keptFeed(ctx context.Context, q primary.Querier, actor UserID, name FeedName) (Timeline, error) {
	_, t, err := findFeed(ctx, q, name)
	if err != nil {
		return t, err
	}
	sets, err := ReadSets(ctx, q, actor)
	if err != nil {
		return t, err
	}
	switch {
	case !sets.MayAct():
		return t, ErrUnauthorized
	case !sets.MayKeep(t):
		return t, ErrForbidden
	}
	return t, nil
}

// A place is how somebody stands to a feed that another keeps.
type place struct {
	Timeline
	keeper, who UserID
}

// inFeed runs f on somebody's place in a feed that the actor keeps, with nobody
// else changing it, nor the actor's keeping it.
func (s *Store) inFeed(ctx context.Context, actor UserID, name FeedName, who string, f func(*txn, place) error) error {
	return s.write(ctx, func(tx *txn) error {
		p, err := lockPlace(ctx, tx, actor, name, who)
		if err != nil {
			return err
		}
		return f(tx, p)
	})
}

func lockPlace(ctx context.Context, tx primary.Querier, actor UserID, name FeedName, who string) (place, error) {
	p := place{keeper: actor}
	n, err := lookup(ctx, tx, who)
	if err != nil {
		return p, err
	}
	if n.User == 0 {
		return p, &InvalidError{Field: "name", Reason: "is a group's", Code: "group"}
	}
	p.who = n.User
	if err := lockPair(ctx, tx, actor, p.who, pairAlone); err != nil {
		return p, err
	}
	// Whether he keeps it is looked at after the lock was had: he may just have
	// been expelled himself.
	p.Timeline, err = keptFeed(ctx, tx, actor, name)
	return p, err
}

// group is the group that the feed is of, if it is one's.
func (p place) group() GroupID {
	if p.What == WhatGroup {
		return GroupID(p.TheirID)
	}
	return 0
}

// How much of its kind one person or one feed has at most. Sets are read whole,
// and lists are shown whole, so that none may grow without an end. Two who add at
// the same moment may go one beyond.
const (
	maxInvitations  = 1_000  // to one feed, that wait for an answer
	maxExcluded     = 10_000 // from one feed
	maxBans         = 10_000 // by one person
	maxHiddenPeople = 10_000 // by one person
	maxHiddenPosts  = 10_000 // by one person; beyond that the oldest are shown again
	maxMuted        = 10_000 // likes, or comments, of people, by one person
)
