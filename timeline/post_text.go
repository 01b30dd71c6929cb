package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A wording is what a post says, in which language, and whether its author gave
// that.
type postText struct {
	text  string
	lang  string
	given bool
}

// setWords keeps what search looks at in line with the post's text and language: its
// words, and its tags with their sign.
func (e *postBatch) setWords(tags []string) {
	const query = `
		insert into post_words (post_id, words)
		select id, to_tsvector(search_config(lang), text) || array_to_tsvector($2::text[]) from posts where id = $1
		on conflict (post_id) do update set words = excluded.words`
	signed := make([]string, len(tags))
	for i, tag := range tags {
		signed[i] = "#" + tag
	}
	e.Queue(query, e.post, signed)
}

// setCommentWords does the same for the post's comments, whose words are read in the
// post's language, where the language was another.
func (e *postBatch) setCommentWords(was, is string) {
	const query = `
		update comments set words = to_tsvector(search_config($3), text)
		where post_id = $1 and search_config($2) <> search_config($3)`
	if was != is {
		e.Queue(query, e.post, was, is)
	}
}

// queuePostText reads what a post says.
func queuePostText(b *pgx.Batch, post PostID, w *postText) {
	const query = `select text, lang, lang_given from posts where id = $1`
	b.Queue(query, post).QueryRow(func(row pgx.Row) error { return row.Scan(&w.text, &w.lang, &w.given) })
}

// setMentions has the post's own text, or a comment, name people. It adds to added the
// people whom that did not name before, and to entered the mentions of theirs in
// which the post stands anew: those that the post came into, and those that had it
// by another mention alone. Such a mention may be hidden from the person named, by
// a ban, so that the new one brings the post before them.
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

// removeMentions has the post's own text, or a comment, name nobody but these people,
// takes the post out of the mentions of those whom nothing names any more, and
// adds to unnamed whom it named beside.
func (e *postBatch) removeMentions(comment *CommentID, but []UserID, left *[]TimelineID, unnamed *[]UserID) {
	const query = `
		with unnamed as (
			delete from mentions where post_id = $1 and comment_id is not distinct from $2 and user_id <> all($3::bigint[])
			returning user_id
		), gone as (
			delete from timeline_entries e using timelines t, unnamed u
			where t.what = 'mentions' and t.their_id = u.user_id and e.timeline_id = t.id and e.post_id = $1 and not exists (
				select from mentions m where m.post_id = $1 and m.user_id = u.user_id and m.comment_id is distinct from $2)
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

// queueNamed finds the people who have the names, or had them, but for one.
func queueNamed(b *pgx.Batch, names []string, but UserID, people *[]UserID) {
	const query = `
		select distinct u.id from names n join users u on n.what = 'user' and u.id = n.their_id
		where n.name = any($1) and u.id <> $2 and u.status <> 'deleted' order by u.id`
	if len(names) > 0 {
		b.Queue(query, names, but).Query(primary.Collect(people))
	}
}

// named are the people whom a text of somebody's names.
func (tx *txn) named(ctx context.Context, said string, by UserID) (people []UserID, err error) {
	var b pgx.Batch
	queueNamed(&b, text.Names(said), by, &people)
	if b.Len() == 0 {
		return nil, nil
	}
	return people, tx.SendBatch(ctx, &b).Close()
}
