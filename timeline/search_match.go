package timeline

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Matching is a query of one viewer, and the posts to which it is applied. The viewer
// may read all of these. Words of other posts, to which other searches are applied in
// the same call, are not tested for this query, so that the time it takes does not
// depend on them.
type Matching struct {
	Query  *Query
	Viewer UserID
	Posts  map[PostID]bool // nil: all
}

// includes reports whether the search is applied to a post.
func (s Matching) includes(post PostID) bool { return s.Posts == nil || s.Posts[post] }

// matchFew is how many wordings are sent to PostgreSQL without sifting. With more, those
// that can't match by the lexemes of the posts are left out before: for PostgreSQL,
// reading a tsquery costs more than that test costs here.
const matchFew = 16

// Match returns for each search the posts that have its words, each with the words that
// were found, in lower case as they are written. Comments across a ban from the viewer
// do not count. A query that is not Worded matches every post. Match takes a few
// statements for any number of searches. A deleted post has no words.
//
// Match works in three steps. Many searches ask for the same words, so equal wordings
// are tested once. First sift drops the wordings that none of the posts can match: if
// the posts have the lexemes {boat, red} and {sail}, the wording "boat & oar" is dropped
// without a query. Then find has PostgreSQL test the others. At last read finds out how
// the matching words are written, as "boats" for the lexeme "boat".
func (sn *Snapshot) Match(ctx context.Context, searches []Matching, posts []PostID) (_ []map[PostID][]string, err error) {
	defer primary.Wrap(&err, "match %d searches with %d posts", len(searches), len(posts))
	found := make([]map[PostID][]string, len(searches))
	m := matcher{posts: posts, texts: make(map[uint64]*askedWording), comments: make(map[uint64]*askedWording)}
	for i, s := range searches {
		if !s.Query.Worded() {
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
		if s.Query.Worded() {
			found[i] = m.resultOf(s)
		}
	}
	return found, nil
}

// A matcher tests each wording once, for all searches that have it.
type matcher struct {
	posts           []PostID
	texts, comments map[uint64]*askedWording // by the hash of the wording
	langs           []int                    // of the posts, as indexes into searchLangs
	owned           bool                     // some wordings differ by language
	viewers         []UserID                 // the viewers of searches in comments
	bans            map[ban]bool             // bans of these viewers
	// words are the words of the texts in which a wording was found, by their lexemes.
	words map[source]map[string][]string
}

// A ban says that the viewer does not see the other; a ban of two people is two.
type ban struct{ viewer, other UserID }

// An askedWording is a wording, the posts in which it is tested, and where it was found.
type askedWording struct {
	Wording
	posts   map[PostID]bool // nil: all
	skip    bool
	found   map[PostID][]foundIn
	lexemes []string // of Needs, each once
}

// foundIn is a comment and its author, or, with zeros, the post itself.
type foundIn struct {
	comment CommentID
	author  UserID
}

// A source is the text of a post, or with a comment's id the text of the comment.
type source struct {
	post    PostID
	comment CommentID
}

// addSearch adds the wordings of a search to those that are tested.
func (m *matcher) addSearch(s Matching) {
	add := func(to map[uint64]*askedWording, w Wording) {
		switch a := to[w.Key]; {
		case w.TSQuery == "":
		case a == nil:
			to[w.Key] = &askedWording{Wording: w, posts: maps.Clone(s.Posts)}
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

// sift marks the wordings that none of the posts can match, by the lexemes of the posts,
// and finds out which languages the posts have.
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

// lexed has the lexemes of a post, or of all comments on it.
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

func siftBy(all map[uint64]*askedWording, sources []lexed) {
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

// among returns a digit for each post, 1 if the wording is tested in it and 0 if not; ""
// if it is tested in all.
func (a *askedWording) among(posts []PostID) string {
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

// find has PostgreSQL test which wordings match which posts and comments.
func (m *matcher) find(ctx context.Context, q primary.Querier) error {
	// A row of asked is a wording in one language, by its index, or in all languages,
	// with -1. The case expression makes sure that words are tested only in the posts of
	// the wording.
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
	for query, all := range map[string]map[uint64]*askedWording{texts: m.texts, commentWords: m.comments} {
		var asks []*askedWording
		var queries, among []string
		var of, langs []int
		ask := func(a *askedWording, lang int, text string) {
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

// readWords reads the words of the texts in which a wording was found, as they are written,
// with the lexemes that they have in the language of the post. Compound words (foo-bar)
// are skipped, as their parts are read too.
//
// Computing the lexeme of a word is slow, so only words are read that can have one of
// the lexemes. The rules of all languages keep the first letter if it is a plain one: a
// word that begins with an r can't have the lexeme boat.
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
	var lexemes, first []string // the lexemes of the wordings, and their first letters
	for _, all := range []map[uint64]*askedWording{m.texts, m.comments} {
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

// resultOf returns the result of one search.
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

// needed returns all lexemes of a wording, each once, in all languages.
func (a *askedWording) needed() []string {
	if a.lexemes == nil {
		a.lexemes = slices.Concat(a.Needs...)
		slices.Sort(a.lexemes)
		a.lexemes = slices.Compact(a.lexemes)
	}
	return a.lexemes
}

// hits appends the words that were found for a wording, as they are written.
func (m *matcher) hits(hits []string, post PostID, found []foundIn, a *askedWording) []string {
	for _, lexeme := range a.needed() {
		for _, in := range found {
			hits = append(hits, m.words[source{post, in.comment}][lexeme]...)
		}
	}
	return hits
}
