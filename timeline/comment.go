package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Comment is one comment of a post.
type Comment struct {
	ID        CommentID  `json:"id"`
	Post      PostID     `json:"post"`
	User      UserID     `json:"user"`
	Text      string     `json:"text"`
	Platform  string     `json:"platform,omitempty"`
	Likes     int        `json:"likes,omitempty"`
	Likers    []UserID   `json:"likers,omitempty"` // sorted; pages show a viewer at most their own id
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"` // when it was edited; nil: never
	// Attachments are the ready files, in the order that the commenter chose.
	Attachments []Attachment `json:"attachments,omitempty"`
	Unready     []Unready    `json:"unready,omitempty"`
}

// NewComment is a comment as a client sends it.
type NewComment struct {
	UUID     string // chosen by the client; a second call with the same UUID adds nothing
	Text     string
	Platform string
	Files    Files
}

// AddComment adds a comment to a post, and returns the comment's id. The comment makes the post
// fresh, unless the site's rule for bumps says otherwise; see [SiteSettings]. A call with the UUID
// of an earlier comment of the actor's returns the id of the earlier comment; [ErrConflict] if the
// earlier comment is on another post. [ErrNotFound] if the actor may not read the post,
// [ErrForbidden] if the actor may not comment on the post, an [InvalidError] if the text is not
// valid.
func (s *Store) AddComment(ctx context.Context, actor UserID, post PostID, c NewComment) (id CommentID, err error) {
	defer primary.Wrap(&err, "comment on post %d", post)
	if err := checkUUID(c.UUID); err != nil {
		return 0, err
	}
	if c.Text, err = text.Clean("text", c.Text); err != nil {
		return 0, err
	}
	if c.Platform, err = text.CleanLine("platform", c.Platform, text.MaxLabel); err != nil {
		return 0, err
	}
	if err := c.Files.check(); err != nil {
		return 0, err
	}
	if c.Text == "" && len(c.Files.IDs) == 0 {
		return 0, errNoContent
	}
	err = s.write(ctx, func(tx *txn) error {
		id, err = s.addComment(ctx, tx, actor, post, c)
		return err
	})
	return id, err
}

func (s *Store) addComment(ctx context.Context, tx *txn, actor UserID, post PostID, c NewComment) (CommentID, error) {
	const insert = `
		insert into comments (id, post_id, user_id, text, platform, created_at, bumps, words)
		select $1::bigint, id, $3::bigint, $4, $5, $6::timestamptz, $7::boolean, to_tsvector(search_config(lang), $4) from posts where id = $2`
	const bump = `
		update posts set
			version = version + 1, comments_version = comments_version + 1, comments_count = comments_count + 1,
			fresh_at = case when $3::boolean then $2::bigint else fresh_at end
		where id = $1`
	const elsewhere = `select exists (select from comments where id = $1 and post_id <> $2)`
	var sc screening
	p, err := lockReadable(ctx, tx, actor, post, sc.queue)
	if err != nil {
		return 0, err
	}
	claimed, fresh, err := s.claim(ctx, tx, actor, c.UUID, "comment")
	if err != nil {
		return 0, err
	}
	if !fresh {
		var other bool
		if err := tx.QueryRow(ctx, elsewhere, claimed, post).Scan(&other); err != nil {
			return 0, err
		}
		if other {
			return 0, fmt.Errorf("a comment on another post was made under this uuid: %w", ErrConflict)
		}
		return CommentID(claimed), nil
	}
	if !p.takesPart() || !p.sets.MayComment(p.Author, p.CommentsDisabled) {
		return 0, ErrForbidden
	}
	at := p.timeOfNew(s.db.Now())
	if err := sc.checkText(c.Text, s.url, at); err != nil {
		return 0, err
	}
	if err := sc.checkNumber(ctx, tx, actor, at); err != nil {
		return 0, err
	}
	people, err := tx.findMentioned(ctx, c.Text, actor)
	if err != nil {
		return 0, err
	}
	bumps, err := p.bumps(ctx, tx, at)
	if err != nil {
		return 0, err
	}
	e := postBatch{post: post}
	e.Queue(insert, claimed, post, actor, c.Text, c.Platform, at, bumps)
	e.Queue(bump, post, at.UnixMilli(), bumps)
	var entered []TimelineID
	e.setMentions(new(CommentID(claimed)), actor, people, at, &entered, new([]UserID))
	e.addToPeople([]UserID{actor}, at, &entered, WhatUserComments, WhatDiscussions)
	e.syncFreshness()
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return 0, err
	}
	if len(c.Files.IDs) > 0 {
		if _, err := tx.setAttachments(ctx, actor, home{post, true}, CommentID(claimed), c.Files); err != nil {
			return 0, err
		}
	}
	tx.Note(Change{Kind: ChangePost, Post: post, Timelines: entered, PlaceChanged: bumps, TextChanged: true})
	return CommentID(claimed), tx.notifyOfComment(ctx, at, post, CommentID(claimed), actor)
}

// A CommentEdit is an author's change of a comment; a nil field stays as it is.
type CommentEdit struct {
	Text  *string
	Files *Files
}

// EditComment changes the text or the files of a comment that the actor wrote;
// [ErrForbidden] for another actor, [ErrNotFound] if there is no such comment for the actor,
// an [InvalidError] for a bad text, an [AttachmentError] for a bad file. Files that the edit
// does not name any more are deleted.
func (s *Store) EditComment(ctx context.Context, actor UserID, post PostID, id CommentID, edit CommentEdit) (err error) {
	defer primary.Wrap(&err, "edit comment %d of post %d", id, post)
	const update = `
		update comments c set text = $2, updated_at = $3, words = to_tsvector(search_config(p.lang), $2)
		from posts p where c.id = $1 and p.id = c.post_id and c.text <> $2`
	if edit.Text != nil {
		text, err := text.Clean("text", *edit.Text)
		if err != nil {
			return err
		}
		edit.Text = &text
	}
	if edit.Files != nil {
		if err := edit.Files.check(); err != nil {
			return err
		}
	}
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		by, err := p.findComment(ctx, tx, id)
		if err != nil {
			return err
		}
		if !p.sets.MayEdit(by) {
			return ErrForbidden
		}
		change, changed := Change{Kind: ChangePost, Post: post}, false
		if edit.Text != nil {
			if err := s.screenText(ctx, tx, actor, *edit.Text); err != nil {
				return err
			}
			at := s.db.Now()
			if err := tx.keepText(ctx, at, post, id, *edit.Text); err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, update, id, *edit.Text, at)
			if err != nil {
				return err
			}
			if changed = tag.RowsAffected() > 0; changed {
				change.TextChanged = true
				if change.Timelines, err = tx.updateMentions(ctx, post, id, by, *edit.Text, at); err != nil {
					return err
				}
			}
		}
		if edit.Files != nil {
			other, err := tx.setAttachments(ctx, actor, home{post, true}, id, *edit.Files)
			if err != nil {
				return err
			}
			changed = changed || other
		}
		if !changed {
			return nil
		}
		if err := tx.checkContent(ctx, post, id); err != nil {
			return err
		}
		return tx.commentsChanged(ctx, change)
	})
}

// updateMentions sets the mentions of a comment to the mentions in its new text, and returns the
// timelines that the post entered or left with them. by is the author of the comment.
func (tx *txn) updateMentions(ctx context.Context, post PostID, id CommentID, by UserID, text string, at time.Time) (moved []TimelineID, err error) {
	people, err := tx.findMentioned(ctx, text, by)
	if err != nil {
		return nil, err
	}
	e := postBatch{post: post}
	var added, unnamed []UserID
	e.removeMentions(&id, people, &moved, &unnamed)
	e.setMentions(&id, by, people, at, &moved, &added)
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return moved, err
	}
	return moved, tx.notifyOfMentions(ctx, at, post, &id, by, added, unnamed)
}

// commentsChanged increases the versions of a post after a change of one of its comments, and
// notes the change.
func (tx *txn) commentsChanged(ctx context.Context, change Change) error {
	const query = `update posts set version = version + 1, comments_version = comments_version + 1 where id = $1`
	tx.Note(change)
	_, err := tx.Exec(ctx, query, change.Post)
	return err
}

// DeleteComment deletes a comment. If the comment was the newest that made its post fresh, the
// post becomes as fresh as before the comment. [ErrForbidden] unless the actor may delete the
// comment, see [Sets.MayDeleteComment]; [ErrNotFound] if the actor sees no such comment. An actor who
// moderates the post may also delete comments across a ban, see [Sets.Moderates].
func (s *Store) DeleteComment(ctx context.Context, actor UserID, post PostID, id CommentID) (err error) {
	defer primary.Wrap(&err, "delete comment %d of post %d", id, post)
	return s.write(ctx, func(tx *txn) error {
		p, err := lockModerated(ctx, tx, actor, post)
		if err != nil {
			return err
		}
		tx.Revokes()
		find := p.findComment
		if p.moderated() {
			find = p.findCommentAcross
		}
		by, err := find(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !p.sets.MayDeleteComment(by, p.Author, p.places):
			return ErrForbidden
		case actor == by || actor == p.Author:
			return tx.removeComment(ctx, p, id, by)
		}
		_, err = s.moderateComment(ctx, tx, p, id, JournalEntry{By: actor, User: by, Group: p.moderatedIn()})
		return err
	})
}

// moderatedIn returns the group as whose administrator the actor acts on a post; 0 if the actor administers the site.
func (p *lockedPost) moderatedIn() GroupID {
	if p.sets.moderatesSite() {
		return 0
	}
	for _, t := range p.places {
		if group := GroupID(t.TheirID); t.What == WhatGroup && p.sets.runs(group) {
			return group
		}
	}
	return 0
}

// moderateComment deletes a comment of the entry's person for an administrator, and records the entry. The error is
// [ErrConflict] if there is no such comment.
func (s *Store) moderateComment(ctx context.Context, tx *txn, p *lockedPost, id CommentID, e JournalEntry) (entry int64, err error) {
	const written = `select created_at from all_comments where id = $1 and post_id = $2 and user_id = $3 and not withheld`
	tx.Revokes()
	if err := tx.QueryRow(ctx, written, id, p.ID, e.User).Scan(&e.Written); err != nil {
		if missing(err) {
			err = ErrConflict
		}
		return 0, err
	}
	if err := tx.removeComment(ctx, p, id, e.User); err != nil {
		return 0, err
	}
	e.Act, e.Until = ActDeleteComment, time.Time{}
	return s.record(ctx, tx, e)
}

// removeComment deletes a comment that the person by wrote on a locked post.
func (tx *txn) removeComment(ctx context.Context, p *lockedPost, id CommentID, by UserID) error {
	const files = `delete from attachments where comment_id = $1`
	const remove = `delete from comments where id = $1`
	const update = `
		update posts set
			version = version + 1, comments_version = comments_version + 1, comments_count = comments_count - 1,
			fresh_at = (extract(epoch from coalesce(
				(select max(created_at) from comments where post_id = $1 and bumps), published_at)) * 1000)::bigint
		where id = $1
		returning fresh_at`
	const leave = `
		with gone as (
			delete from timeline_entries e using timelines t
			where e.post_id = $1 and e.timeline_id = t.id and t.their_id = $2
				and (t.what = 'user_comments' or t.what = 'user_discussions' and $2 <> $3)
				and not exists (select from all_comments where post_id = $1 and user_id = $2)
			returning e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select $1, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select timeline_id from gone`
	if err := tx.retractComment(ctx, id); err != nil {
		return err
	}
	e := postBatch{post: p.ID}
	var left []TimelineID
	e.removeMentions(&id, nil, &left, new([]UserID))
	e.Queue(files, id)
	e.Queue(remove, id)
	var fresh int64
	e.Queue(update, p.ID).QueryRow(func(row pgx.Row) error { return row.Scan(&fresh) })
	e.Queue(leave, p.ID, by, p.Author).Query(primary.Collect(&left))
	e.syncFreshness()
	if err := tx.SendBatch(ctx, &e.Batch).Close(); err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangePost, Post: p.ID, Timelines: left, PlaceChanged: fresh != p.FreshAt, TextChanged: true})
	return nil
}

// Comment reads one comment. It returns [ErrNotFound] if the viewer may not read the post, or if a
// ban stands between the viewer and the commenter.
func (s *Store) Comment(ctx context.Context, viewer UserID, post PostID, id CommentID) (_ *Comment, err error) {
	defer primary.Wrap(&err, "comment %d of post %d", id, post)
	const query = `
		select id, post_id, user_id, text, platform, likes_count, created_at, updated_at,
			(` + attachmentsJSON + `a.comment_id = comments.id), (` + unreadyJSON + `a.comment_id = comments.id)
		from comments where id = $1 and post_id = $2`
	var c Comment
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		if _, err := readablePlaces(ctx, q, sets, post); err != nil {
			return err
		}
		err = q.QueryRow(ctx, query, id, post).Scan(&c.ID, &c.Post, &c.User, &c.Text, &c.Platform, &c.Likes, &c.CreatedAt, &c.UpdatedAt, &c.Attachments, &c.Unready)
		if _, banned := sets.Bans[c.User]; banned {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c.CreatedAt = c.CreatedAt.UTC()
	if c.UpdatedAt != nil {
		c.UpdatedAt = new(c.UpdatedAt.UTC())
	}
	return &c, nil
}

// bumpWithin is the age up to which any comment makes a post fresh, and the time before a
// comment in which others are counted; see [lockedPost.bumps].
const bumpWithin = 24 * time.Hour

// bumps reports whether a comment written on the post at the given moment makes the post fresh. By
// the default rule each comment bumps. By the rule "freefeed" (see [SiteSettings]) a comment bumps
// if the post is younger than a day, or has more than two comments of the last day. For example, a
// week-old post with two comments since yesterday keeps its place when a third comment comes; the
// fourth makes the post fresh, and so do the following comments.
//
// The answer is kept in comments.bumps: a post is as fresh as its newest comment that bumps, else
// as its publication, also after comments are deleted or the rule is changed.
func (p *lockedPost) bumps(ctx context.Context, tx primary.Querier, at time.Time) (bool, error) {
	const query = `
		select coalesce(s.value->>'bump', '') <> 'freefeed' or p.published_at > $2
			or (select count(*) from (select from comments where post_id = p.id and created_at > $2 limit 3) recent) > 2
		from site_settings s, posts p where p.id = $1`
	var bumps bool
	err := tx.QueryRow(ctx, query, p.ID, at.Add(-bumpWithin)).Scan(&bumps)
	return bumps, err
}
