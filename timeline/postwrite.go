package timeline

import (
	"context"
	"fmt"
	"slices"
)

// NewPost is a post as its author sends it.
type NewPost struct {
	UUID             string   // the client's; the same again makes nothing new
	To               []string // "user", "user_private", "user_fyeo", "group:NAME", "direct:NAME"
	Text             string
	CommentsDisabled bool
	NSFW             bool
	Linebreaks       *bool // nil: shown
	Platform         string
	Lang             string // the code of a language; empty: as his setting says, or as it can be told from the text
}

// CreatePost publishes a post.
func (s *Store) CreatePost(ctx context.Context, actor UserID, post NewPost) (PostID, error) {
	to, err := parseDestinations(post.To)
	if err != nil {
		return 0, err
	}
	if err := checkUUID(post.UUID); err != nil {
		return 0, err
	}
	if post.Text, err = cleanText("text", post.Text); err != nil {
		return 0, err
	}
	if post.Platform, err = cleanLine("platform", post.Platform, maxLabel); err != nil {
		return 0, err
	}
	if post.Lang, err = cleanLang(post.Lang); err != nil {
		return 0, err
	}
	if post.Linebreaks == nil {
		post.Linebreaks = new(true)
	}
	var id PostID
	err = s.write(ctx, func(tx *txn) error {
		id, err = s.createPost(ctx, tx, actor, post, to)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("new post: %w", err)
	}
	return id, nil
}

func (s *Store) createPost(ctx context.Context, tx *txn, actor UserID, post NewPost, to destinations) (PostID, error) {
	const query = `
		insert into posts (id, user_id, text, places, published_at, updated_at, fresh_at, comments_disabled, nsfw, linebreaks,
			platform, lang, lang_given)
		values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12)`
	sets, err := lockSets(ctx, tx, actor)
	if err != nil {
		return 0, err
	}
	if !sets.MayAct() {
		return 0, ErrUnauthorized
	}
	claimed, fresh, err := s.claim(ctx, tx, actor, post.UUID, "post")
	if err != nil || !fresh {
		return PostID(claimed), err
	}
	places, err := to.resolve(ctx, tx, sets, nil)
	if err != nil {
		return 0, err
	}
	f, err := tx.file(ctx, actor, wording{post.Text, post.Lang, post.Lang != ""}, to.everything())
	if err != nil {
		return 0, err
	}
	at := s.now()
	e := edit{post: PostID(claimed)}
	e.Queue(query, e.post, actor, post.Text, places, at, at.UnixMilli(), post.CommentsDisabled, post.NSFW, *post.Linebreaks,
		post.Platform, f.lang, post.Lang != "")
	e.word(f.tags)
	var entered []TimelineID
	e.name(nil, actor, f.people, at, &entered, new([]UserID))
	e.place(slices.Concat(places, f.shared, []TimelineID{sets.Own[WhatDiscussions]}), at, &entered)
	e.follow()
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return 0, err
	}
	tx.note(Change{Kind: ChangePost, Post: e.post, Timelines: entered, Moved: true, Worded: true})
	return e.post, tx.tellOfPost(ctx, at, e.post, actor)
}

// DeletePost deletes a post with all that hangs on it. A bare row stays, so
// that the version goes on, until the log is pruned past it.
func (s *Store) DeletePost(ctx context.Context, actor UserID, id PostID) error {
	return s.onPost(ctx, actor, id, func(tx *txn, p *reached) error {
		if !p.sets.MayDeletePost(p.Author) {
			return ErrForbidden
		}
		return tx.erase(ctx, s.now(), id)
	})
}
