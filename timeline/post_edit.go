package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// PostEdit is what an author changes about a post; nil: nothing.
type PostEdit struct {
	Text             *string
	Lang             *string // the code of a language; "": not said by him, but as of a new post
	CommentsDisabled *bool
	To               []string // where it is to be from now on, as NewPost.To; nil: where it is
}

// EditPost changes a post of the actor's. Where it moves, it stays at its place
// in time; a place that it is in already is not asked for again. A direct
// message stays one, and keeps whom it was sent to. The language of another text
// is told anew, unless the author said which it is.
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
		change := postChange{text: edit.Text, lang: edit.Lang, commentsDisabled: edit.CommentsDisabled}
		if edit.To != nil {
			tx.Revokes() // from whoever could read it only where it was
			places, err := p.destined(ctx, tx, to)
			if err != nil {
				return err
			}
			change.places, change.everything = places, to.everything()
		}
		if err := s.changePost(ctx, tx, p, change); err != nil || edit.To == nil || !p.direct() {
			return err
		}
		return tx.tellOfPost(ctx, s.db.Now(), id, actor) // there may be more of them
	})
}

// destined answers where a post is to be after its author sent it there.
func (p *reached) destined(ctx context.Context, q primary.Querier, to destinations) ([]TimelineID, error) {
	switch direct := p.direct(); {
	case direct && len(to.directs) == 0:
		return nil, &InvalidError{Field: "timelines", Reason: "can't make a post of a direct message", Code: "stays_direct"}
	case !direct && len(to.directs) > 0:
		return nil, &InvalidError{Field: "timelines", Reason: "can't make a direct message of a post", Code: "stays_direct"}
	case direct:
		return p.addressed(ctx, q, to, false)
	}
	return to.resolve(ctx, q, p.sets, p.in())
}

// A postChange is what becomes of a post's own row; nil: nothing. Everything
// says whether it is one of those of the whole site in its new places.
type postChange struct {
	text             *string
	lang             *string // "": not given by its author any more
	commentsDisabled *bool
	places           []TimelineID // sorted
	everything       bool
}

// changePost changes a post that was reached, all in one version and one change
// of the log. Whoever moves a post, for whatever reason, does it here.
func (s *Store) changePost(ctx context.Context, tx *txn, p *reached, change postChange) error {
	// When it was edited is told to readers; a move is none, nor is in what
	// language it is.
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
	was, is, f, err := tx.refile(ctx, p, &change)
	if err != nil {
		return err
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
		Kind: ChangePost, Post: p.ID, Timelines: moved, Moved: !slices.Equal(change.places, p.in()),
		Worded: was.text != is.text || was.lang != is.lang,
	})
	return tx.tellOfMentions(ctx, at, p.ID, nil, p.Author, added, unnamed)
}

// refile finds what a post says and is to say, and where it stands by that. It
// fills in the places of the change where they are to stay.
func (tx *txn) refile(ctx context.Context, p *reached, change *postChange) (was, is postText, f derived, err error) {
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
		change.places, change.everything = p.in(), slices.ContainsFunc(p.places, Timeline.ofSite)
	}
	// A language that was told from the same text stays.
	told := is
	told.given = is.given || change.lang == nil && is.text == was.text
	f, err = tx.derive(ctx, p.Author, told, change.everything)
	is.lang = f.lang
	return was, is, f, err
}

// ofSite says whether posts that are in such a place are among those of the whole
// site.
func (t Timeline) ofSite() bool {
	return t.What == WhatUser || t.What == WhatUserPrivate || t.What == WhatGroup
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
