package timeline

import (
	"context"
	"fmt"
	"time"
)

// PostHead is a post without what hangs on it, for whoever edits, addresses or
// answers it.
type PostHead struct {
	ID         PostID
	Author     UserID
	AuthorName string
	// Places are the decisive timelines that the viewer may read, the author
	// all of them; GroupNames are the names of the groups among them.
	Places     []Timeline
	GroupNames []string

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
}

// FindPost reads the head of a post; [ErrNotFound] when the viewer may not see it.
func (s *Store) FindPost(ctx context.Context, viewer UserID, id PostID) (PostHead, error) {
	const query = `
		select p.id, p.user_id, u.name, p.text, p.version, p.comments_version, p.published_at, p.updated_at, p.fresh_at,
			p.comments_count, p.likes_count, p.comments_disabled, p.nsfw, p.linebreaks, p.platform
		from posts p join users u on u.id = p.user_id where p.id = $1`
	const names = `select name from groups where id = any($1) order by name`
	var h PostHead
	err := s.view(ctx, func(q querier) error {
		sets, err := readSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		places, err := decide(ctx, q, sets, id)
		if err != nil {
			return err
		}
		err = q.QueryRow(ctx, query, id).Scan(&h.ID, &h.Author, &h.AuthorName, &h.Text, &h.Version, &h.CommentsVersion,
			&h.PublishedAt, &h.UpdatedAt, &h.FreshAt, &h.CommentsCount, &h.LikesCount, &h.CommentsDisabled, &h.NSFW,
			&h.Linebreaks, &h.Platform)
		if err != nil {
			return err
		}
		var groups []GroupID
		for _, t := range places {
			if h.Author != viewer && !sets.Readable(t) {
				continue
			}
			h.Places = append(h.Places, t)
			if t.What == WhatGroup {
				groups = append(groups, GroupID(t.TheirID))
			}
		}
		if len(groups) == 0 {
			return nil
		}
		rows, err := q.Query(ctx, names, groups)
		if err != nil {
			return err
		}
		return collect(&h.GroupNames)(rows)
	})
	if err != nil {
		return PostHead{}, fmt.Errorf("post %d: %w", id, err)
	}
	h.PublishedAt, h.UpdatedAt = h.PublishedAt.UTC(), h.UpdatedAt.UTC()
	return h, nil
}
