package timeline

import (
	"context"
	"fmt"
	"slices"
)

// AddRecipients sends a direct message of the actor's to more people.
func (s *Store) AddRecipients(ctx context.Context, actor UserID, post PostID, names []string) error {
	to := make([]string, len(names))
	for i, name := range names {
		to[i] = "direct:" + name
	}
	d, err := parseDestinations(to)
	if err != nil {
		return err
	}
	return s.onPost(ctx, actor, post, func(tx *txn, p *reached) error {
		if !p.sets.MayEdit(p.Author) {
			return ErrForbidden
		}
		if !p.direct() {
			return errNoDirect
		}
		places, err := p.addressed(ctx, tx, d, true)
		if err != nil {
			return err
		}
		if err := s.changePost(ctx, tx, p, postChange{places: places}); err != nil {
			return err
		}
		return tx.tellOfPost(ctx, s.now(), post, actor)
	})
}

// errNoDirect refuses what is asked of a direct message only.
var errNoDirect = &InvalidError{"post", "is no direct message"}

// addressed answers the places of a direct message after its author sent it to
// those people. Nobody whom it was sent to loses it; one who is left out that
// the author can see is a mistake, unless these are only more.
func (p *reached) addressed(ctx context.Context, q querier, to destinations, more bool) ([]TimelineID, error) {
	places, err := to.resolve(ctx, q, p.sets, p.in())
	if err != nil {
		return nil, err
	}
	for _, t := range p.places {
		if slices.Contains(places, t.ID) {
			continue
		}
		_, banned := p.sets.Bans[UserID(t.TheirID)]
		if !more && !banned && t.Access != AccessClosed {
			return nil, &InvalidError{"timelines", "leave out somebody who has the direct message: nobody is taken out of it"}
		}
		places = append(places, t.ID)
	}
	if len(places) > maxDestinations+1 {
		return nil, &InvalidError{"timelines", fmt.Sprintf("are more than %d", maxDestinations)}
	}
	slices.Sort(places)
	return places, nil
}

// LeaveDirect takes the actor out of a direct message that was sent to him.
// Its author can't leave it, only delete it: [ErrForbidden].
func (s *Store) LeaveDirect(ctx context.Context, actor UserID, post PostID) error {
	return s.onPost(ctx, actor, post, func(tx *txn, p *reached) error {
		switch {
		case !p.direct():
			return errNoDirect
		case actor == p.Author:
			return fmt.Errorf("its author deletes a direct message, and does not leave it: %w", ErrForbidden)
		}
		places := slices.DeleteFunc(p.in(), func(id TimelineID) bool { return id == p.sets.Own[WhatUserDirects] })
		return s.changePost(ctx, tx, p, postChange{places: places})
	})
}
