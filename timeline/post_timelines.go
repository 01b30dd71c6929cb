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

// A postBatch is a list of statements about one post, to be run in order, in one round trip.
type postBatch struct {
	pgx.Batch
	post PostID
}

// addToPeople adds the post to the timelines of these kinds of some people. It appends to entered
// the timelines that did not hold the post. A post that returns to a timeline keeps the time of
// its first entry.
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

// addTo adds the post to timelines by id, and appends to entered the timelines that did not
// hold the post; see [postBatch.addToPeople].
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

// removeExcept removes the post from all places, timelines of everything and hashtags
// that are not in but, and appends them to left. Timelines that hold the post by likes,
// comments and ranks keep it. For timelines of everything and hashtags the time of entry
// is remembered, in case the post comes back.
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

// removeFrom removes the post from one kind of timeline of a person, and keeps the time of its
// entry.
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

// raiseLatest raises latest_at of one timeline that the post entered; [postBatch.syncFreshness]
// does the same for all timelines of the post.
func (e *postBatch) raiseLatest(what What, user UserID) {
	const query = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p where p.id = $1 and t.what = $2 and t.their_id = $3 and t.latest_at < p.fresh_at`
	e.Queue(query, e.post, what, user)
}

// syncFreshness copies the post's fresh_at to its entries, and raises latest_at of its timelines.
// It is queued after every statement that makes the post fresher or adds the post to a timeline.
//
// latest_at is an upper bound: no entry of the timeline is fresher. latest_at is raised only if an
// entry would exceed it, and then to the next whole minute, so that the row of a busy timeline is
// written once a minute. Example: entries at 10:00:05 and 10:00:40 both fit below the bound
// 10:01:00, which the first entry set. Only the kinds of timelines in homes and lists have a
// bound.
//
// A statement of its own locks the rows in the order of their ids before the update. An update
// that locks rows itself can meet rows that changed after its snapshot began, and such updates
// were seen to wait for each other.
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

// A derived is what follows from the text of a post.
type derived struct {
	lang   string
	tags   []string
	people []UserID     // the text mentions them; without the author
	shared []TimelineID // timelines of the whole site that the post enters: everything, the language's and the hashtags'
}

// derive finds the values that follow from the text of a post by the author. With everything, that
// is, in a feed or a group, the post enters the timelines of everything and of its language.
//
// The language is the author's choice for the post, else the language in the author's settings,
// else the language detected in the text. Timelines of hashtags and languages are made at their
// first use.
func (tx *txn) derive(ctx context.Context, author UserID, t postText, everything bool) (derived, error) {
	const lang = `select lang from users where id = $1`
	d := derived{lang: t.lang, tags: text.Tags(t.text)}
	var (
		b         pgx.Batch
		hashtags  = make(map[string]TimelineID, len(d.tags))
		languages = make(map[int64]TimelineID)
	)
	if !t.given {
		b.Queue(lang, author).QueryRow(func(row pgx.Row) error { return row.Scan(&d.lang) })
	}
	queueMentioned(&b, text.Names(t.text), author, &d.people)
	if len(d.tags) > 0 {
		b.Queue(hashtagTimelines, d.tags).Query(primary.CollectMap(hashtags))
	}
	b.Queue(languageTimelines).Query(primary.CollectMap(languages))
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return d, fmt.Errorf("read what a text refers to: %w", err)
	}
	if d.lang == "" && !t.given {
		d.lang = text.Detect(t.text)
	}
	if len(hashtags) < len(d.tags) {
		var b pgx.Batch
		QueueHashtags(&b, d.tags, hashtags)
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return d, fmt.Errorf("make hashtags: %w", err)
		}
	}
	d.shared = slices.AppendSeq(d.shared, maps.Values(hashtags))
	if !everything {
		return d, nil
	}
	d.shared = append(d.shared, languages[0])
	if id := LangID(d.lang); id != 0 {
		if _, made := languages[id]; !made {
			var b pgx.Batch
			QueueLanguages(&b, []string{d.lang}, languages)
			if err := tx.SendBatch(ctx, &b).Close(); err != nil {
				return d, fmt.Errorf("make the timelines of %s: %w", d.lang, err)
			}
		}
		d.shared = append(d.shared, languages[id])
	}
	return d, nil
}

// hashtagTimelines reads the timelines of hashtags, by the names of the hashtags.
const hashtagTimelines = `
	select h.name, t.id from hashtags h join timelines t on t.what = 'hashtag' and t.their_id = h.id where h.name = any($1)`

// languageTimelines reads the everything timeline of each language, by [LangID].
const languageTimelines = `select their_id, id from timelines where what = 'everything'`

// QueueHashtags queues statements that make the missing hashtags of the names, and their
// timelines, and add the timelines of all names to found. Hashtags are made in the order of their
// names, so that two writers that make the same hashtags at the same time wait for each other and
// do not meet in a deadlock.
func QueueHashtags(b *pgx.Batch, names []string, found map[string]TimelineID) {
	const hashtags = `
		insert into hashtags (name) select k.name from unnest($1::text[]) k(name)
		where not exists (select from hashtags h where h.name = k.name) order by k.name
		on conflict do nothing`
	const timelines = `
		insert into timelines (what, their_id, access) select 'hashtag', h.id, 'public' from hashtags h
		where h.name = any($1) and not exists (select from timelines where what = 'hashtag' and their_id = h.id) order by h.name
		on conflict do nothing`
	b.Queue(hashtags, names)
	b.Queue(timelines, names)
	b.Queue(hashtagTimelines, names).Query(primary.CollectMap(found))
}

// QueueLanguages queues statements that make the timelines of these languages where
// they do not exist: everything, and the rankings, all of them public. They add the
// everything timelines of all languages of the site to found, by [LangID].
func QueueLanguages(b *pgx.Batch, langs []string, found map[int64]TimelineID) {
	const insert = `
		insert into timelines (what, their_id, access)
		select k.what, k.id, 'public' from unnest($1::text[], $2::bigint[]) k(what, id) order by k.what, k.id
		on conflict do nothing`
	for _, lang := range langs {
		whats, ids := []What{WhatEverything}, []int64{LangID(lang)}
		for _, what := range []What{WhatBestOf, WhatMostFaved} {
			for _, period := range Periods() {
				whats, ids = append(whats, what), append(ids, RankedID(lang, period))
			}
		}
		b.Queue(insert, whats, ids)
	}
	b.Queue(languageTimelines).Query(primary.CollectMap(found))
}

// LangID returns the number of a language in the their_id of a timeline. The number is computed
// from the letters of the code, so every site has the same: "aa" is 1, "ab" 2, "ba" 27. All
// languages together, "", are 0, and so is any text other than a code of two letters.
func LangID(code string) int64 {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' }
	if len(code) != 2 || !letter(code[0]) || !letter(code[1]) {
		return 0
	}
	return int64(code[0]-'a')*26 + int64(code[1]-'a') + 1
}

// LangCode returns the code of the language of a number, or "" if there is none.
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

// FindHashtag returns the id of a hashtag. name is in lower case, without the #. It returns
// [ErrNotFound] if no text has used the hashtag.
func (s *Store) FindHashtag(ctx context.Context, name string) (id int64, err error) {
	defer primary.Wrap(&err, "hashtag %q", name)
	const query = `select id from hashtags where name = $1`
	err = s.db.View(ctx, func(q primary.Querier) error { return q.QueryRow(ctx, query, name).Scan(&id) })
	return id, err
}

// LanguagesUsed returns the languages, by their English names, of public posts. A language of
// which all posts are hidden is not in the list, so that the list tells nothing about them.
func (s *Store) LanguagesUsed(ctx context.Context) (found []text.Language, err error) {
	defer primary.Wrap(&err, "languages used")
	const query = `
		select t.their_id from timelines t
		where t.what = 'everything' and t.their_id <> 0 and exists (
			select from timeline_entries e
			join timeline_entries placed on placed.post_id = e.post_id
			join timelines place on place.id = placed.timeline_id and place.what in ('user', 'group') and place.access = 'public'
			join posts p on p.id = e.post_id
			join users u on u.id = p.user_id
			where e.timeline_id = t.id and not (` + postGone + `)
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
