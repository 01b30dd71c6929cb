package importer

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// lockPosts locks the existing posts that this batch changes, in the order of their ids, and
// reads their state.
func (t *batchTx) lockPosts(ctx context.Context) error {
	const query = `
		select id, user_id, deleted_at is not null, places, fresh_at, exists (select from comments where post_id = posts.id and bumps)
		from posts where id = any($1) order by id for no key update`
	posts, comments := t.toLock()
	if len(posts) == 0 {
		return nil
	}
	rows, err := t.tx.Query(ctx, query, slices.Collect(maps.Keys(posts)))
	if err != nil {
		return err
	}
	places := make(map[timeline.TimelineID]bool)
	var p post
	_, err = pgx.ForEachRow(rows, []any{&p.id, &p.author, &p.gone, &p.places, &p.freshAt, &p.bumped}, func() error {
		found := t.byPost[p.id]
		if found == nil { // the batch names only a comment on the post
			found = &post{id: p.id}
			t.byPost[p.id] = found
		}
		found.author, found.gone, found.freshAt, found.bumped = p.author, p.gone, p.freshAt, p.bumped
		found.places = slices.Clone(p.places)
		for _, id := range found.places {
			places[id] = true
		}
		delete(posts, p.id)
		return nil
	})
	if err != nil {
		return err
	}
	for id := range posts { // the post was erased after lookUp had found it
		if found := t.byPost[id]; found != nil {
			found.gone = true
		}
	}
	return t.readLocked(ctx, places, comments)
}

// readLocked reads the timelines of the locked posts, and which of the comments in gone still
// exist.
func (t *batchTx) readLocked(ctx context.Context, places map[timeline.TimelineID]bool, gone map[timeline.CommentID]bool) error {
	const timelines = `select id, what, their_id, access from timelines where id = any($1)`
	const comments = `select id from all_comments where id = any($1)`
	var b pgx.Batch
	b.Queue(timelines, slices.Collect(maps.Keys(places))).Query(func(rows pgx.Rows) error {
		var tl timeline.Timeline
		_, err := pgx.ForEachRow(rows, []any{&tl.ID, &tl.What, &tl.TheirID, &tl.Access}, func() error {
			t.relations.timelines[tl.ID] = tl
			return nil
		})
		return err
	})
	b.Queue(comments, slices.Collect(maps.Keys(gone))).Query(func(rows pgx.Rows) error {
		var id timeline.CommentID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			delete(gone, id)
			return nil
		})
		return err
	})
	if err := t.tx.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	for _, c := range t.comments {
		if c.line == nil && !c.gone {
			c.gone = gone[c.id]
			c.post = t.byPost[c.postID]
		}
	}
	return nil
}

// toLock returns the existing posts that get new comments, likes or files, and the
// existing comments that get new likes or files.
func (t *batchTx) toLock() (map[timeline.PostID]bool, map[timeline.CommentID]bool) {
	posts, comments := make(map[timeline.PostID]bool), make(map[timeline.CommentID]bool)
	for _, l := range t.lines {
		if t.alreadyImported(l) {
			continue
		}
		switch l.kind {
		case kindComment, kindLike, kindFile, kindFavourite, kindEarlierText:
			if p := t.posts[l.target]; p != nil && p.line == nil && !p.gone {
				posts[p.id] = true
			}
		case kindCommentLike, kindCommentFile, kindCommentEarlierText:
			if c := t.comments[l.target]; c != nil && c.line == nil && !c.gone {
				comments[c.id] = true
				posts[c.postID] = true
			}
		}
	}
	return posts, comments
}
