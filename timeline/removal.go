package timeline

import (
	"context"
	"fmt"
	"slices"
)

// RemoveFromGroup takes a post out of a group: its author may, and whoever
// administers the group, also across a ban. It lives on where else it is; out
// of its last place it goes where only its author sees it.
func (s *Store) RemoveFromGroup(ctx context.Context, actor UserID, post PostID, group string) error {
	err := s.write(ctx, func(tx *txn) error {
		id, err := findGroup(ctx, tx, group)
		if err != nil {
			return err
		}
		p, err := lockPost(ctx, tx, actor, post)
		if err != nil {
			return err
		}
		return s.removeFromGroup(ctx, tx, p, id)
	})
	if err != nil {
		return fmt.Errorf("post %d in group %q: %w", post, group, err)
	}
	return nil
}

func (s *Store) removeFromGroup(ctx context.Context, tx *txn, p *reached, group GroupID) error {
	const eyesOnly = `select id from timelines where what = 'user_fyeo' and their_id = $1`
	there := func(t Timeline) bool { return t.What == WhatGroup && GroupID(t.TheirID) == group }
	is, may := slices.ContainsFunc(p.places, there), p.sets.MayRemove(p.Author, group)
	switch {
	case !p.readable && !(is && may):
		return ErrNotFound
	case !may:
		return ErrForbidden
	case !is:
		return nil
	}
	var change postChange
	for _, t := range p.places {
		if !there(t) {
			change.places = append(change.places, t.ID)
			change.everything = true // it is no direct: all its places are of the site
		}
	}
	if len(change.places) == 0 {
		var id TimelineID
		if err := tx.QueryRow(ctx, eyesOnly, p.Author).Scan(&id); err != nil {
			return err
		}
		change.places = []TimelineID{id}
	}
	return s.changePost(ctx, tx, p, change)
}
