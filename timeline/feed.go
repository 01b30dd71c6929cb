package timeline

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline/internal/primary"
)

// FeedName names a feed, to which people subscribe: a person's feed, a person's private sub-feed,
// or a group.
type FeedName struct {
	Name    string // of the person or the group
	Private bool   // the person's private sub-feed
}

// kindAndOwner returns the kind of the feed's timeline, and the id of its owner n, a person or
// group. It returns an [InvalidError] for the private sub-feed of a group.
func (f FeedName) kindAndOwner(n Named) (What, int64, error) {
	switch {
	case n.Group != 0 && f.Private:
		return "", 0, &InvalidError{Field: "name", Reason: "is the name of a group: groups have no private sub-feed", Code: "group"}
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

// A feed is a person's feed or a group as a subscriber finds it.
type feed struct {
	Named
	timeline      TimelineID
	needsApproval bool // a subscription needs the owner's consent
}

// lockFeed finds the feed of a name, which may not be the actor's own. Until the transaction ends,
// no ban between the actor and the owner begins or ends, and the settings of a group stay as they
// are.
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
	what, _, err := name.kindAndOwner(n)
	if err != nil {
		return feed{}, err
	}
	f := feed{Named: n}
	var status, joining string
	if n.Group != 0 {
		// An administrator who excludes or expels the actor at this moment waits for the lock, and
		// then finds the subscription.
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

// The two ways to lock the rows of two people. A write that bans, or that decides who is in a feed,
// locks both rows alone ([pairAlone]). A write that only needs both people to stay as they are
// shares its lock with other such writes ([pairShared]). A write of the relation between a person
// and a feed first locks the person's row.
const (
	pairShared = `select id, suspended_at is null from users where id in ($1, $2) and status <> 'deleted' order by id for share`
	pairAlone  = `select id, suspended_at is null from users where id in ($1, $2) and status <> 'deleted' order by id for no key update`
)

// lockPair locks the rows of the actor and of another person, in the order of their ids, with the
// query pairShared or pairAlone. The error is an [InvalidError] if the two are the same person,
// [ErrUnauthorized] if the actor is suspended or deleted, and [ErrNotFound] if the other person
// does not exist or is deleted.
func lockPair(ctx context.Context, tx primary.Querier, actor, other UserID, query string) error {
	if actor == other {
		return &InvalidError{Field: "name", Reason: "is your own", Code: "yourself"}
	}
	rows, err := tx.Query(ctx, query, actor, other)
	if err != nil {
		return err
	}
	active := make(map[UserID]bool, 2) // false: suspended
	if err := primary.CollectMap(active)(rows); err != nil {
		return err
	}
	if !active[actor] {
		return fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	if _, ok := active[other]; !ok {
		return ErrNotFound
	}
	return nil
}

// checkNoBan returns ErrForbidden if the person has banned the other. If only the other has banned
// the person, checkNoBan returns ErrNotFound, as if the other did not exist.
func checkNoBan(ctx context.Context, q primary.Querier, person, other UserID) error {
	const query = `
		select exists (select from bans where user_id = $1 and target_id = $2),
			exists (select from bans where user_id = $2 and target_id = $1)`
	var byPerson, byOther bool
	if err := q.QueryRow(ctx, query, person, other).Scan(&byPerson, &byOther); err != nil {
		return err
	}
	return banError(byPerson, byOther)
}

// banError returns the error for a person on one side of a ban: ErrForbidden if the person banned
// the other (byPerson), ErrNotFound if only the other banned the person (byOther), and nil without
// a ban.
func banError(byPerson, byOther bool) error {
	switch {
	case byPerson:
		return fmt.Errorf("banned by this person: %w", ErrForbidden)
	case byOther:
		return fmt.Errorf("banned by the other person: %w", ErrNotFound)
	}
	return nil
}

// checkJoin returns an error if a person can't become a subscriber of a feed in any way:
// ErrNotFound if only the owner of the feed banned the person; ErrForbidden if the person banned
// the owner, or if the feed excludes the person or is for its owner's eyes only.
func checkJoin(ctx context.Context, q primary.Querier, person UserID, feed TimelineID) error {
	const query = `
		select t.access in ('owner', 'closed'),
			exists (select from timeline_excluded where timeline_id = t.id and user_id = $2),
			t.what <> 'group' and exists (select from bans where user_id = $2 and target_id = t.their_id),
			t.what <> 'group' and exists (select from bans where user_id = t.their_id and target_id = $2)
		from timelines t where t.id = $1`
	var ownerOnly, excluded, byPerson, byOwner bool
	if err := q.QueryRow(ctx, query, feed, person).Scan(&ownerOnly, &excluded, &byPerson, &byOwner); err != nil {
		return err
	}
	banned := banError(byPerson, byOwner)
	switch {
	case banned != nil:
		return banned
	case ownerOnly:
		return fmt.Errorf("it is for its owner's eyes only: %w", ErrForbidden)
	case excluded:
		return fmt.Errorf("it excludes user %d: %w", person, ErrForbidden)
	}
	return nil
}

// findFeed returns the person or group, and the timeline, that a feed's name stands for.
func findFeed(ctx context.Context, q primary.Querier, name FeedName) (Named, Timeline, error) {
	const query = `select id, what, their_id, access from timelines where what = $1 and their_id = $2`
	var t Timeline
	n, err := lookup(ctx, q, name.Name)
	if err != nil {
		return n, t, err
	}
	what, their, err := name.kindAndOwner(n)
	if err != nil {
		return n, t, err
	}
	err = q.QueryRow(ctx, query, what, their).Scan(&t.ID, &t.What, &t.TheirID, &t.Access)
	return n, t, err
}

// managedFeed finds a feed by name. It returns ErrForbidden unless the actor manages the feed; see
// [Sets.MayManage].
func managedFeed(ctx context.Context, q primary.Querier, actor UserID, name FeedName) (Timeline, error) {
	_, t, err := findFeed(ctx, q, name)
	if err != nil {
		return t, err
	}
	sets, err := actorSets(ctx, q, actor)
	if err != nil {
		return t, err
	}
	switch {
	case !sets.MayAct():
		return t, ErrUnauthorized
	case !sets.MayManage(t):
		return t, ErrForbidden
	}
	return t, nil
}

// A feedPerson is a person together with a feed that the actor manages. The actor may change
// whether the person is a subscriber, invited, excluded, or an administrator.
type feedPerson struct {
	Timeline
	actor, person UserID
}

// withFeedPerson runs f on a person and a feed that the actor manages. Until the transaction ends,
// no other write changes the relation of the person or of the actor to the feed.
func (s *Store) withFeedPerson(ctx context.Context, actor UserID, name FeedName, person string, f func(*txn, feedPerson) error) error {
	return s.write(ctx, func(tx *txn) error {
		p, err := lockFeedPerson(ctx, tx, actor, name, person)
		if err != nil {
			return err
		}
		return f(tx, p)
	})
}

// lockFeedPerson finds the feed and the person, locks the person and the actor, and returns
// ErrForbidden if the actor does not manage the feed.
func lockFeedPerson(ctx context.Context, tx primary.Querier, actor UserID, name FeedName, person string) (feedPerson, error) {
	p := feedPerson{actor: actor}
	n, err := lookup(ctx, tx, person)
	if err != nil {
		return p, err
	}
	if n.User == 0 {
		return p, &InvalidError{Field: "name", Reason: "is the name of a group", Code: "group"}
	}
	p.person = n.User
	if err := lockPair(ctx, tx, actor, p.person, pairAlone); err != nil {
		return p, err
	}
	// Read the rights after the lock was taken: while this transaction waited for the lock, the
	// actor may have been removed as an administrator.
	p.Timeline, err = managedFeed(ctx, tx, actor, name)
	return p, err
}

// group returns the group whose feed this is, or 0 for a person's feed.
func (p feedPerson) group() GroupID {
	if p.What == WhatGroup {
		return GroupID(p.TheirID)
	}
	return 0
}

// The largest numbers of rows that one person or one feed can have. Sets are read whole and lists
// are shown whole, so each of them needs a limit. Two writes at the same time may exceed a limit by
// one.
const (
	maxInvitations  = 1_000  // to one feed, waiting for an answer
	maxExcluded     = 10_000 // from one feed
	maxBans         = 10_000 // by one person
	maxHiddenPeople = 10_000 // by one person
	maxHiddenPosts  = 10_000 // of one person; beyond the limit the oldest are shown again
	maxMuted        = 10_000 // likes and comments of people, by one person
)
