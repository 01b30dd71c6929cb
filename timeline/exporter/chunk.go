package exporter

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// A chunk holds some posts in memory, with their comments, likes, favourites, files, and so on.
type chunk struct {
	*export
	posts     []*Post
	byID      map[timeline.PostID]*Post
	comments  map[timeline.CommentID]*Comment
	timelines map[timeline.TimelineID]place
	files     []*attachment
}

// A place is a base timeline with the name of the person or group that it belongs to.
type place struct {
	timeline.Timeline
	name string
	gone bool // the account is deleted
}

// An attachment is a file of a post or of a comment.
type attachment struct {
	id              timeline.AttachmentID
	post            *timeline.PostID
	comment         *timeline.CommentID
	owner           timeline.UserID
	fileName        string
	kind, mediaType string
	alt             string
	frames          int
	upload          []byte // the name of the file of a queued attachment
	at              time.Time
	renditions      []timeline.Rendition
}

// read reads posts and all that belongs to them. $2 of the queries is the person of the export, or 0
// if everything is exported. In a person's export, the favourites, hides and likes of comments are
// only the person's own, and what suspended accounts wrote is left out.
func (c *chunk) read(ctx context.Context, ids []timeline.PostID) error {
	const user = ` join users u on u.id = x.user_id and u.status <> 'deleted' `
	const posts = `
		select x.id, x.user_id, u.name, x.text, x.places, x.published_at, x.updated_at, x.comments_disabled, x.nsfw, x.linebreaks,
			x.lang, x.lang_given, x.platform, x.link_preview
		from posts x ` + user + ` where x.id = any($1) order by x.id`
	const comments = `
		select x.post_id, x.id, x.user_id, u.name, x.text, x.created_at, x.updated_at, x.platform, x.bumps
		from all_comments x ` + user + ` where x.post_id = any($1) and ($2 = 0 or not x.withheld) order by x.post_id, x.created_at, x.id`
	const likes = `
		select x.post_id, x.user_id, u.name, x.created_at from all_likes x ` + user + `
		where x.post_id = any($1) and ($2 = 0 or not x.withheld) order by x.post_id, x.created_at, u.name` + collation
	const favs = `
		select x.post_id, x.user_id, u.name, x.created_at from all_favs x ` + user + `
		where x.post_id = any($1) and ($2 = 0 or x.user_id = $2 and not x.withheld) order by x.post_id, x.created_at, u.name` + collation
	const hidden = `
		select x.post_id, x.user_id, u.name, x.created_at from hidden_posts x ` + user + `
		where x.post_id = any($1) and ($2 = 0 or x.user_id = $2) order by x.post_id, x.created_at, u.name` + collation
	const commentLikes = `
		select x.post_id, x.comment_id, x.user_id, u.name, x.created_at from all_comment_likes x ` + user + `
		where x.post_id = any($1) and ($2 = 0 or x.user_id = $2 and not x.withheld) order by x.post_id, x.comment_id, x.created_at, u.name` + collation
	const earlierTexts = `
		select post_id, comment_id, text, places, written_at, replaced_at from earlier_texts where post_id = any($1) order by id`

	var b pgx.Batch
	b.Queue(posts, ids).Query(c.collectPosts)
	b.Queue(comments, ids, c.User).Query(c.collectComments)
	for _, marks := range []struct {
		query string
		args  []any
		of    func(*Post) *[]mark
	}{
		{likes, []any{ids, c.User}, func(p *Post) *[]mark { return &p.likes }},
		{favs, []any{ids, c.User}, func(p *Post) *[]mark { return &p.favs }},
		{hidden, []any{ids, c.User}, func(p *Post) *[]mark { return &p.hidden }},
	} {
		b.Queue(marks.query, marks.args...).Query(func(rows pgx.Rows) error {
			var id timeline.PostID
			var m mark
			_, err := pgx.ForEachRow(rows, []any{&id, &m.user, &m.name, &m.at}, func() error {
				if p := c.byID[id]; p != nil {
					of := marks.of(p)
					*of = append(*of, m)
				}
				return nil
			})
			return err
		})
	}
	b.Queue(commentLikes, ids, c.User).Query(func(rows pgx.Rows) error {
		var id timeline.PostID
		var m commentMark
		_, err := pgx.ForEachRow(rows, []any{&id, &m.comment, &m.user, &m.name, &m.at}, func() error {
			if p := c.byID[id]; p != nil && c.comments[m.comment] != nil {
				p.clikes = append(p.clikes, m)
			}
			return nil
		})
		return err
	})
	b.Queue(earlierTexts, ids).Query(func(rows pgx.Rows) error {
		var id timeline.PostID
		var comment *timeline.CommentID
		var one earlier
		_, err := pgx.ForEachRow(rows, []any{&id, &comment, &one.text, &one.places, &one.writtenAt, &one.endedAt}, func() error {
			kept := one
			one.places = nil
			switch p := c.byID[id]; {
			case p == nil:
			case comment == nil:
				p.earlier = append(p.earlier, kept)
			case c.comments[*comment] != nil:
				c.comments[*comment].earlier = append(c.comments[*comment].earlier, kept)
			}
			return nil
		})
		return err
	})
	if c.store != nil {
		c.queueFiles(&b, ids)
	}
	return c.tx.SendBatch(ctx, &b).Close()
}

func (c *chunk) collectPosts(rows pgx.Rows) error {
	var p Post
	var updated time.Time
	var linebreaks, preview bool
	l := &p.line
	_, err := pgx.ForEachRow(rows, []any{
		&p.ID, &p.author, &p.Author, &p.Text, &p.places, &p.At, &updated, &l.CommentsDisabled, &l.NSFW, &linebreaks,
		&l.Lang, &l.LangGiven, &l.Platform, &preview,
	}, func() error {
		one := p
		p.places = nil
		one.line.Type, one.line.ID, one.line.Author, one.line.Text = "post", strconv.FormatInt(int64(p.ID), 10), p.Author, p.Text
		one.Linebreaks = linebreaks
		one.line.Linebreaks, one.line.LinkPreview, one.line.At = unless(true, linebreaks), unless(true, preview), stamp(p.At)
		if !updated.Equal(p.At) {
			one.line.UpdatedAt = stamp(updated)
		}
		c.posts = append(c.posts, &one)
		c.byID[one.ID] = &one
		return nil
	})
	return err
}

func (c *chunk) collectComments(rows pgx.Rows) error {
	var post timeline.PostID
	var one Comment
	var updated *time.Time
	var bumps bool
	_, err := pgx.ForEachRow(rows, []any{&post, &one.ID, &one.author, &one.Author, &one.Text, &one.At, &updated, &one.line.Platform, &bumps}, func() error {
		p := c.byID[post]
		if p == nil {
			return nil
		}
		kept := one
		l := &kept.line
		l.Type, l.ID, l.Post, l.Author, l.Text = "comment", strconv.FormatInt(int64(one.ID), 10), p.line.ID, one.Author, one.Text
		l.Bumps, l.UpdatedAt, l.At = unless(true, bumps), stampOf(updated), stamp(one.At)
		p.Comments = append(p.Comments, &kept)
		c.comments[kept.ID] = &kept
		return nil
	})
	return err
}

// queueFiles queues queries for the attachments of the posts and their comments: all that are ready,
// and those that wait for a worker. In a person's export, the latter are only the person's own.
func (c *chunk) queueFiles(b *pgx.Batch, ids []timeline.PostID) {
	const files = `
		select a.id, a.post_id, a.comment_id, a.user_id, a.file_name, a.kind, a.media_type, a.alt, a.frames, a.upload, a.created_at
		from attachments a left join all_comments x on x.id = a.comment_id
		where (a.post_id = any($1) or x.post_id = any($1)) and (a.state = 'ready' or a.state = 'queued' and ($2 = 0 or a.user_id = $2))
		order by a.position, a.id`
	const renditions = `
		select r.attachment_id, r.name, r.file, r.media_type, r.size, r.width, r.height
		from renditions r join attachments a on a.id = r.attachment_id left join all_comments x on x.id = a.comment_id
		where (a.post_id = any($1) or x.post_id = any($1)) and ($2 = 0 or r.name = 'original')
		order by r.attachment_id, r.name` + collation
	found := make(map[timeline.AttachmentID]*attachment)
	b.Queue(files, ids, c.User).Query(func(rows pgx.Rows) error {
		var a attachment
		_, err := pgx.ForEachRow(rows, []any{&a.id, &a.post, &a.comment, &a.owner, &a.fileName, &a.kind, &a.mediaType, &a.alt, &a.frames, &a.upload, &a.at}, func() error {
			one := a
			a.post, a.comment, a.upload = nil, nil, nil
			found[one.id] = &one
			c.files = append(c.files, &one)
			return nil
		})
		return err
	})
	b.Queue(renditions, ids, c.User).Query(func(rows pgx.Rows) error {
		var id timeline.AttachmentID
		var r timeline.Rendition
		var file []byte
		_, err := pgx.ForEachRow(rows, []any{&id, &r.Name, &file, &r.MediaType, &r.Size, &r.Width, &r.Height}, func() error {
			if a := found[id]; a != nil {
				r.File = timeline.FileName(file)
				a.renditions = append(a.renditions, r)
			}
			return nil
		})
		return err
	})
}

// addFiles adds the files of the posts and comments of the chunk to the zip file, and their lines to
// the posts and comments. Files of posts and comments that decide left out are skipped.
func (c *chunk) addFiles(ctx context.Context) error {
	there := make(map[timeline.CommentID]*Comment)
	posts := make(map[timeline.PostID]*Post, len(c.posts))
	for _, p := range c.posts {
		posts[p.ID] = p
		for _, one := range p.Comments {
			there[one.ID] = one
		}
	}
	for _, a := range c.files {
		var p *Post
		var one *Comment
		if a.post != nil {
			p = posts[*a.post]
		} else {
			one = there[*a.comment]
		}
		if p == nil && one == nil {
			continue
		}
		l, err := c.fileLine(ctx, a)
		if err != nil {
			return err
		}
		if l.Path == "" {
			continue
		}
		f := File{l.Path, a.fileName, a.alt, a.kind}
		if p != nil {
			l.Type, l.Post = "file", p.line.ID
			p.Files, p.fileLines = append(p.Files, f), append(p.fileLines, l)
		} else {
			l.Type, l.Comment = "comment_file", one.line.ID
			one.Files, one.fileLines = append(one.Files, f), append(one.fileLines, l)
		}
	}
	return nil
}

// fileLine adds the files of an attachment to the zip file, and returns the attachment's line. The
// line has no path if the file store lacks a file.
func (c *chunk) fileLine(ctx context.Context, a *attachment) (l fileLine, err error) {
	l = fileLine{ID: strconv.FormatInt(int64(a.id), 10), Alt: a.alt, FileName: a.fileName, At: stamp(a.at)}
	if a.upload != nil {
		l.Path, err = c.add(ctx, timeline.FileName(a.upload), "", a.fileName)
		return l, err
	}
	for _, r := range a.renditions {
		path, err := c.add(ctx, r.File, r.MediaType, a.fileName)
		if err != nil || path == "" {
			return fileLine{}, err
		}
		if r.Name == "original" {
			l.Path = path
		}
		if c.all() {
			l.Renditions = append(l.Renditions, fmt.Sprintf("%s %s %d %d %s", r.Name, path, r.Width, r.Height, r.MediaType))
		}
	}
	if c.all() {
		l.Kind, l.MediaType, l.Frames = a.kind, a.mediaType, a.frames
	}
	return l, nil
}

// readPlaces reads the timelines that are places of the posts, or were when a text was replaced.
func (c *chunk) readPlaces(ctx context.Context) error {
	const query = `
		select t.id, t.what, t.their_id, t.access, coalesce(u.name, g.name), coalesce(u.status, g.status) = 'deleted'
		from timelines t
		left join users u on t.what <> 'group' and u.id = t.their_id
		left join groups g on t.what = 'group' and g.id = t.their_id
		where t.id = any($1) and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group')`
	ids := make(map[timeline.TimelineID]bool)
	note := func(places []timeline.TimelineID) {
		for _, id := range places {
			ids[id] = true
		}
	}
	for _, p := range c.posts {
		note(p.places)
		for _, of := range p.earlier {
			note(of.places)
		}
		for _, one := range p.Comments {
			for _, of := range one.earlier {
				note(of.places)
			}
		}
	}
	c.timelines = make(map[timeline.TimelineID]place, len(ids))
	rows, err := c.tx.Query(ctx, query, slices.Collect(maps.Keys(ids)))
	if err != nil {
		return err
	}
	var t place
	_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.What, &t.TheirID, &t.Access, &t.name, &t.gone}, func() error {
		c.timelines[t.ID] = t
		return nil
	})
	return err
}

// timeline returns the place with an id, and reports whether it was read.
func (c *chunk) timeline(id timeline.TimelineID) (timeline.Timeline, bool) {
	t, ok := c.timelines[id]
	return t.Timeline, ok
}

// shown returns the places that the export may name: in a person's export, the places that the site
// shows to the person.
func (c *chunk) shown(author timeline.UserID, places []timeline.TimelineID) (shown []timeline.Timeline) {
	if !c.all() {
		return c.sets.VisiblePlaces(timeline.AccessFacts{Author: author, Places: places}, c.timeline)
	}
	for _, id := range places {
		if t, ok := c.timeline(id); ok {
			shown = append(shown, t)
		}
	}
	return shown
}

// destinations returns the places of a post, or of an earlier text of it, in the form of lines,
// sorted. A direct is always in the author's own directs timeline, so destinations leaves out that
// place, unless it is the only one.
func (c *chunk) destinations(author timeline.UserID, places []timeline.TimelineID) []string {
	to := make([]string, 0, len(places))
	alone := ""
	for _, t := range c.shown(author, places) {
		p := c.timelines[t.ID]
		switch {
		case p.gone:
		case t.What == timeline.WhatUserPrivate:
			to = append(to, "private:"+p.name)
		case t.What == timeline.WhatUserFYEO:
			to = append(to, "fyeo:"+p.name)
		case t.What == timeline.WhatUserDirects && t.TheirID == int64(author):
			alone = "direct:" + p.name
		case t.What == timeline.WhatUserDirects:
			to = append(to, "direct:"+p.name)
		default:
			to = append(to, p.name)
		}
	}
	if alone != "" && !slices.ContainsFunc(to, func(name string) bool { return strings.HasPrefix(name, "direct:") }) {
		to = append(to, alone)
	}
	slices.Sort(to)
	return slices.Compact(to)
}
