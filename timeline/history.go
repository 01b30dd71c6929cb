package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// maxEarlier is how many earlier texts of a post or comment are kept. The oldest go first.
const maxEarlier = 20

// A History has the earlier texts of a post or comment, as far as they are kept and the viewer may
// read them, and after them the present text.
type History struct {
	Author     UserID // of the post
	AuthorName string // of the post
	Versions   []Version
	Mine       bool // the viewer wrote the texts, and may delete the earlier ones
}

// A Version is one text of a post or comment, and the time of writing.
type Version struct {
	Text      string
	WrittenAt time.Time
}

// keepText keeps the present text of a post or comment before another text replaces it, with the
// present places of the post. If the two texts are equal, keepText does nothing.
func (tx *txn) keepText(ctx context.Context, at time.Time, post PostID, comment CommentID, text string) error {
	const keep = `
		insert into earlier_texts (post_id, comment_id, text, places, written_at, replaced_at)
		select p.id, c.id, coalesce(c.text, p.text), p.places, coalesce(
			(select max(replaced_at) from earlier_texts where post_id = p.id and comment_id is not distinct from c.id),
			c.updated_at, c.created_at, p.updated_at), $4
		from posts p left join comments c on c.post_id = p.id and c.id = $2
		where p.id = $1 and coalesce(c.text, p.text) <> $3`
	const drop = `
		delete from earlier_texts where id in (
			select id from earlier_texts where post_id = $1 and coalesce(comment_id, 0) = $2 order by id desc offset $3)`
	var b pgx.Batch
	b.Queue(keep, post, comment, text, at)
	b.Queue(drop, post, comment, maxEarlier)
	return tx.SendBatch(ctx, &b).Close()
}

// History reads the history of a post, or of a comment if the comment is not 0. The author reads
// every earlier text. Another viewer reads an earlier text if the viewer may read the post now and
// may read posts in the places that the post had when the text was replaced: a reader of a post
// that became public does not read the texts from before. [ErrNotFound] if the viewer may not read
// the post or comment.
func (s *Store) History(ctx context.Context, viewer UserID, post PostID, comment CommentID) (h History, err error) {
	defer primary.Wrap(&err, "history of comment %d of post %d", comment, post)
	const present = `
		select p.user_id, u.name, coalesce(c.user_id, p.user_id), coalesce(c.text, p.text), coalesce(
			(select max(replaced_at) from earlier_texts where post_id = p.id and comment_id is not distinct from c.id),
			c.updated_at, c.created_at, p.updated_at)
		from posts p join users u on u.id = p.user_id left join comments c on c.post_id = p.id and c.id = $2
		where p.id = $1 and ($2 = 0 or c.id is not null)`
	const earlier = `
		select text, written_at, places from earlier_texts
		where post_id = $1 and coalesce(comment_id, 0) = $2 order by id`
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		if _, err := readablePlaces(ctx, q, sets, post); err != nil {
			return err
		}
		var by UserID
		var last Version
		if err := q.QueryRow(ctx, present, post, comment).Scan(&h.Author, &h.AuthorName, &by, &last.Text, &last.WrittenAt); err != nil {
			return err
		}
		if _, banned := sets.Bans[by]; banned {
			return ErrNotFound
		}
		h.Mine = sets.MayEdit(by)
		rows, err := q.Query(ctx, earlier, post, comment)
		if err != nil {
			return err
		}
		var all []Version
		var places [][]TimelineID
		var one Version
		var in, ids []TimelineID
		_, err = pgx.ForEachRow(rows, []any{&one.Text, &one.WrittenAt, &in}, func() error {
			all, places, ids, in = append(all, one), append(places, in), append(ids, in...), nil
			return nil
		})
		if err != nil {
			return err
		}
		timelines, err := readTimelines(ctx, q, ids)
		if err != nil {
			return err
		}
		known := func(id TimelineID) (Timeline, bool) {
			t, ok := timelines[id]
			return t, ok
		}
		for i, version := range all {
			if h.Mine || sets.MayRead(AccessFacts{Author: h.Author, Places: places[i]}, known) {
				h.Versions = append(h.Versions, version)
			}
		}
		h.Versions = append(h.Versions, last)
		return nil
	})
	for i := range h.Versions {
		h.Versions[i].WrittenAt = h.Versions[i].WrittenAt.UTC()
	}
	return h, err
}

// DeleteHistory deletes the earlier texts of a post, or of a comment if comment is not 0. It
// returns [ErrForbidden] if another person than the actor wrote the texts.
func (s *Store) DeleteHistory(ctx context.Context, actor UserID, post PostID, comment CommentID) (err error) {
	defer primary.Wrap(&err, "delete history of comment %d of post %d", comment, post)
	const query = `delete from earlier_texts where post_id = $1 and coalesce(comment_id, 0) = $2`
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		by := p.Author
		if comment != 0 {
			if by, err = p.findComment(ctx, tx, comment); err != nil {
				return err
			}
		}
		if !p.sets.MayEdit(by) {
			return ErrForbidden
		}
		_, err := tx.Exec(ctx, query, post, comment)
		return err
	})
}
