package importer

import (
	"context"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// writeComments inserts comments, with their search words in the languages of their
// posts.
func (t *batchTx) writeComments(ctx context.Context) error {
	const query = `
		insert into all_comments (id, post_id, user_id, text, likes_count, created_at, words, updated_at, platform, bumps)
		select k.id, k.post_id, k.user_id, k.text, k.likes, k.at, to_tsvector(search_config(p.lang), k.text), k.updated_at, k.platform, k.bumps
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[], $8::text[], $9::bool[])
			k(id, post_id, user_id, text, likes, at, updated_at, platform, bumps)
		join posts p on p.id = k.post_id`
	n := len(t.pending.comments)
	if n == 0 {
		return nil
	}
	var (
		ids     = make([]timeline.CommentID, n)
		posts   = make([]timeline.PostID, n)
		authors = make([]timeline.UserID, n)
		texts   = make([]string, n)
		likes   = make([]int, n)
		times   = make([]time.Time, n)
		updated = make([]*time.Time, n)
		from    = make([]string, n)
		bumps   = make([]bool, n)
	)
	for i, c := range t.pending.comments {
		updated[i], from[i], bumps[i] = c.line.time("updated_at"), c.line.prose("platform"), c.line.flag("bumps", true)
		ids[i], posts[i], authors[i], texts[i], likes[i], times[i] = c.id, c.post.id, c.author, c.line.text, c.newLikes, c.at
	}
	_, err := t.tx.Exec(ctx, query, ids, posts, authors, texts, likes, times, updated, from, bumps)
	return err
}

// writeWords inserts the search words of new posts, and the mentions of all new texts.
func (t *batchTx) writeWords(ctx context.Context) error {
	// Hashtags have no spaces, so a space can separate them.
	const words = `
		insert into post_words (post_id, words)
		select p.id, to_tsvector(search_config(p.lang), p.text) || array_to_tsvector(string_to_array(k.tags, ' '))
		from unnest($1::bigint[], $2::text[]) k(id, tags) join posts p on p.id = k.id`
	var ids []timeline.PostID
	var tags []string
	for _, p := range t.pending.posts {
		signed := make([]string, len(p.tags))
		for i, tag := range p.tags {
			signed[i] = "#" + tag
		}
		ids, tags = append(ids, p.id), append(tags, strings.Join(signed, " "))
	}
	if len(ids) > 0 {
		if _, err := t.tx.Exec(ctx, words, ids, tags); err != nil {
			return err
		}
	}
	return copyTo(ctx, t.tx, "all_mentions", []string{"post_id", "comment_id", "by_id", "user_id"}, t.pending.mentions,
		func(m mention) []any { return []any{m.post, m.comment, m.by, m.of} })
}
