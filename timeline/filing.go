package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// A wording is what a post says, in which language, and whether its author gave
// that.
type wording struct {
	text  string
	lang  string
	given bool
}

// A filing is what follows from a post's wording, and where it stands by it.
type filing struct {
	lang   string
	tags   []string
	people []UserID     // whom the text names, without its author
	shared []TimelineID // those of the whole site: everything, the language's and the tags'
}

// file finds what follows from the wording of a post of the author's, which is
// one of those of the whole site or not. Where its author gave no language, that
// is the one of his setting, or else told from the text. Timelines of the whole
// site are made at their first use.
func (tx *txn) file(ctx context.Context, author UserID, w wording, everything bool) (filing, error) {
	const lang = `select lang from users where id = $1`
	const tags = `
		select h.name, t.id from hashtags h join timelines t on t.what = 'hashtag' and t.their_id = h.id where h.name = any($1)`
	const languages = `select their_id, id from timelines where what = 'everything'` // one a language
	f := filing{lang: w.lang, tags: TagsIn(w.text)}
	var (
		b       pgx.Batch
		tagged  = make(map[string]TimelineID, len(f.tags))
		written = make(map[int64]TimelineID)
	)
	if !w.given {
		b.Queue(lang, author).QueryRow(func(row pgx.Row) error { return row.Scan(&f.lang) })
	}
	queueNamed(&b, NamesIn(w.text), author, &f.people)
	if len(f.tags) > 0 {
		b.Queue(tags, f.tags).Query(collectMap(tagged))
	}
	b.Queue(languages).Query(collectMap(written))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return f, fmt.Errorf("file by its text: %w", err)
	}
	if f.lang == "" && !w.given {
		f.lang = DetectLang(w.text)
	}
	if len(tagged) < len(f.tags) {
		if err := tx.makeTags(ctx, f.tags, tagged); err != nil {
			return f, err
		}
	}
	f.shared = slices.AppendSeq(f.shared, maps.Values(tagged))
	if !everything {
		return f, nil
	}
	f.shared = append(f.shared, written[0])
	if id := LangID(f.lang); id != 0 {
		if _, made := written[id]; !made {
			if err := tx.makeLanguage(ctx, f.lang, written); err != nil {
				return f, err
			}
		}
		f.shared = append(f.shared, written[id])
	}
	return f, nil
}

// makeTags makes those of the tags that nobody used before, in one order, so that
// who does so at the same time waits and is not waited for.
func (tx *txn) makeTags(ctx context.Context, tags []string, made map[string]TimelineID) error {
	const insert = `insert into hashtags (name) select name from unnest($1::text[]) name order by name on conflict do nothing`
	const timelines = `
		insert into timelines (what, their_id, access) select 'hashtag', id, 'public' from hashtags where name = any($1) order by name
		on conflict do nothing`
	const ids = `
		select h.name, t.id from hashtags h join timelines t on t.what = 'hashtag' and t.their_id = h.id where h.name = any($1)`
	var b pgx.Batch
	b.Queue(insert, tags)
	b.Queue(timelines, tags)
	b.Queue(ids, tags).Query(collectMap(made))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("make tags: %w", err)
	}
	return nil
}

// makeLanguage makes the timelines of a language: everything, and the rankings.
func (tx *txn) makeLanguage(ctx context.Context, lang string, made map[int64]TimelineID) error {
	const insert = `
		insert into timelines (what, their_id, access)
		select k.what, k.id, 'public' from unnest($1::text[], $2::bigint[]) k(what, id) order by k.what, k.id
		on conflict do nothing`
	const id = `select their_id, id from timelines where what = 'everything' and their_id = $1`
	whats, ids := LanguageTimelines(lang)
	var b pgx.Batch
	b.Queue(insert, whats, ids)
	b.Queue(id, LangID(lang)).Query(collectMap(made))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("make the timelines of %s: %w", lang, err)
	}
	return nil
}

// LanguageTimelines are the timelines that a language has, all of them public:
// their kinds, and beside those whose they are.
func LanguageTimelines(lang string) (whats []What, theirs []int64) {
	whats, theirs = []What{WhatEverything}, []int64{LangID(lang)}
	for _, what := range []What{WhatBestOf, WhatMostFaved} {
		for _, period := range Periods() {
			whats, theirs = append(whats, what), append(theirs, RankedID(lang, period))
		}
	}
	return whats, theirs
}

// queueNamed finds the people who have the names, or had them, but for one.
func queueNamed(b *pgx.Batch, names []string, but UserID, people *[]UserID) {
	const query = `
		select distinct u.id from names n join users u on n.what = 'user' and u.id = n.their_id
		where n.name = any($1) and u.id <> $2 and u.status <> 'deleted' order by u.id`
	if len(names) > 0 {
		b.Queue(query, names, but).Query(collect(people))
	}
}

// named are the people whom a text of somebody's names.
func (tx *txn) named(ctx context.Context, text string, by UserID) (people []UserID, err error) {
	var b pgx.Batch
	queueNamed(&b, NamesIn(text), by, &people)
	if b.Len() == 0 {
		return nil, nil
	}
	return people, tx.SendBatch(ctx, &b).Close()
}

// collectMap reads rows of two columns into a map.
func collectMap[K comparable, V any](to map[K]V) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var key K
		var value V
		_, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
			to[key] = value
			return nil
		})
		return err
	}
}
