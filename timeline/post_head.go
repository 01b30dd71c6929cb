package timeline

import (
	"context"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A PostHead is a post without its comments and likes, for the forms to edit, address or answer
// the post.
type PostHead struct {
	ID         PostID
	Author     UserID
	AuthorName string
	// Places are the decisive timelines that the viewer may read; the author sees all of
	// them. GroupNames are the names of the groups among them.
	Places     []Timeline
	GroupNames []string
	// Recipients are the names of the recipients of a direct message, without people across a
	// ban from the viewer.
	Recipients []string
	// To names Places and Recipients in the form of [NewPost.To].
	To []string

	Text             string
	Version          int
	CommentsVersion  int
	PublishedAt      time.Time
	UpdatedAt        time.Time
	FreshAt          int64
	CommentsCount    int
	LikesCount       int
	CommentsDisabled bool
	NSFW             bool
	Linebreaks       bool
	Platform         string
	Lang             string // the code of the language, or empty
	LangGiven        bool   // the author chose the language
	LinkPreview      bool   // the post shows a preview of its first link
}

// FindPost returns the head of a post; [ErrNotFound] if the viewer may not read it.
func (s *Store) FindPost(ctx context.Context, viewer UserID, id PostID) (h PostHead, err error) {
	defer primary.Wrap(&err, "post %d", id)
	const query = `
		select p.id, p.user_id, u.name, p.text, p.version, p.comments_version, p.published_at, p.updated_at, p.fresh_at,
			p.comments_count, p.likes_count, p.comments_disabled, p.nsfw, p.linebreaks, p.platform, p.lang, p.lang_given, p.link_preview
		from posts p join users u on u.id = p.user_id where p.id = $1`
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		places, err := readablePlaces(ctx, q, sets, id)
		if err != nil {
			return err
		}
		err = q.QueryRow(ctx, query, id).Scan(&h.ID, &h.Author, &h.AuthorName, &h.Text, &h.Version, &h.CommentsVersion,
			&h.PublishedAt, &h.UpdatedAt, &h.FreshAt, &h.CommentsCount, &h.LikesCount, &h.CommentsDisabled, &h.NSFW,
			&h.Linebreaks, &h.Platform, &h.Lang, &h.LangGiven, &h.LinkPreview)
		if err != nil {
			return err
		}
		return h.fillPlaces(ctx, q, sets, places)
	})
	if err != nil {
		return PostHead{}, err
	}
	h.PublishedAt, h.UpdatedAt = h.PublishedAt.UTC(), h.UpdatedAt.UTC()
	return h, nil
}

// fillPlaces fills in the places of the post, as far as the viewer may know them.
func (h *PostHead) fillPlaces(ctx context.Context, q primary.Querier, sets *Sets, places []Timeline) error {
	const groupNames = `select name from groups where id = any($1) order by name`
	const userNames = `select name from users where id = any($1) and status <> 'deleted' order by name`
	var groups, recipients []int64
	for _, t := range places {
		_, banned := sets.Bans[UserID(t.TheirID)]
		if t.What == WhatUserDirects && UserID(t.TheirID) != h.Author && !banned {
			recipients = append(recipients, t.TheirID)
		}
		if h.Author != sets.User && !sets.Readable(t) {
			continue
		}
		h.Places = append(h.Places, t)
		switch t.What {
		case WhatGroup:
			groups = append(groups, t.TheirID)
		case WhatUser, WhatUserPrivate, WhatUserFYEO:
			h.To = append(h.To, string(t.What))
		}
	}
	for _, named := range []struct {
		query, prefix string
		ids           []int64
		names         *[]string
	}{{groupNames, "group:", groups, &h.GroupNames}, {userNames, "direct:", recipients, &h.Recipients}} {
		if len(named.ids) == 0 {
			continue
		}
		rows, err := q.Query(ctx, named.query, named.ids)
		if err != nil {
			return err
		}
		if err := primary.Collect(named.names)(rows); err != nil {
			return err
		}
		for _, name := range *named.names {
			h.To = append(h.To, named.prefix+name)
		}
	}
	return nil
}
