package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A Matching is a query, and for whom it is asked.
type Matching struct {
	Query  *Query
	Viewer UserID
}

// matchFew is how many wordings are asked of PostgreSQL outright. Where there are
// more, those that can't be true by the lexemes there are are left out before: to
// read a query takes PostgreSQL longer than that.
const matchFew = 16

// Match says which of the posts have the words that each of the searches asks for,
// and which words those are there, in lower case and as they are written. Comments
// of people who are on the other side of a ban are not looked at. A query that is
// not Worded matches everything. It costs a few statements, however many searches
// there are; a deleted post has no words.
func (sn *Snapshot) Match(ctx context.Context, searches []Matching, posts []PostID) ([]map[PostID][]string, error) {
	found := make([]map[PostID][]string, len(searches))
	m := matcher{posts: posts, texts: make(map[string]*asked), talks: make(map[talkKey]*asked)}
	for i, s := range searches {
		found[i] = make(map[PostID][]string)
		if !s.Query.Worded() {
			for _, post := range posts {
				found[i][post] = nil
			}
			continue
		}
		m.ask(s)
	}
	if len(posts) == 0 || len(m.texts)+len(m.talks) == 0 {
		return found, nil
	}
	for _, step := range []func(context.Context, querier) error{m.sift, m.find, m.read} {
		if err := step(ctx, sn.tx); err != nil {
			return nil, translate(fmt.Errorf("match %d searches with %d posts: %w", len(searches), len(posts), err))
		}
	}
	for i, s := range searches {
		if s.Query.Worded() {
			m.answer(s, found[i])
		}
	}
	return found, nil
}

// A matcher asks each wording once, whoever has it.
type matcher struct {
	posts []PostID
	texts map[string]*asked  // by their tsquery
	talks map[talkKey]*asked // in comments: for whom, too
	// words are those of the posts and comments that were found, by their lexemes.
	words map[source]map[string][]string
}

type talkKey struct {
	query  string
	viewer UserID
}

// asked is a wording, and where it was found.
type asked struct {
	Wording
	viewer UserID
	found  map[PostID][]CommentID // 0: in the post itself
}

// A source is a post's own text, or a comment's.
type source struct {
	post    PostID
	comment CommentID
}

func (m *matcher) ask(s Matching) {
	if w := s.Query.Text; w.TSQuery != "" && m.texts[w.TSQuery] == nil {
		m.texts[w.TSQuery] = &asked{Wording: w}
	}
	if w := s.Query.Talk; w.TSQuery != "" && m.talks[talkKey{w.TSQuery, s.Viewer}] == nil {
		m.talks[talkKey{w.TSQuery, s.Viewer}] = &asked{Wording: w, viewer: s.Viewer}
	}
}

// sift leaves out the wordings that none of the posts can have, by the lexemes
// that are there.
func (m *matcher) sift(ctx context.Context, q querier) error {
	const texts = `select tsvector_to_array(words) from post_words where post_id = any($1)`
	const talks = `
		select array(select distinct unnest(tsvector_to_array(c.words)) from comments c where c.post_id = p.id)
		from unnest($1::bigint[]) p(id)`
	var b pgx.Batch
	var inTexts, inTalks [][]string
	if len(m.texts) > matchFew {
		b.Queue(texts, m.posts).Query(collect(&inTexts))
	}
	if len(m.talks) > matchFew {
		b.Queue(talks, m.posts).Query(collect(&inTalks))
	}
	if b.Len() == 0 {
		return nil
	}
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	siftBy(m.texts, inTexts)
	siftBy(m.talks, inTalks)
	return nil
}

func siftBy[K comparable](all map[K]*asked, sources [][]string) {
	if len(all) <= matchFew {
		return
	}
	var there []map[string]bool
	for _, lexemes := range sources {
		set := make(map[string]bool, len(lexemes))
		for _, lexeme := range lexemes {
			set[lexeme] = true
		}
		there = append(there, set)
	}
	for _, a := range all {
		if !slices.ContainsFunc(there, a.mayBeIn) {
			a.TSQuery = "" // not asked
		}
	}
}

// find asks PostgreSQL which wordings are true of which posts and comments.
func (m *matcher) find(ctx context.Context, q querier) error {
	const texts = `
		with asked as materialized (select i, query::tsquery from unnest($2::text[]) with ordinality a(query, i)),
		texts as materialized (
			select w.post_id, w.words from post_words w join posts p on p.id = w.post_id
			where w.post_id = any($1) and p.deleted_at is null)
		select a.i - 1, t.post_id, 0 from asked a join texts t on t.words @@ a.query`
	const talks = `
		with asked as materialized (
			select i, viewer, query::tsquery from unnest($2::text[], $3::bigint[]) with ordinality a(query, viewer, i)),
		talks as materialized (
			select c.id, c.post_id, c.user_id, c.words from comments c join posts p on p.id = c.post_id
			where c.post_id = any($1) and p.deleted_at is null)
		select a.i - 1, t.post_id, t.id from asked a join talks t on t.words @@ a.query
		where not exists (select from bans where user_id = a.viewer and target_id = t.user_id)
			and not exists (select from bans where user_id = t.user_id and target_id = a.viewer)`
	var b pgx.Batch
	var all []*asked
	var queries []string
	var viewers []UserID
	add := func(a *asked) {
		if a.TSQuery != "" {
			all, queries, viewers = append(all, a), append(queries, a.TSQuery), append(viewers, a.viewer)
		}
	}
	note := func(of []*asked) func(pgx.Rows) error {
		return func(rows pgx.Rows) error {
			var i int
			var at source
			_, err := pgx.ForEachRow(rows, []any{&i, &at.post, &at.comment}, func() error {
				put(&of[i].found, at.post, append(of[i].found[at.post], at.comment))
				put(&m.words, at, nil)
				return nil
			})
			return err
		}
	}
	for _, a := range m.texts {
		add(a)
	}
	if len(all) > 0 {
		b.Queue(texts, m.posts, queries).Query(note(all))
	}
	all, queries, viewers = nil, nil, nil
	for _, a := range m.talks {
		add(a)
	}
	if len(all) > 0 {
		b.Queue(talks, m.posts, queries, viewers).Query(note(all))
	}
	if b.Len() == 0 {
		return nil
	}
	return q.SendBatch(ctx, &b).Close()
}

// read reads the words of what was found, as they are written, with the lexemes
// that they stand for in the language of the post. What is made of other words
// (foo-bar) is left to those.
func (m *matcher) read(ctx context.Context, q querier) error {
	const query = `
		with texts as (
			select id as post_id, 0 as comment_id, lang, text from posts where id = any($1)
			union all
			select c.post_id, c.id, p.lang, c.text from comments c join posts p on p.id = c.post_id where c.id = any($2)
		), words as (
			select distinct t.post_id, t.comment_id, t.lang, w.token
			from texts t, ts_parse('default', t.text) w where w.tokid not in (12, 13, 14, 15, 16, 17, 21)
		)
		select post_id, comment_id, token, tsvector_to_array(to_tsvector(search_config(lang), token)) from words`
	posts, comments := []PostID{}, []CommentID{}
	for at := range m.words {
		if at.comment == 0 {
			posts = append(posts, at.post)
		} else {
			comments = append(comments, at.comment)
		}
	}
	if len(m.words) == 0 {
		return nil
	}
	rows, err := q.Query(ctx, query, posts, comments)
	if err != nil {
		return err
	}
	var at source
	var token string
	var lexemes []string
	_, err = pgx.ForEachRow(rows, []any{&at.post, &at.comment, &token, &lexemes}, func() error {
		if m.words[at] == nil {
			m.words[at] = make(map[string][]string)
		}
		for _, lexeme := range lexemes {
			m.words[at][lexeme] = append(m.words[at][lexeme], strings.ToLower(token))
		}
		return nil
	})
	return err
}

// answer says what was found for one search.
func (m *matcher) answer(s Matching, to map[PostID][]string) {
	text, talk := m.texts[s.Query.Text.TSQuery], m.talks[talkKey{s.Query.Talk.TSQuery, s.Viewer}]
	for _, post := range m.posts {
		hits := []string{}
		if s.Query.Text.TSQuery != "" {
			if text.found[post] == nil {
				continue
			}
			hits = m.hits(hits, post, text.found[post], s.Query.Text)
		}
		if s.Query.Talked() {
			if talk.found[post] == nil {
				continue
			}
			hits = m.hits(hits, post, talk.found[post], s.Query.Talk)
		}
		for _, tag := range s.Query.Tags {
			hits = append(hits, "#"+tag)
		}
		slices.Sort(hits)
		to[post] = slices.Compact(hits)
	}
}

// hits adds the words of a wording, as they are written where it was found.
func (m *matcher) hits(hits []string, post PostID, in []CommentID, w Wording) []string {
	for lexeme := range w.lexemes() {
		for _, comment := range in {
			hits = append(hits, m.words[source{post, comment}][lexeme]...)
		}
	}
	return hits
}
