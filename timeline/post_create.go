package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A NewPost is a post as the author's client sends it.
type NewPost struct {
	UUID             string   // of the client; a second post with the same one is not made
	To               []string // "user", "user_private", "user_fyeo", "group:NAME", "direct:NAME"
	Text             string
	CommentsDisabled bool
	NSFW             bool
	Linebreaks       *bool // nil: shown
	Platform         string
	Lang             string // the code of a language; empty: by the author's settings, or else detected from the text
	Files            Files
	LinkPreview      *bool // whether the post shows a preview of its first link; nil: yes
}

// CreatePost publishes a post and returns its id. If the actor sent a post with the same UUID
// before, CreatePost returns the id of the earlier post. The error is an [InvalidError] for a bad
// part of the post, [ErrUnauthorized] for an actor without an account, [ErrForbidden] for a
// destination to which the actor may not post, and an [AttachmentError] for a file that the post
// can't have. A post with a link by a new person may have to wait for an administrator: it is for the
// author's eyes only until [Store.ReleasePost].
func (s *Store) CreatePost(ctx context.Context, actor UserID, post NewPost) (id PostID, err error) {
	defer primary.Wrap(&err, "new post")
	to, err := parseDestinations(post.To)
	if err != nil {
		return 0, err
	}
	if err := checkUUID(post.UUID); err != nil {
		return 0, err
	}
	if post.Text, err = text.Clean("text", post.Text); err != nil {
		return 0, err
	}
	if post.Platform, err = text.CleanLine("platform", post.Platform, text.MaxLabel); err != nil {
		return 0, err
	}
	if post.Lang, err = text.CleanLanguage(post.Lang); err != nil {
		return 0, err
	}
	if err := post.Files.check(); err != nil {
		return 0, err
	}
	if post.Text == "" && len(post.Files.IDs) == 0 {
		return 0, errNoContent
	}
	if post.Linebreaks == nil {
		post.Linebreaks = new(true)
	}
	if post.LinkPreview == nil {
		post.LinkPreview = new(true)
	}
	err = s.write(ctx, func(tx *txn) error {
		id, err = s.createPost(ctx, tx, actor, post, to)
		return err
	})
	if err == nil && s.link(post.Text, *post.LinkPreview) != "" {
		s.previewBell.ring()
	}
	return id, err
}

func (s *Store) createPost(ctx context.Context, tx *txn, actor UserID, post NewPost, to destinations) (PostID, error) {
	const query = `
		insert into posts (id, user_id, text, places, published_at, updated_at, fresh_at, comments_disabled, nsfw, linebreaks,
			platform, lang, lang_given, link_preview, preview_id)
		values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
	var sc screening
	sets, err := lockSets(ctx, tx, actor, sc.queue)
	if missing(err) || err == nil && !sets.MayAct() {
		return 0, ErrUnauthorized
	}
	if err != nil {
		return 0, err
	}
	claimed, fresh, err := s.claim(ctx, tx, actor, post.UUID, "post")
	if err != nil || !fresh {
		return PostID(claimed), err
	}
	at := s.db.Now()
	if err := sc.checkWords(post.Text); err != nil {
		return 0, err
	}
	if err := sc.checkNumber(ctx, tx, actor, at); err != nil {
		return 0, err
	}
	places, err := to.resolve(ctx, tx, sets, nil)
	if err != nil {
		return 0, err
	}
	wanted, holds := to, sc.holds(post.Text, s.url, at) && !slices.Contains(to.own, WhatUserFYEO)
	switch {
	case holds && len(to.directs) > 0:
		return 0, sc.checkLinks(post.Text, s.url, at)
	case holds:
		to = destinations{own: []What{WhatUserFYEO}}
		places = []TimelineID{sets.Own[WhatUserFYEO]}
	}
	f, err := tx.derive(ctx, actor, postText{post.Text, post.Lang, post.Lang != ""}, to.everything())
	if err != nil {
		return 0, err
	}
	preview, err := tx.preview(ctx, s.link(post.Text, *post.LinkPreview), at)
	if err != nil {
		return 0, err
	}
	e := postBatch{post: PostID(claimed)}
	e.Queue(query, e.post, actor, post.Text, places, at, at.UnixMilli(), post.CommentsDisabled, post.NSFW, *post.Linebreaks,
		post.Platform, f.lang, post.Lang != "", *post.LinkPreview, preview)
	e.setWords(f.tags)
	var entered []TimelineID
	e.setMentions(nil, actor, f.people, at, &entered, new([]UserID))
	e.addTo(slices.Concat(places, f.shared, []TimelineID{sets.Own[WhatDiscussions]}), at, &entered)
	e.syncFreshness()
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return 0, err
	}
	if holds {
		if err := tx.hold(ctx, e.post, wanted, at); err != nil {
			return 0, err
		}
	}
	if len(post.Files.IDs) > 0 {
		if _, err := tx.setAttachments(ctx, actor, home{post: e.post}, 0, post.Files); err != nil {
			return 0, err
		}
		if err := tx.setFileWords(ctx, e.post); err != nil {
			return 0, err
		}
	}
	tx.Note(Change{Kind: ChangePost, Post: e.post, Timelines: entered, PlaceChanged: true, TextChanged: true})
	return e.post, tx.notifyOfPost(ctx, at, e.post, actor)
}

// claim returns a new id for a post or a comment. If the person used the uuid before, it
// returns the id that was made then, and fresh is false.
func (s *Store) claim(ctx context.Context, tx primary.Querier, actor UserID, uuid, what string) (id int64, fresh bool, err error) {
	const next = `select next_id($1)`
	const claim = `
		insert into submissions (user_id, uuid, what, their_id, created_at) values ($1, $2, $3, next_id($4), $4)
		on conflict do nothing returning their_id`
	const made = `select what, their_id from submissions where user_id = $1 and uuid = $2`
	now := s.db.Now()
	if uuid == "" {
		err := tx.QueryRow(ctx, next, now).Scan(&id)
		return id, true, err
	}
	err = tx.QueryRow(ctx, claim, actor, uuid, what, now).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, true, err
	}
	// Another transaction claimed the uuid, and has committed: the insert waited for it.
	var before string
	if err := tx.QueryRow(ctx, made, actor, uuid).Scan(&before, &id); err != nil {
		return 0, false, err
	}
	if before != what {
		return 0, false, fmt.Errorf("a %s was made under this uuid: %w", before, ErrConflict)
	}
	return id, false, nil
}

// checkUUID returns an [InvalidError] if the client sent a _uuid and it is not a UUID.
func checkUUID(uuid string) error {
	if uuid != "" && !validUUID(uuid) {
		return &InvalidError{Field: "_uuid", Reason: "is not a UUID"}
	}
	return nil
}

// validUUID reports whether the text is a UUID in its usual form, in upper or lower
// case.
func validUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range []byte(text) {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
