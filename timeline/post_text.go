package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
)

// A postText is the text of a post and its language. given is true if the author chose
// the language.
type postText struct {
	text  string
	lang  string
	given bool
}

// fileLexeme returns the word by which has: finds a post with files of a kind. No word of a
// text is stored like that, because PostgreSQL's parser removes the sign.
func fileLexeme(kind string) string { return "@" + kind }

// fileWords is the expression in SQL of the words for the post's own files. $1 is the post.
const fileWords = `array_to_tsvector(array(select distinct '@' || kind from attachments where post_id = $1 and state = 'ready'))`

// setWords writes the words by which searches find the post: the words of its text, stemmed by
// the rules of its language; its hashtags, with #; and the kinds of its files, with @.
func (e *postBatch) setWords(tags []string) {
	const query = `
		insert into post_words (post_id, words)
		select id, to_tsvector(search_config(lang), text) || array_to_tsvector($2::text[]) || ` + fileWords + ` from posts where id = $1
		on conflict (post_id) do update set words = excluded.words`
	signed := make([]string, len(tags))
	for i, tag := range tags {
		signed[i] = "#" + tag
	}
	e.Queue(query, e.post, signed)
}

// setFileWords writes the words for the files of a post anew, after its files changed.
func (tx *txn) setFileWords(ctx context.Context, post PostID) error {
	const set = `update post_words set words = ts_delete(words, $2::text[]) || ` + fileWords + ` where post_id = $1`
	lexemes := make([]string, len(query.Kinds))
	for i, kind := range query.Kinds {
		lexemes[i] = fileLexeme(kind)
	}
	_, err := tx.Exec(ctx, set, post, lexemes)
	return err
}

// setCommentWords writes the search words of the post's comments anew if the language of
// the post changes. The words of a comment follow the language of its post.
func (e *postBatch) setCommentWords(was, is string) {
	const query = `
		update all_comments set words = to_tsvector(search_config($3), text)
		where post_id = $1 and search_config($2) <> search_config($3)`
	if was != is {
		e.Queue(query, e.post, was, is)
	}
}

// queuePostText queues a query that reads the text of a post.
func queuePostText(b *pgx.Batch, post PostID, w *postText) {
	const query = `select text, lang, lang_given from posts where id = $1`
	b.Queue(query, post).QueryRow(func(row pgx.Row) error { return row.Scan(&w.text, &w.lang, &w.given) })
}

// setMentions sets the people the post's own text (comment is nil), or a comment, mentions. It
// appends to added the people this text did not mention before.
//
// It appends to entered each mentions timeline that the post enters, and also each one that
// holds the post already by an earlier mention. A ban may hide the earlier mention from the
// person, who then sees only the new one.
func (e *postBatch) setMentions(comment *CommentID, by UserID, people []UserID, at time.Time, entered *[]TimelineID, added *[]UserID) {
	const query = `
		with named as (
			insert into mentions (post_id, comment_id, by_id, user_id)
			select $1::bigint, $2::bigint, $3::bigint, id from unnest($4::bigint[]) id order by id
			on conflict do nothing
			returning user_id
		)
		select n.user_id, coalesce(e.timeline_id, 0)
		from named n
		left join timelines t on t.what = 'mentions' and t.their_id = n.user_id
		left join timeline_entries e on e.timeline_id = t.id and e.post_id = $1`
	if len(people) == 0 {
		return
	}
	e.Queue(query, e.post, comment, by, people).Query(func(rows pgx.Rows) error {
		var user UserID
		var stood TimelineID
		_, err := pgx.ForEachRow(rows, []any{&user, &stood}, func() error {
			*added = append(*added, user)
			if stood != 0 {
				*entered = append(*entered, stood)
			}
			return nil
		})
		return err
	})
	e.addToPeople(people, at, entered, WhatMentions)
}

// removeMentions deletes all mentions made by the post's own text (comment is nil) or by a
// comment, except mentions of the people in but. It appends the people of the deleted mentions to
// unnamed. It removes the post from the mentions timeline of each person no text of the post
// mentions any more, and appends these timelines to left.
func (e *postBatch) removeMentions(comment *CommentID, but []UserID, left *[]TimelineID, unnamed *[]UserID) {
	const query = `
		with unnamed as (
			delete from mentions where post_id = $1 and comment_id is not distinct from $2 and user_id <> all($3::bigint[])
			returning user_id
		), gone as (
			delete from timeline_entries e using timelines t, unnamed u
			where t.what = 'mentions' and t.their_id = u.user_id and e.timeline_id = t.id and e.post_id = $1 and not exists (
				select from all_mentions m where m.post_id = $1 and m.user_id = u.user_id and m.comment_id is distinct from $2)
			returning e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select $1, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select timeline_id, 0 from gone
		union all
		select 0, user_id from unnamed`
	if but == nil {
		but = []UserID{} // x <> all(null) is never true
	}
	e.Queue(query, e.post, comment, but).Query(func(rows pgx.Rows) error {
		var id TimelineID
		var user UserID
		_, err := pgx.ForEachRow(rows, []any{&id, &user}, func() error {
			if id == 0 {
				*unnamed = append(*unnamed, user)
			} else {
				*left = append(*left, id)
			}
			return nil
		})
		return err
	})
}

// queueMentioned queues a query that appends to people the ids of the people who have or had one
// of the names, except but.
func queueMentioned(b *pgx.Batch, names []string, but UserID, people *[]UserID) {
	const query = `
		select distinct u.id from names n join users u on n.what = 'user' and u.id = n.their_id
		where n.name = any($1) and u.id <> $2 and u.status <> 'deleted' order by u.id`
	if len(names) > 0 {
		b.Queue(query, names, but).Query(primary.Collect(people))
	}
}

// findMentioned returns the people a text mentions, without its author.
func (tx *txn) findMentioned(ctx context.Context, said string, by UserID) (people []UserID, err error) {
	var b pgx.Batch
	queueMentioned(&b, text.Names(said), by, &people)
	if b.Len() == 0 {
		return nil, nil
	}
	return people, tx.SendBatch(ctx, &b).Close()
}
