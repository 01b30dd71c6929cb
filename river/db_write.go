package river

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"amstel.dev/amstel/timeline"
)

// perRiver is the content of the column per_river_folded of an entry.
type perRiver struct {
	Reasons Reasons  `json:"reasons"`
	Hidden  bool     `json:"hidden,omitempty"`
	Hits    []string `json:"hits,omitempty"`
	Own     digest   `json:"own"`
	Moved   int64    `json:"moved"`

	Without []timeline.UserID `json:"without,omitempty"`
}

// A writer writes one turn. After its first error, which it keeps, it writes nothing.
type writer struct {
	ctx     context.Context
	tx      *sql.Tx
	rebuild *rebuild
	err     error
}

func (w *writer) do(query string, args ...any) {
	if w.err == nil {
		_, w.err = w.tx.ExecContext(w.ctx, query, args...)
	}
}

// query returns the compiled query of a search river as JSON, and null for other
// rivers.
func (w *writer) query(rv *river) any {
	if rv.query == nil {
		return nil
	}
	return w.text(rv.query)
}

// text returns a value as JSON.
func (w *writer) text(v any) string {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	return string(text)
}

// write brings SQLite to the state of the draft, in one transaction: entries, folds, cards and
// sets, the work left to later turns, the cursor and the counter.
//
// While a new river DB is being filled, chunk has the rivers to write in full with this turn. For
// rivers that are not written yet, and not in chunk, write does nothing.
func (r *riverDB) write(ctx context.Context, d *draft, now int64, s *rebuild, chunk []*river) error {
	// The end of the loop must not interrupt the write: that would look like a
	// broken file.
	ctx = context.WithoutCancel(ctx)
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", errRiverDB, err)
	}
	defer func() { _ = tx.Rollback() }() // without effect after a commit
	w := &writer{ctx: ctx, tx: tx, rebuild: s}
	w.do(`insert into node (one, boot, clean, cursor, nonce, log_epoch, position, counter, purged) values (1, ?, 0, ?, ?, ?, ?, ?, ?)
		on conflict (one) do update set boot = excluded.boot, clean = 0, cursor = excluded.cursor, nonce = excluded.nonce,
			log_epoch = excluded.log_epoch, position = excluded.position, counter = excluded.counter, purged = excluded.purged`,
		bootID(), d.log.cursor, d.log.nonce, d.log.logEpoch, d.log.position, d.counter, d.log.purged)
	if s.active() {
		w.save(d.base, s, chunk, now)
	}
	w.common(d)
	w.quarantine(d, r)
	kept := d.wanted()
	for post := range kept {
		w.post(d, post)
	}
	for rv, rd := range d.rivers {
		if rd.dropped {
			w.drop(d, rv)
		}
	}
	for rv, rd := range d.rivers {
		if !rd.dropped && (rv.saved || rd.made || slices.Contains(chunk, rv)) {
			w.river(d, rv, rd, now)
		}
	}
	if len(d.forget.posts) > 0 {
		w.do(`delete from folds where post_id in (select value from json_each(?))`, w.text(d.forget.posts))
		w.do(`delete from comment_folds where post_id in (select value from json_each(?))`, w.text(d.forget.posts))
	}
	if len(d.forget.users) > 0 {
		w.do(`delete from cards where what = 'user' and id in (select value from json_each(?))`, w.text(d.forget.users))
	}
	if len(d.forget.groups) > 0 {
		w.do(`delete from cards where what = 'group' and id in (select value from json_each(?))`, w.text(d.forget.groups))
	}
	if len(d.forget.timelines) > 0 {
		w.do(`delete from timelines where id in (select value from json_each(?))`, w.text(d.forget.timelines))
	}
	if w.err == nil {
		w.err = tx.Commit()
	}
	if w.err == nil {
		w.err = r.shrink(ctx)
	}
	if w.err == nil {
		w.err = r.recordFiles(ctx)
	}
	if w.err != nil {
		return fmt.Errorf("%w: writing turn %d: %w", errRiverDB, d.counter, w.err)
	}
	return nil
}

// common writes the parts that belong to no river: timelines, sets, cards and jobs.
func (w *writer) common(d *draft) {
	w.timelines(d)
	for user, s := range d.sets {
		w.sets(user, s, d.counter)
	}
	for id, c := range d.users {
		w.do(`insert or replace into cards (what, id, json, changed) values ('user', ?, ?, ?)`, id, w.text(c), d.counter)
	}
	for id, c := range d.groups {
		w.do(`insert or replace into cards (what, id, json, changed) values ('group', ?, ?, ?)`, id, w.text(c), d.counter)
	}
	if len(d.log.jobs) > 0 || len(d.base.jobs) > 0 {
		w.jobs(d.log.jobs)
	}
}

// jobs writes all jobs in place of the stored ones.
func (w *writer) jobs(jobs []job) {
	w.do(`delete from jobs`)
	for i, j := range jobs {
		w.do(`insert into jobs (place, kind, timeline_id, since, at, at_post) values (?, ?, ?, ?, ?, ?)`, i, j.kind, j.timeline, j.since, j.at.FreshAt, j.at.Post)
	}
}

func (w *writer) sets(user timeline.UserID, s *timeline.Sets, changed int64) {
	text, err := setsText(s)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.do(`insert or replace into sets (user_id, json, changed) values (?, ?, ?)`, user, string(text), changed)
}

// timelinesOnce is the number of timelines that one statement writes. A home brings 1,500
// timelines, and a statement costs more than a row.
const timelinesOnce = 100

// timelines writes the timelines that are new or changed.
func (w *writer) timelines(d *draft) {
	rows := newTimelineRows(w)
	for id, t := range d.timelines {
		was, known := d.base.timelines[id]
		if was == t {
			continue
		}
		changed := int64(0)
		if known {
			changed = d.counter
		}
		rows.add(t, changed)
	}
	rows.flush()
}

// timelineRows collects rows for statements that write many rows.
type timelineRows struct {
	w    *writer
	args []any
}

func newTimelineRows(w *writer) *timelineRows {
	return &timelineRows{w, make([]any, 0, 5*timelinesOnce)}
}

func (r *timelineRows) add(t timeline.Timeline, changed int64) {
	if r.args = append(r.args, t.ID, t.What, t.TheirID, t.Access, changed); len(r.args) == cap(r.args) {
		r.flush()
	}
}

func (r *timelineRows) flush() {
	const head, row = `insert or replace into timelines (id, what, their_id, access, changed) values `, `(?, ?, ?, ?, ?), `
	if rows := len(r.args) / 5; rows > 0 {
		r.w.do(head+strings.TrimSuffix(strings.Repeat(row, rows), ", "), r.args...)
	}
	r.args = r.args[:0]
}

// wanted returns the posts of the rows that the draft writes: the posts that rivers hold now or
// will hold after the turn.
func (d *draft) wanted() map[timeline.PostID]bool {
	posts := make(map[timeline.PostID]bool)
	keep := func(post timeline.PostID) {
		if d.base.held[post] != nil {
			posts[post] = true
		}
	}
	for post := range d.facts {
		keep(post)
	}
	for post := range d.alls {
		keep(post)
	}
	for _, rd := range d.rivers {
		for post := range rd.put {
			posts[post] = true
		}
	}
	return posts
}

// post writes the facts and shared folds of a post.
func (w *writer) post(d *draft, post timeline.PostID) {
	f := d.factsOf(post)
	h := d.base.held[post]
	fold, all := d.folds[post], d.alls[post]
	if h != nil {
		if fold == nil {
			fold = h.fold
		}
		if f == nil {
			f = &timeline.Facts{ID: post, Deleted: true}
		}
	}
	if fold == nil || f == nil {
		return
	}
	if h != nil && w.rebuild.active() {
		w.savePost(w.rebuild, h) // the post may have been only in rivers that are not written yet
	}
	if _, read := d.facts[post]; h != nil && !read && d.folds[post] == nil && all == nil {
		return
	}
	every := all != nil || h != nil && h.all != nil
	w.fold(fold, f, every, d.counter)
	if all == nil {
		return
	}
	had := make(map[timeline.CommentID]timeline.Comment)
	if h != nil && h.all != nil {
		for _, c := range h.all.Comments.Comments {
			had[c.ID] = c
		}
	} else {
		// Comments of an earlier page of the post were not kept up to date.
		w.do(`delete from comment_folds where post_id = ?`, post)
	}
	for _, c := range all.Comments.Comments {
		old, has := had[c.ID]
		delete(had, c.ID)
		if !has || w.text(old) != w.text(c) {
			w.comment(post, c, d.counter)
		}
	}
	for id := range had {
		w.do(`delete from comment_folds where post_id = ? and comment_id = ?`, post, id)
	}
}

// fold writes the shared fold of a post, without the comments of the post's own
// page.
func (w *writer) fold(fold *timeline.Fold, f *timeline.Facts, every bool, changed int64) {
	w.do(`insert or replace into folds (post_id, version, text_folded, likes_folded, comments_folded, attachments_folded, facts, fresh_at, all_comments, changed)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.ID, fold.Version, w.text(fold.Text), w.text(fold.Likes), w.text(fold.Comments), w.text(fold.Attachments), w.text(f), f.FreshAt, every, changed)
}

// comment writes one comment for the page of the post, which shows all comments.
func (w *writer) comment(post timeline.PostID, c timeline.Comment, changed int64) {
	w.do(`insert or replace into comment_folds (post_id, comment_id, json, changed) values (?, ?, ?, ?)`, post, c.ID, w.text(c), changed)
}

// drop deletes a river, and the viewer's sets with the viewer's last river.
func (w *writer) drop(d *draft, rv *river) {
	w.do(`delete from entries where river_id = ?`, rv.id)
	w.do(`delete from rivers_timelines where river_id = ?`, rv.id)
	w.do(`delete from marks where river_id = ?`, rv.id)
	w.do(`delete from rivers where id = ?`, rv.id)
	if v := d.base.viewers[rv.key.Viewer]; v != nil && d.dropsAll(v) && !d.makes(rv.key.Viewer) {
		w.do(`delete from sets where user_id = ?`, rv.key.Viewer)
	}
}

// dropsAll reports whether the draft drops all rivers of a viewer.
func (d *draft) dropsAll(v *viewer) bool {
	for rv := range v.rivers {
		if rd := d.rivers[rv]; rd == nil || !rd.dropped {
			return false
		}
	}
	return true
}

// river writes the changes of one river.
func (w *writer) river(d *draft, rv *river, rd *riverDraft, now int64) {
	floor, finished, changed, trimmed := rv.floor, rv.finished, rv.changed, rv.trimmed
	version, stale, swept, again := rv.version, rv.stale, rv.swept, rv.staleTwice
	if rd.floor != nil {
		if rv.floor.Below(*rd.floor) && !rd.made {
			trimmed = d.counter
		}
		floor, finished, changed = *rd.floor, rd.finished, d.counter
	}
	if rd.sweepStarted {
		version, stale, again = version+1, d.counter, stale != 0
	}
	if rd.swept != nil {
		if swept = *rd.swept; rd.sweepDone {
			stale, again = 0, false
		}
	}
	if rd.changed || len(rd.put)+len(rd.gone) > 0 {
		changed = d.counter
	}
	visited := rv.persisted
	if rd.visited != 0 {
		visited = rd.visited
	}
	if rd.made || rd.floor != nil || rd.swept != nil || rd.visited != 0 || changed == d.counter {
		w.riverRow(rv, riverRow{finished, floor, version, stale, again, swept, changed, trimmed, visited}, now)
	}
	if rd.floor != nil && rv.floor.Below(*rd.floor) && !rd.made {
		for _, e := range rv.order {
			if e.cursor.Below(*rd.floor) {
				w.do(`delete from entries where river_id = ? and post_id = ?`, rv.id, e.post.facts.ID)
			}
		}
	}
	if rd.made {
		w.feeds(rv)
		if w.rebuild.active() && d.sets[rv.key.Viewer] == nil {
			w.saveSets(d.base, rv.key.Viewer)
		}
	}
	for post := range rd.gone {
		w.do(`update entries set deleted = 1, per_river_folded = '{}', text_folded = null, likes_folded = null, comments_folded = null,
			attachments_folded = null, updated_at = ?, changed = ? where river_id = ? and post_id = ?`, now, d.counter, rv.id, post)
	}
	for post, e := range rd.put {
		w.entry(d, rv, post, e, now, version)
	}
	for _, post := range rd.purge {
		w.do(`delete from entries where river_id = ? and post_id = ? and deleted = 1`, rv.id, post)
	}
	if len(rd.unmark) > 0 {
		w.do(`delete from marks where river_id = ? and post_id in (select value from json_each(?))`, rv.id, w.text(keysOf(rd.unmark)))
	}
	if len(rd.mark) > 0 {
		w.marks(rv, rd.mark)
	}
}

func (w *writer) marks(rv *river, posts map[timeline.PostID]bool) {
	w.do(`insert or ignore into marks (river_id, post_id) select ?, value from json_each(?)`, rv.id, w.text(keysOf(posts)))
}

// feeds writes the timelines that feed a new river, unless they follow from the
// viewer's sets.
func (w *writer) feeds(rv *river) {
	if !kinds[rv.key.What].fedBySets() {
		w.do(`insert or ignore into rivers_timelines (river_id, timeline_id) select ?, value from json_each(?)`, rv.id, w.text(keysOf(rv.wants)))
	}
}

// riverRow holds the columns of a river's row that change.
type riverRow struct {
	finished bool
	floor    timeline.Cursor
	version  int32
	stale    int64
	again    bool
	swept    timeline.Cursor

	changed, trimmed, visited int64
}

func (w *writer) riverRow(rv *river, r riverRow, now int64) {
	w.do(`insert into rivers (id, epoch, user_id, what, their_id, query, sorted, search, gates, constructed, finished, floor_at, floor_post,
			version, stale, again, swept_at, swept_post, changed, trimmed, reach, visited_at, created_at, updated_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (id) do update set finished = excluded.finished, floor_at = excluded.floor_at, floor_post = excluded.floor_post,
			version = excluded.version, stale = excluded.stale, again = excluded.again, swept_at = excluded.swept_at, swept_post = excluded.swept_post, changed = excluded.changed, trimmed = excluded.trimmed,
			reach = excluded.reach, visited_at = excluded.visited_at, updated_at = excluded.updated_at`,
		rv.id, rv.epoch, rv.key.Viewer, rv.key.What, rv.key.TheirID, rv.key.Query, rv.sorted, w.query(rv), w.text(rv.gates), r.finished, r.floor.FreshAt, r.floor.Post,
		r.version, r.stale, r.again, r.swept.FreshAt, r.swept.Post, r.changed, r.trimmed, rv.reach.entries.Load(), r.visited, rv.created, now)
}

// makes reports whether the draft makes a river for a viewer.
func (d *draft) makes(user timeline.UserID) bool {
	for rv, rd := range d.rivers {
		if rd.made && rv.key.Viewer == user {
			return true
		}
	}
	return false
}

// entry writes one entry. It also writes the entry's fold, if the viewer does not share the fold
// with others.
func (w *writer) entry(d *draft, rv *river, post timeline.PostID, e *entry, now int64, version int32) {
	f := d.factsOf(post)
	if f == nil || d.base.held[post] == nil && d.folds[post] == nil {
		return // the post was deleted before its fold could be read
	}
	w.entryRow(rv, e, f, now, version, d.counter)
}

func (w *writer) entryRow(rv *river, e *entry, f *timeline.Facts, now int64, version int32, changed int64) {
	var text, likes, comments, attachments any
	rest := e.rest()
	if fold := rest.fold; fold != nil {
		text, likes, comments, attachments = w.text(fold.Text), w.text(fold.Likes), w.text(fold.Comments), w.text(fold.Attachments)
	}
	w.do(`insert or replace into entries (river_id, post_id, version, text_folded, likes_folded, comments_folded, attachments_folded,
			per_river_folded, fresh_at, updated_at, deleted, river_version, changed) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
		rv.id, f.ID, f.Version, text, likes, comments, attachments,
		w.text(perRiver{e.reasons, e.hidden, rest.hits, e.own, e.moved, rest.without}), e.cursor.FreshAt, now, version, changed)
}
