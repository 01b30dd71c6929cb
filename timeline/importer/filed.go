package importer

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// filed are the timelines of the whole site: of languages, by their numbers, 0
// being everything, and of tags, by their names.
type filed struct {
	languages map[int64]timeline.TimelineID
	tags      map[string]timeline.TimelineID
}

func newFiled() filed {
	return filed{languages: make(map[int64]timeline.TimelineID), tags: make(map[string]timeline.TimelineID)}
}

// of are those of them that hold a post.
func (f *filed) of(p *post) []timeline.TimelineID {
	var ids []timeline.TimelineID
	for _, tag := range p.tags {
		ids = append(ids, f.tags[tag])
	}
	if !p.listed {
		return ids
	}
	ids = append(ids, f.languages[0])
	if p.lang != "" {
		ids = append(ids, f.languages[timeline.LangID(p.lang)])
	}
	return ids
}

// file finds out by what timelines of the whole site the new posts are held, and
// makes those that are new.
func (t *taking) file(ctx context.Context) error {
	t.tell()
	tags, langs := make(set), make(set)
	for _, l := range t.lines {
		p := t.posts[l.id]
		if l.kind != kindPost || p.line != l || p.gone {
			continue
		}
		p.tags, p.lang = text.Tags(l.text), t.members[l.user].lang
		if p.lang == "" {
			p.lang = l.tell()
		}
		p.listed = slices.ContainsFunc(p.places, func(id timeline.TimelineID) bool {
			switch t.relations.timelines[id].What {
			case timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatGroup:
				return true
			}
			return false
		})
		for _, tag := range p.tags {
			tags.add(tag)
		}
		if _, made := t.filed.languages[timeline.LangID(p.lang)]; p.listed && !made {
			langs.add(p.lang)
		}
	}
	return t.makeFiled(ctx, slices.Sorted(slices.Values(tags.list())), slices.Sorted(slices.Values(langs.list())))
}

// makeFiled finds the timelines of tags and makes those that nobody used before,
// and all those of new languages; in one order, as all writers do.
func (t *taking) makeFiled(ctx context.Context, tags, langs []string) error {
	const insertTags = `
		insert into hashtags (name) select name from unnest($1::text[]) name
		where not exists (select from hashtags h where h.name = name.name) order by name
		on conflict do nothing`
	const insertTimelines = `
		insert into timelines (what, their_id, access) select 'hashtag', h.id, 'public' from hashtags h
		where h.name = any($1) and not exists (select from timelines where what = 'hashtag' and their_id = h.id) order by h.name
		on conflict do nothing`
	const tagged = `
		select h.name, t.id from hashtags h join timelines t on t.what = 'hashtag' and t.their_id = h.id where h.name = any($1)`
	const insertLanguage = `
		insert into timelines (what, their_id, access)
		select k.what, k.id, 'public' from unnest($1::text[], $2::bigint[]) k(what, id) order by k.what, k.id
		on conflict do nothing`
	const languages = `select their_id, id from timelines where what = 'everything'`
	var b pgx.Batch
	if len(tags) > 0 {
		b.Queue(insertTags, tags)
		b.Queue(insertTimelines, tags)
		b.Queue(tagged, tags).Query(collectMap(t.filed.tags))
	}
	for _, lang := range langs {
		whats, theirs := timeline.LanguageTimelines(lang)
		b.Queue(insertLanguage, whats, theirs)
	}
	if len(langs) > 0 {
		b.Queue(languages).Query(collectMap(t.filed.languages))
	}
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// name has a post's own text, or a comment of it, name whom it names of those who
// were there before it.
func (t *taking) name(l *line, p *post, c *timeline.CommentID, by timeline.UserID) {
	named := map[timeline.UserID]bool{by: true, 0: true}
	for _, name := range text.Names(l.text) {
		m := t.members[name]
		if m == nil || m.line > l.number || m.deleted || named[m.user] {
			continue
		}
		named[m.user] = true
		t.outcome.mentions = append(t.outcome.mentions, mention{p.id, c, by, m.user})
		t.outcome.enter(p, m.timelines[timeline.WhatMentions].ID, l.at)
	}
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
