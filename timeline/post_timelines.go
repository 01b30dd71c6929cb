package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A postBatch changes one post: statements that run together in one round trip, in the
// order in which they were added.
type postBatch struct {
	pgx.Batch
	post PostID
}

// addToPeople puts the post into timelines of people's, at its place in time, and adds
// those to entered where it was not. Where it was before, and left, the first
// time stays when it entered.
func (e *postBatch) addToPeople(people []UserID, at time.Time, entered *[]TimelineID, kinds ...What) {
	const query = `
		with back as (
			delete from timeline_left l using timelines t
			where l.post_id = $3 and l.timeline_id = t.id and t.what = any($1) and t.their_id = any($2::bigint[])
			returning l.timeline_id, l.entered_at
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, coalesce(b.entered_at, $4)
		from timelines t join posts p on p.id = $3 left join back b on b.timeline_id = t.id
		where t.what = any($1) and t.their_id = any($2::bigint[])
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, kinds, people, e.post, at.UnixMilli()).Query(primary.Collect(entered))
}

// addTo puts the post into timelines by id, at its place in time, and adds to
// entered those where it was not; see [postBatch.addToPeople].
func (e *postBatch) addTo(timelines []TimelineID, at time.Time, entered *[]TimelineID) {
	const query = `
		with back as (
			delete from timeline_left where post_id = $1 and timeline_id = any($2::bigint[]) returning timeline_id, entered_at
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, coalesce(b.entered_at, $3)
		from unnest($2::bigint[]) t(id) join posts p on p.id = $1 left join back b on b.timeline_id = t.id
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, e.post, timelines, at.UnixMilli()).Query(primary.Collect(entered))
}

// removeExcept takes the post out of every place, every timeline of the whole site and
// every tag's but these; what its likes, comments and ranks put it into stays.
// When it entered the site's is remembered; a place it enters anew.
func (e *postBatch) removeExcept(but []TimelineID, left *[]TimelineID) {
	const query = `
		with gone as (
			delete from timeline_entries e using timelines t
			where e.post_id = $1 and t.id = e.timeline_id and not t.id = any($2::bigint[])
				and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'everything', 'hashtag')
			returning e.timeline_id, e.entered_at, t.what
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at)
			select $1, timeline_id, entered_at from gone where what in ('everything', 'hashtag')
			on conflict do nothing
		)
		select timeline_id from gone`
	e.Queue(query, e.post, but).Query(primary.Collect(left))
}

// removeFrom takes the post out of a timeline of a person's, and remembers when it
// entered.
func (e *postBatch) removeFrom(what What, user UserID, left *[]TimelineID) {
	const query = `
		with gone as (
			delete from timeline_entries e using timelines t
			where e.post_id = $3 and e.timeline_id = t.id and t.what = $1 and t.their_id = $2
			returning e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select $3, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select timeline_id from gone`
	e.Queue(query, what, user, e.post).Query(primary.Collect(left))
}

// raiseLatest brings latest_at of one timeline that the post entered in line; see
// [postBatch.syncFreshness], which does so for all of them.
func (e *postBatch) raiseLatest(what What, user UserID) {
	const query = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p where p.id = $1 and t.what = $2 and t.their_id = $3 and t.latest_at < p.fresh_at`
	e.Queue(query, e.post, what, user)
}

// syncFreshness brings the copies of the post's place in time in line with the post,
// and is queued after whatever moves it or lets it in.
//
// latest_at is what readers may rely on: no entry of the timeline is fresher.
// It is raised only when it must, to the next whole minute, so that a busy
// timeline's row is written once a minute; only what homes and lists are made of
// has one. Rows are locked in the order of their ids, by a statement of its own:
// an update that locks them itself meets rows that changed after its snapshot
// began, and such updates were seen to wait for each other.
func (e *postBatch) syncFreshness() {
	const entries = `
		update timeline_entries e set fresh_at = p.fresh_at
		from posts p where p.id = $1 and e.post_id = p.id and e.fresh_at <> p.fresh_at`
	const lock = `
		select t.id
		from posts p
		join timeline_entries e on e.post_id = p.id
		join timelines t on t.id = e.timeline_id
		where p.id = $1 and t.latest_at < p.fresh_at
			and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')
		order by t.id
		for no key update of t`
	const latest = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p join timeline_entries e on e.post_id = p.id
		where p.id = $1 and t.id = e.timeline_id and t.latest_at < p.fresh_at
			and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')`
	e.Queue(entries, e.post)
	e.Queue(lock, e.post)
	e.Queue(latest, e.post)
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
	f := filing{lang: w.lang, tags: text.Tags(w.text)}
	var (
		b       pgx.Batch
		tagged  = make(map[string]TimelineID, len(f.tags))
		written = make(map[int64]TimelineID)
	)
	if !w.given {
		b.Queue(lang, author).QueryRow(func(row pgx.Row) error { return row.Scan(&f.lang) })
	}
	queueNamed(&b, text.Names(w.text), author, &f.people)
	if len(f.tags) > 0 {
		b.Queue(tags, f.tags).Query(primary.CollectMap(tagged))
	}
	b.Queue(languages).Query(primary.CollectMap(written))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return f, fmt.Errorf("file by its text: %w", err)
	}
	if f.lang == "" && !w.given {
		f.lang = text.Detect(w.text)
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
	b.Queue(ids, tags).Query(primary.CollectMap(made))
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
	b.Queue(id, LangID(lang)).Query(primary.CollectMap(made))
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

// LangID is the number that a language has as the their_id of a timeline: from
// the letters of its code, so that it is the same everywhere. All languages
// together, "", are 0, and so is what is no code.
func LangID(code string) int64 {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' }
	if len(code) != 2 || !letter(code[0]) || !letter(code[1]) {
		return 0
	}
	return int64(code[0]-'a')*26 + int64(code[1]-'a') + 1
}

// LangCode is the code of a language by its number; "" where there is none.
func LangCode(id int64) string {
	if id < 1 || id > 26*26 {
		return ""
	}
	code := string([]byte{'a' + byte((id-1)/26), 'a' + byte((id-1)%26)})
	if _, known := text.FindLanguage(code); !known {
		return ""
	}
	return code
}

// FindHashtag returns the id of a hashtag by its name, which is in lower case and
// without the sign; [ErrNotFound] while no text has used it.
func (s *Store) FindHashtag(ctx context.Context, name string) (id int64, err error) {
	defer primary.Wrap(&err, "hashtag %q", name)
	const query = `select id from hashtags where name = $1`
	err = s.db.View(ctx, func(q primary.Querier) error { return q.QueryRow(ctx, query, name).Scan(&id) })
	return id, err
}

// LanguagesUsed returns the languages, by their English names, in which there are
// posts that all may read. A language that only hidden posts are in is named to no
// reader.
func (s *Store) LanguagesUsed(ctx context.Context) (found []text.Language, err error) {
	defer primary.Wrap(&err, "languages used")
	const query = `
		select t.their_id from timelines t
		where t.what = 'everything' and t.their_id <> 0 and exists (
			select from timeline_entries e
			join timeline_entries placed on placed.post_id = e.post_id
			join timelines place on place.id = placed.timeline_id and place.what in ('user', 'group') and place.access = 'public'
			join posts p on p.id = e.post_id and p.deleted_at is null
			join users u on u.id = p.user_id and u.status <> 'deleted'
			where e.timeline_id = t.id
			order by e.fresh_at desc limit 1)`
	var ids []int64
	err = s.db.View(ctx, func(q primary.Querier) error { return primary.Read(ctx, q, &ids, query) })
	if err != nil {
		return nil, err
	}
	used := make(map[int64]bool, len(ids))
	for _, id := range ids {
		used[id] = true
	}
	for _, l := range text.Languages() {
		if used[LangID(l.Code)] {
			found = append(found, l)
		}
	}
	return found, nil
}
