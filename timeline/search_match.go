package timeline

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Matching is a query of one viewer, with the posts to test. The viewer may read all of these
// posts. In the same call, Match may test other posts for the queries of other viewers, but not for
// this query: otherwise the time that it takes would depend on posts that the viewer may not read.
type Matching struct {
	Query  *Query
	Viewer UserID
	Posts  map[PostID]bool // nil: all
}

// includes reports whether the search is applied to a post.
func (s Matching) includes(post PostID) bool { return s.Posts == nil || s.Posts[post] }

// matchFew is the largest number of conditions that go to PostgreSQL without a sift. With more of
// them a sift pays: PostgreSQL takes longer to read a tsquery than sift takes to see that no post
// can match it.
const matchFew = 16

// Match returns for each search the posts that match its conditions on words, each with the words
// that were found, in lower case and in the form in which the post has them. Comments across a ban
// from the viewer do not count. A query without conditions on words matches every post. A deleted
// post has no words. Match takes a few statements for any number of searches.
//
// Match works in three steps. Many searches ask for the same words, so equal conditions are
// tested once. First, sift drops the conditions that none of the posts can meet: if the posts have
// the lexemes {boat, red} and {sail}, the condition "boat & oar" is dropped without a query. Then
// find has PostgreSQL test the other conditions. Last, readWords reads how the posts write the
// words that matched, for example "boats" for the lexeme "boat".
func (sn *Snapshot) Match(ctx context.Context, searches []Matching, posts []PostID) (_ []map[PostID][]string, err error) {
	defer primary.Wrap(&err, "match %d searches with %d posts", len(searches), len(posts))
	found := make([]map[PostID][]string, len(searches))
	m := matcher{posts: posts, texts: make(map[uint64]*askedCondition), comments: make(map[uint64]*askedCondition)}
	for i, s := range searches {
		if !s.Query.HasWordCondition() {
			for _, post := range posts {
				if s.includes(post) {
					put(&found[i], post, nil)
				}
			}
			continue
		}
		m.addSearch(s)
	}
	if len(posts) == 0 || len(m.texts)+len(m.comments) == 0 {
		return found, nil
	}
	err = sn.search(ctx, func() error {
		for _, step := range []func(context.Context, primary.Querier) error{m.sift, m.find, m.readWords} {
			if err := step(ctx, sn.tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, s := range searches {
		if s.Query.HasWordCondition() {
			found[i] = m.resultOf(s)
		}
	}
	return found, nil
}

// A matcher tests each condition once, for all searches that have the condition.
type matcher struct {
	posts           []PostID
	texts, comments map[uint64]*askedCondition // by the hash of the condition
	langs           []int                      // of the posts, as indexes into searchLangs
	owned           bool                       // some conditions differ by language
	viewers         []UserID                   // the viewers of searches in comments
	bans            map[ban]bool               // bans between these viewers and other people
	// words are the words of the texts that meet a condition, by their lexemes.
	words map[source]map[string][]string
}

// A ban says that the viewer does not see the other person. A ban between two people is two of
// these, one for each of the two as the viewer.
type ban struct{ viewer, other UserID }

// An askedCondition is a condition on words, with the posts to test and the posts that match.
type askedCondition struct {
	WordCondition
	posts   map[PostID]bool      // the posts to test; nil: all
	skip    bool                 // sift found that no post can match
	found   map[PostID][]foundIn // where the condition matched
	lexemes []string             // all lexemes of Needs, each once
}

// foundIn is a comment and its author, or, with zeros, the post itself.
type foundIn struct {
	comment CommentID
	author  UserID
}

// A source is a text in which words are found: the text of a post, or, with a comment's id, the text
// of the comment.
type source struct {
	post    PostID
	comment CommentID
}

// addSearch adds the conditions of a search to the conditions to test.
func (m *matcher) addSearch(s Matching) {
	add := func(to map[uint64]*askedCondition, w WordCondition) {
		switch a := to[w.Key]; {
		case w.TSQuery == "":
		case a == nil:
			to[w.Key] = &askedCondition{WordCondition: w, posts: maps.Clone(s.Posts)}
		case s.Posts == nil:
			a.posts = nil
		case a.posts != nil:
			maps.Copy(a.posts, s.Posts)
		}
		m.owned = m.owned || w.Own != nil
	}
	add(m.texts, s.Query.Text)
	if s.Query.SearchesComments() {
		add(m.comments, s.Query.Comment)
		m.viewers = append(m.viewers, s.Viewer)
	}
}

// sift marks the conditions that no post can match, by the lexemes of the posts. It also reads
// the languages of the posts.
func (m *matcher) sift(ctx context.Context, q primary.Querier) error {
	const texts = `select post_id, tsvector_to_array(words) from post_words where post_id = any($1)`
	const commentWords = `
		select p.id, array(select distinct unnest(tsvector_to_array(c.words)) from comments c where c.post_id = p.id)
		from unnest($1::bigint[]) p(id)`
	const langs = `select distinct coalesce(array_position($2::text[], lang), 1) - 1 from posts where id = any($1)`
	var b pgx.Batch
	var inTexts, inComments []lexed
	if m.owned {
		b.Queue(langs, m.posts, searchLangs).Query(primary.Collect(&m.langs))
	}
	if len(m.texts) > matchFew {
		b.Queue(texts, m.posts).Query(collectLexed(&inTexts))
	}
	if len(m.comments) > matchFew {
		b.Queue(commentWords, m.posts).Query(collectLexed(&inComments))
	}
	if b.Len() == 0 {
		return nil
	}
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	siftBy(m.texts, inTexts)
	siftBy(m.comments, inComments)
	return nil
}

// lexed holds the lexemes of a post, or of all comments on it.
type lexed struct {
	Post    PostID
	Lexemes []string
}

func collectLexed(to *[]lexed) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*to, err = pgx.CollectRows(rows, pgx.RowToStructByPos[lexed])
		return err
	}
}

func siftBy(all map[uint64]*askedCondition, sources []lexed) {
	if len(all) <= matchFew {
		return
	}
	there := make(map[PostID]map[string]bool)
	for _, source := range sources {
		set := make(map[string]bool, len(source.Lexemes))
		for _, lexeme := range source.Lexemes {
			set[lexeme] = true
		}
		there[source.Post] = set
	}
	for _, a := range all {
		a.skip = true
		for post, lexemes := range there {
			if (a.posts == nil || a.posts[post]) && a.mayBeIn(lexemes) {
				a.skip = false
				break
			}
		}
	}
}

// among returns a digit for each post: 1 if the condition is tested in it, 0 if not. It
// returns "" if the condition is tested in all posts.
func (a *askedCondition) among(posts []PostID) string {
	if a.posts == nil || !slices.ContainsFunc(posts, func(post PostID) bool { return !a.posts[post] }) {
		return ""
	}
	digits := make([]byte, len(posts))
	for i, post := range posts {
		digits[i] = '0'
		if a.posts[post] {
			digits[i] = '1'
		}
	}
	return string(digits)
}

// find asks PostgreSQL which posts and comments match which conditions.
func (m *matcher) find(ctx context.Context, q primary.Querier) error {
	// A row of asked is a condition for texts in one language, given by its index, or, with -1, in
	// all languages. The case expression makes PostgreSQL test a condition only in the posts of the
	// condition.
	const texts = `
		with asked as materialized (
			select i, lang, query::tsquery, among from unnest($2::int[], $3::int[], $4::text[], $6::text[]) a(i, lang, query, among)),
		texts as materialized (
			select w.post_id, w.words, coalesce(array_position($5::text[], p.lang), 1) - 1 as lang
			from post_words w join posts p on p.id = w.post_id
			where w.post_id = any($1) and p.deleted_at is null)
		select a.i, t.post_id, 0, 0
		from asked a join texts t on (a.lang = -1 or a.lang = t.lang)
		where case when a.among = '' or substr(a.among, array_position($1::bigint[], t.post_id), 1) = '1' then t.words @@ a.query end`
	const commentWords = `
		with asked as materialized (
			select i, lang, query::tsquery, among from unnest($2::int[], $3::int[], $4::text[], $6::text[]) a(i, lang, query, among)),
		comment_words as materialized (
			select c.id, c.post_id, c.user_id, c.words, coalesce(array_position($5::text[], p.lang), 1) - 1 as lang
			from comments c join posts p on p.id = c.post_id
			where c.post_id = any($1) and p.deleted_at is null)
		select a.i, t.post_id, t.id, t.user_id
		from asked a join comment_words t on (a.lang = -1 or a.lang = t.lang)
		where case when a.among = '' or substr(a.among, array_position($1::bigint[], t.post_id), 1) = '1' then t.words @@ a.query end`
	const bans = `
		select user_id, target_id from bans where user_id = any($1)
		union all
		select target_id, user_id from bans where target_id = any($1)`
	var b pgx.Batch
	for query, all := range map[string]map[uint64]*askedCondition{texts: m.texts, commentWords: m.comments} {
		var asks []*askedCondition
		var queries, among []string
		var of, langs []int
		ask := func(a *askedCondition, lang int, text string) {
			of, langs, queries, among = append(of, len(asks)), append(langs, lang), append(queries, text), append(among, a.among(m.posts))
		}
		for _, a := range all {
			switch {
			case a.skip:
				continue
			case a.Own == nil:
				ask(a, -1, a.TSQuery)
			}
			for _, lang := range m.langs {
				if a.Own != nil && a.Own[lang] != "" {
					ask(a, lang, a.Own[lang])
				}
			}
			asks = append(asks, a)
		}
		if len(queries) == 0 {
			continue
		}
		b.Queue(query, m.posts, of, langs, queries, searchLangs, among).Query(func(rows pgx.Rows) error {
			var i int
			var post PostID
			var in foundIn
			_, err := pgx.ForEachRow(rows, []any{&i, &post, &in.comment, &in.author}, func() error {
				put(&asks[i].found, post, append(asks[i].found[post], in))
				put(&m.words, source{post, in.comment}, nil)
				return nil
			})
			return err
		})
	}
	if len(m.comments) > 0 {
		b.Queue(bans, m.viewers).Query(func(rows pgx.Rows) error {
			var one ban
			_, err := pgx.ForEachRow(rows, []any{&one.viewer, &one.other}, func() error {
				put(&m.bans, one, true)
				return nil
			})
			return err
		})
	}
	if b.Len() == 0 {
		return nil
	}
	return q.SendBatch(ctx, &b).Close()
}

// readWords reads the words of the texts that meet a condition, in the form in which the texts have
// them, with their lexemes in the language of the post. It skips compound words (foo-bar), because
// it also reads their parts.
//
// PostgreSQL is slow at computing the lexeme of a word, so the query computes it only for words
// that may have one of the wanted lexemes. The rules of all languages keep a first letter without
// accents: a word that begins with an r can't have the lexeme boat.
func (m *matcher) readWords(ctx context.Context, q primary.Querier) error {
	const query = `
		with texts as (
			select id as post_id, 0 as comment_id, lang, text from posts where id = any($1)
			union all
			select c.post_id, c.id, p.lang, c.text from comments c join posts p on p.id = c.post_id where c.id = any($2)
		), words as (
			select distinct t.post_id, t.comment_id, t.lang, w.token
			from texts t, ts_parse('default', t.text) w
			where w.tokid not in (12, 13, 14, 15, 16, 17, 21)
				and (lower(left(w.token, 1)) = any($3) or lower(left(w.token, 1)) !~ '^[a-zа-я]$')
		), lexed as materialized (
			select lang, token, tsvector_to_array(to_tsvector(search_config(lang), token)) lexemes
			from (select distinct lang, token from words) w
		)
		select w.post_id, w.comment_id, w.token, l.lexemes
		from words w join lexed l on l.lang = w.lang and l.token = w.token
		where l.lexemes && $4`
	posts, comments := []PostID{}, []CommentID{}
	var lexemes, first []string // the lexemes of the conditions, and their first letters
	for _, all := range []map[uint64]*askedCondition{m.texts, m.comments} {
		for _, a := range all {
			if len(a.found) > 0 {
				lexemes = append(lexemes, a.needed()...)
			}
		}
	}
	slices.Sort(lexemes)
	lexemes = slices.Compact(lexemes)
	for _, lexeme := range lexemes {
		for _, c := range lexeme {
			first = append(first, string(c))
			break
		}
	}
	slices.Sort(first)
	first = slices.Compact(first)
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
	rows, err := q.Query(ctx, query, posts, comments, first, lexemes)
	if err != nil {
		return err
	}
	var at source
	var token string
	var of []string
	_, err = pgx.ForEachRow(rows, []any{&at.post, &at.comment, &token, &of}, func() error {
		if m.words[at] == nil {
			m.words[at] = make(map[string][]string)
		}
		for _, lexeme := range of {
			m.words[at][lexeme] = append(m.words[at][lexeme], strings.ToLower(token))
		}
		return nil
	})
	return err
}

// resultOf returns the posts that match one search, with the words found in each.
func (m *matcher) resultOf(s Matching) (found map[PostID][]string) {
	for _, post := range m.posts {
		if !s.includes(post) {
			continue
		}
		hits := []string{}
		if w := s.Query.Text; w.TSQuery != "" {
			a := m.texts[w.Key]
			in := a.found[post]
			if len(in) == 0 {
				continue
			}
			hits = m.hits(hits, post, in, a)
		}
		if w := s.Query.Comment; w.TSQuery != "" {
			a := m.comments[w.Key]
			in := a.found[post]
			if len(m.bans) > 0 {
				in = slices.DeleteFunc(slices.Clone(in), func(in foundIn) bool { return m.bans[ban{s.Viewer, in.author}] })
			}
			if len(in) == 0 {
				continue
			}
			hits = m.hits(hits, post, in, a)
		}
		for _, tag := range s.Query.Tags {
			hits = append(hits, "#"+tag)
		}
		slices.Sort(hits)
		put(&found, post, slices.Compact(hits))
	}
	return found
}

// needed returns all lexemes of a condition in all languages, each once.
func (a *askedCondition) needed() []string {
	if a.lexemes == nil {
		a.lexemes = slices.Concat(a.Needs...)
		slices.Sort(a.lexemes)
		a.lexemes = slices.Compact(a.lexemes)
	}
	return a.lexemes
}

// hits appends the words that were found for a condition, as they are written.
func (m *matcher) hits(hits []string, post PostID, found []foundIn, a *askedCondition) []string {
	for _, lexeme := range a.needed() {
		for _, in := range found {
			hits = append(hits, m.words[source{post, in.comment}][lexeme]...)
		}
	}
	return hits
}
