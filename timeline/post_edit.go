package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A PostEdit is an author's change of a post; a nil field stays as it is.
type PostEdit struct {
	Text             *string
	Lang             *string // the code of a language; "": the author chooses none, and the language is found as for a new post
	CommentsDisabled *bool
	To               []string // the places of the post from now on, as in NewPost.To; nil: as they are
	Files            *Files   // the files of the post from now on; the post's other files are deleted
	LinkPreview      *bool    // whether the post shows a preview of its first link
}

// EditPost changes a post of the actor's. A post that moves to other places stays as fresh as it
// was. The post may stay in a place to which the author may not post any more. A direct message
// stays a direct message, and keeps its recipients. If the text changes, its language is detected
// again, unless the author chose the language.
//
// The error is [ErrNotFound] if the actor may not read the post, [ErrForbidden] if another person
// wrote the post, an [InvalidError] for a bad part of the edit, and an [AttachmentError] for a file
// that the post can't have.
func (s *Store) EditPost(ctx context.Context, actor UserID, id PostID, edit PostEdit) (err error) {
	defer primary.Wrap(&err, "edit post %d", id)
	if edit.Text != nil {
		text, err := text.Clean("text", *edit.Text)
		if err != nil {
			return err
		}
		edit.Text = &text
	}
	if edit.Lang != nil {
		lang, err := text.CleanLanguage(*edit.Lang)
		if err != nil {
			return err
		}
		edit.Lang = &lang
	}
	if edit.Files != nil {
		if err := edit.Files.check(); err != nil {
			return err
		}
	}
	var to destinations
	if edit.To != nil {
		var err error
		if to, err = parseDestinations(edit.To); err != nil {
			return err
		}
	}
	err = s.withPost(ctx, actor, id, func(tx *txn, p *lockedPost) error {
		if !p.sets.MayEdit(p.Author) {
			return ErrForbidden
		}
		if edit.Text != nil {
			if err := s.screenText(ctx, tx, actor, *edit.Text); err != nil {
				return err
			}
		}
		change := postChange{text: edit.Text, lang: edit.Lang, commentsDisabled: edit.CommentsDisabled}
		if edit.To != nil {
			if err := tx.checkHeld(ctx, id); err != nil {
				return err
			}
			tx.Revokes() // people who may read only the former places lose the post
			places, err := p.newPlaces(ctx, tx, to)
			if err != nil {
				return err
			}
			change.places, change.everything = places, to.everything()
		}
		mended, err := tx.mendHidden(ctx, p, edit.Text, edit.Files != nil)
		if err != nil {
			return err
		}
		if err := s.changePost(ctx, tx, p, change); err != nil {
			return err
		}
		if edit.Files != nil {
			at := home{post: id}
			changed, err := tx.setAttachments(ctx, actor, at, 0, *edit.Files)
			if err == nil && changed {
				err = tx.attachmentsChanged(ctx, at)
			}
			if err != nil {
				return err
			}
		}
		if edit.Text != nil || edit.LinkPreview != nil {
			if err := s.setPreview(ctx, tx, id, edit.LinkPreview); err != nil {
				return err
			}
		}
		if edit.Text != nil || edit.Files != nil {
			if err := tx.checkContent(ctx, id, 0); err != nil {
				return err
			}
		}
		if mended {
			return tx.notifyOfWaiting(ctx, s.db.Now(), NoticeHeld)
		}
		if edit.To == nil || !p.direct() {
			return nil
		}
		return tx.notifyOfPost(ctx, s.db.Now(), id, actor) // the message may have new recipients
	})
	if err == nil && (edit.Text != nil || edit.LinkPreview != nil) {
		s.previewBell.ring()
	}
	return err
}

// newPlaces returns the places that the post has after its author moves it to these destinations.
func (p *lockedPost) newPlaces(ctx context.Context, q primary.Querier, to destinations) ([]TimelineID, error) {
	switch direct := p.direct(); {
	case direct && len(to.directs) == 0:
		return nil, &InvalidError{Field: "timelines", Reason: "can't make a post of a direct message", Code: "stays_direct"}
	case !direct && len(to.directs) > 0:
		return nil, &InvalidError{Field: "timelines", Reason: "can't make a direct message of a post", Code: "stays_direct"}
	case direct:
		return p.directPlaces(ctx, q, to, false)
	}
	return to.resolve(ctx, q, p.sets, p.placeIDs())
}

// A postChange is a change of a post's row; a nil field stays as it is.
type postChange struct {
	text             *string
	lang             *string // "": the author chose none
	commentsDisabled *bool
	places           []TimelineID // sorted
	everything       bool         // a post in the new places enters the timelines of everything
}

// changePost changes a locked post, with one new version and one change in the log. It makes all
// moves of posts: edits, added recipients, removals from a group, and recipients who leave a
// direct message.
func (s *Store) changePost(ctx context.Context, tx *txn, p *lockedPost, change postChange) error {
	// updated_at is the time of the last edit, as pages show it. Neither a move to other places nor
	// a change of the language counts as an edit.
	const query = `
		update posts set
			text = coalesce($2, text), comments_disabled = coalesce($3, comments_disabled), places = coalesce($4, places),
			lang = coalesce($6, lang), lang_given = coalesce($7, lang_given),
			updated_at = case when text = coalesce($2, text) and comments_disabled = coalesce($3, comments_disabled) then updated_at else $5 end,
			version = version + 1
		where id = $1 and (
			text <> coalesce($2, text) or comments_disabled <> coalesce($3, comments_disabled) or places <> coalesce($4, places) or
			lang <> coalesce($6, lang) or lang_given <> coalesce($7, lang_given))`
	at := s.db.Now()
	if change.text == nil && change.lang == nil && change.places == nil {
		tag, err := tx.Exec(ctx, query, p.ID, nil, change.commentsDisabled, nil, at, nil, nil)
		if err == nil && tag.RowsAffected() > 0 {
			tx.Note(Change{Kind: ChangePost, Post: p.ID})
		}
		return err
	}
	was, is, f, err := tx.deriveChange(ctx, p, &change)
	if err != nil {
		return err
	}
	if was.text != is.text {
		if err := tx.keepText(ctx, at, p.ID, 0, is.text); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, query, p.ID, change.text, change.commentsDisabled, change.places, at, is.lang, is.given)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	e := postBatch{post: p.ID}
	var moved []TimelineID
	var added, unnamed []UserID
	if was.text != is.text || was.lang != is.lang {
		e.setWords(f.tags)
		e.setCommentWords(was.lang, is.lang)
	}
	if was.text != is.text {
		e.removeMentions(nil, f.people, &moved, &unnamed)
		e.setMentions(nil, p.Author, f.people, at, &moved, &added)
	}
	stands := slices.Concat(change.places, f.shared)
	e.removeExcept(stands, &moved)
	e.addTo(stands, at, &moved)
	e.syncFreshness()
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return fmt.Errorf("file anew: %w", err)
	}
	tx.Note(Change{
		Kind: ChangePost, Post: p.ID, Timelines: moved, PlaceChanged: !slices.Equal(change.places, p.placeIDs()),
		TextChanged: was.text != is.text || was.lang != is.lang,
	})
	return tx.notifyOfMentions(ctx, at, p.ID, nil, p.Author, added, unnamed)
}

// deriveChange returns the text and language of a post before and after the change, and the values
// derived from the text after. If the post does not move, deriveChange sets the places of the
// change to the present places of the post.
func (tx *txn) deriveChange(ctx context.Context, p *lockedPost, change *postChange) (was, is postText, f derived, err error) {
	var b pgx.Batch
	queuePostText(&b, p.ID, &was)
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return was, is, f, err
	}
	is = was
	if change.text != nil {
		is.text = *change.text
	}
	if change.lang != nil {
		is.lang, is.given = *change.lang, *change.lang != ""
	}
	if change.places == nil {
		change.places, change.everything = p.placeIDs(), slices.ContainsFunc(p.places, Timeline.ofSite)
	}
	// If neither the text nor the choice of a language changes, the language stays as it was
	// detected, also if this version of the program would detect another.
	detecting := is
	detecting.given = is.given || change.lang == nil && is.text == was.text
	f, err = tx.derive(ctx, p.Author, detecting, change.everything)
	is.lang = f.lang
	return was, is, f, err
}

// ofSite reports whether posts in this place enter the timelines of everything.
func (t Timeline) ofSite() bool {
	return t.What == WhatUser || t.What == WhatUserPrivate || t.What == WhatGroup
}

// placeIDs returns the ids of the decisive timelines, sorted.
func (p *lockedPost) placeIDs() []TimelineID {
	ids := make([]TimelineID, len(p.places))
	for i, t := range p.places {
		ids[i] = t.ID
	}
	return ids
}

// direct reports whether the post is a direct message.
func (p *lockedPost) direct() bool {
	return slices.ContainsFunc(p.places, func(t Timeline) bool { return t.What == WhatUserDirects })
}
