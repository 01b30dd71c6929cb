package timeline

import (
	"context"
	"fmt"
	"slices"
)

// PostEdit is what an author changes about a post; nil: nothing.
type PostEdit struct {
	Text             *string
	CommentsDisabled *bool
	To               []string // where it is to be from now on, as NewPost.To; nil: where it is
}

// EditPost changes a post of the actor's. Where it moves, it stays at its place
// in time; a place that it is in already is not asked for again. A direct
// message stays one, and keeps whom it was sent to.
func (s *Store) EditPost(ctx context.Context, actor UserID, id PostID, edit PostEdit) error {
	if edit.Text != nil {
		text, err := cleanText("text", *edit.Text)
		if err != nil {
			return err
		}
		edit.Text = &text
	}
	var to destinations
	if edit.To != nil {
		var err error
		if to, err = parseDestinations(edit.To); err != nil {
			return err
		}
	}
	return s.onPost(ctx, actor, id, func(tx *txn, p *reached) error {
		if !p.sets.MayEdit(p.Author) {
			return ErrForbidden
		}
		change := postChange{text: edit.Text, commentsDisabled: edit.CommentsDisabled}
		if edit.To != nil {
			places, err := p.destined(ctx, tx, to)
			if err != nil {
				return err
			}
			change.places, change.everything = places, to.everything()
		}
		return s.changePost(ctx, tx, p, change)
	})
}

// destined answers where a post is to be after its author sent it there.
func (p *reached) destined(ctx context.Context, q querier, to destinations) ([]TimelineID, error) {
	switch direct := p.direct(); {
	case direct && len(to.directs) == 0:
		return nil, &InvalidError{"timelines", "can't make a post of a direct message"}
	case !direct && len(to.directs) > 0:
		return nil, &InvalidError{"timelines", "can't make a direct message of a post"}
	case direct:
		return p.addressed(ctx, q, to, false)
	}
	return to.resolve(ctx, q, p.sets, p.in())
}

// A postChange is what becomes of a post's own row; nil: nothing. Everything
// says whether it is one of those of the whole site in its new places.
type postChange struct {
	text             *string
	commentsDisabled *bool
	places           []TimelineID // sorted
	everything       bool
}

// changePost changes a post that was reached, all in one version and one change
// of the log. Whoever moves a post, for whatever reason, does it here.
func (s *Store) changePost(ctx context.Context, tx *txn, p *reached, change postChange) error {
	// When it was edited is told to readers; a move is none.
	const query = `
		update posts set
			text = coalesce($2, text), comments_disabled = coalesce($3, comments_disabled), places = coalesce($4, places),
			updated_at = case when text = coalesce($2, text) and comments_disabled = coalesce($3, comments_disabled) then updated_at else $5 end,
			version = version + 1
		where id = $1 and (
			text <> coalesce($2, text) or comments_disabled <> coalesce($3, comments_disabled) or places <> coalesce($4, places))`
	moves := change.places != nil && !slices.Equal(change.places, p.in())
	at := s.now()
	tag, err := tx.Exec(ctx, query, p.ID, change.text, change.commentsDisabled, change.places, at)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	var moved []TimelineID
	if moves {
		e := edit{post: p.ID}
		e.displace(change.places, change.everything, &moved)
		e.place(change.places, change.everything, at, &moved)
		e.follow()
		if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
			return fmt.Errorf("move: %w", err)
		}
	}
	tx.note(Change{Kind: ChangePost, Post: p.ID, Timelines: moved, Moved: moves, Worded: change.text != nil})
	return nil
}

// in answers the ids of the decisive timelines, sorted.
func (p *reached) in() []TimelineID {
	ids := make([]TimelineID, len(p.places))
	for i, t := range p.places {
		ids[i] = t.ID
	}
	return ids
}

// direct says whether the post is a direct message.
func (p *reached) direct() bool {
	return slices.ContainsFunc(p.places, func(t Timeline) bool { return t.What == WhatUserDirects })
}
