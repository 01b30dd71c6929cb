package timeline

import (
	"context"
	"fmt"
)

// findFeed finds the timeline that a feed's name stands for.
func findFeed(ctx context.Context, q querier, name FeedName) (Named, Timeline, error) {
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
func keptFeed(ctx context.Context, q querier, actor UserID, name FeedName) (Timeline, error) {
	_, t, err := findFeed(ctx, q, name)
	if err != nil {
		return t, err
	}
	sets, err := readSets(ctx, q, actor)
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
	err := s.write(ctx, func(tx *txn) error {
		p, err := lockPlace(ctx, tx, actor, name, who)
		if err != nil {
			return err
		}
		return f(tx, p)
	})
	if err != nil {
		return fmt.Errorf("%q in %v: %w", who, name, err)
	}
	return nil
}

func lockPlace(ctx context.Context, tx querier, actor UserID, name FeedName, who string) (place, error) {
	p := place{keeper: actor}
	n, err := lookup(ctx, tx, who)
	if err != nil {
		return p, err
	}
	if n.User == 0 {
		return p, &InvalidError{"name", "is a group's"}
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
