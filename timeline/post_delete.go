package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/timeline/internal/primary"
)

// DeletePost deletes a post with its comments, likes and entries. It keeps a row without content
// until the change log is pruned past the row, so that the post's version keeps increasing.
func (s *Store) DeletePost(ctx context.Context, actor UserID, id PostID) (err error) {
	defer primary.Wrap(&err, "delete post %d", id)
	return s.withPost(ctx, actor, id, func(tx *txn, p *lockedPost) error {
		if !p.sets.MayDeletePost(p.Author) {
			return ErrForbidden
		}
		if actor == p.Author {
			return tx.erase(ctx, s.db.Now(), id)
		}
		_, err := s.moderatePost(ctx, tx, p, JournalEntry{By: actor, User: p.Author})
		return err
	})
}

// moderatePost deletes a post of the entry's person for an administrator of the site, and records the entry.
func (s *Store) moderatePost(ctx context.Context, tx *txn, p *lockedPost, e JournalEntry) (entry int64, err error) {
	const written = `select published_at from posts where id = $1`
	if err := tx.QueryRow(ctx, written, p.ID).Scan(&e.Written); err != nil {
		return 0, err
	}
	if err := tx.erase(ctx, s.db.Now(), p.ID); err != nil {
		return 0, err
	}
	e.Act, e.Until = ActDeletePost, time.Time{}
	return s.record(ctx, tx, e)
}

// erase deletes posts with everything that belongs to them, and notes the changes. The
// caller has locked the posts. Of each post a row without content stays.
func (tx *txn) erase(ctx context.Context, at time.Time, posts ...PostID) error {
	const update = `
		update posts set
			text = '', platform = '', places = '{}', preview_id = null, version = version + 1, comments_version = comments_version + 1,
			comments_count = 0, likes_count = 0, favs_count = 0, updated_at = $2, deleted_at = $2
		where id = $1`
	const entries = `delete from timeline_entries where post_id = $1 returning timeline_id`
	const held = `delete from held_posts where post_id = $1`
	tx.Revokes()
	if err := tx.retractPosts(ctx, posts...); err != nil {
		return err
	}
	// One statement deletes all rows of a post in a table, however many.
	var batch pgx.Batch
	var waited bool
	left := make([][]TimelineID, len(posts))
	for i, post := range posts {
		batch.Queue(update, post, at)
		batch.Queue(entries, post).Query(primary.Collect(&left[i]))
		batch.Queue(held, post).Exec(func(tag pgconn.CommandTag) error {
			waited = waited || tag.RowsAffected() > 0
			return nil
		})
		for _, query := range []string{
			`delete from timeline_left where post_id = $1`,
			`delete from all_mentions where post_id = $1`,
			`delete from post_words where post_id = $1`,
			`delete from rankings where post_id = $1`,
			`delete from all_comment_likes where post_id = $1`,
			`delete from attachments where post_id = $1 or comment_id in (select id from all_comments where post_id = $1)`,
			`delete from earlier_texts where post_id = $1`,
			`delete from all_comments where post_id = $1`,
			`delete from all_likes where post_id = $1`,
			`delete from all_favs where post_id = $1`,
		} {
			batch.Queue(query, post)
		}
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	for i, post := range posts {
		tx.Note(Change{Kind: ChangePost, Post: post, Timelines: left[i], PlaceChanged: true})
	}
	if waited {
		return tx.retractWaiting(ctx, NoticeHeld)
	}
	return nil
}
