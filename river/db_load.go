package river

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
)

// A loader reads a river DB into a state. After its first error, which it keeps, it does
// nothing.
type loader struct {
	ctx context.Context
	tx  *sql.Tx
	st  *state
	err error
}

// load returns the state that the last turn wrote.
func (r *riverDB) load(ctx context.Context) (*state, error) {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRiverDB, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return load(ctx, tx)
}

// load returns the state in a river DB. A damaged file must not end the process, so
// a panic becomes an error.
func load(ctx context.Context, tx *sql.Tx) (_ *state, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: reading it panicked: %v\n%s", errRiverDB, p, stack())
		}
	}()
	l := &loader{ctx: ctx, tx: tx, st: newState()}
	st := l.st
	err = tx.QueryRowContext(ctx, `select cursor, nonce, log_epoch, position, counter, purged from node`).
		Scan(&st.cursor, &st.nonce, &st.logEpoch, &st.position, &st.counter, &st.purged)
	if errors.Is(err, sql.ErrNoRows) {
		return st, nil
	}
	l.err = err
	l.common()
	l.folds()
	l.rivers()
	l.entries()
	if l.err != nil {
		return nil, fmt.Errorf("%w: reading it: %w", errRiverDB, l.err)
	}
	if err := st.validate(); err != nil {
		return nil, fmt.Errorf("%w: reading it: %w", errRiverDB, err)
	}
	for _, h := range st.held {
		h.touched = l.cardsChangedAt(h)
	}
	st.weighAll()
	return st, nil
}

// cardsChangedAt returns the counter at the last change of a card that any river shows with a
// post.
func (l *loader) cardsChangedAt(h *held) (changed int64) {
	on := cardVisitor{
		user:  func(id timeline.UserID) { changed = max(changed, l.st.users[id].changed) },
		group: func(id timeline.GroupID) { changed = max(changed, l.st.groups[id].changed) },
	}
	on.visitFold(h.fold)
	on.visitFold(h.all)
	on.visitPlaces(h.facts, l.st.timeline)
	for _, e := range h.entries {
		on.visitFold(e.rest().fold)
		on.visitReasons(e.reasons)
	}
	return changed
}

// rows runs a query and calls row for each of its rows.
func (l *loader) rows(query string, row func(scan func(...any))) {
	if l.err != nil {
		return
	}
	rows, err := l.tx.QueryContext(l.ctx, query)
	if err != nil {
		l.err = err
		return
	}
	defer func() { _ = rows.Close() }() // its error is rows.Err's
	for rows.Next() && l.err == nil {
		row(func(dest ...any) {
			if err := rows.Scan(dest...); err != nil {
				l.err = err
			}
		})
	}
	if l.err == nil {
		l.err = rows.Err()
	}
}

func (l *loader) parse(text string, v any) {
	if l.err == nil {
		l.err = json.Unmarshal([]byte(text), v)
	}
}

// common reads the parts that belong to no river: timelines, sets, cards, the quarantine and jobs.
func (l *loader) common() {
	st := l.st
	l.rows(`select id, what, their_id, access, changed from timelines`, func(scan func(...any)) {
		var t timeline.Timeline
		var changed int64
		scan(&t.ID, &t.What, &t.TheirID, &t.Access, &changed)
		st.timelines[t.ID] = t
		if changed != 0 {
			st.accessAt[t.ID], st.lastAccessAt = changed, max(st.lastAccessAt, changed)
			st.accessBefore[t.ID] = changed // the forms shown between two changes are not known
		}
	})
	l.rows(`select user_id, json, changed from sets`, func(scan func(...any)) {
		var user timeline.UserID
		var text string
		v := &viewer{rivers: make(map[*river]bool)}
		scan(&user, &text, &v.changed)
		if l.err == nil {
			v.sets, l.err = setsOf([]byte(text))
		}
		st.viewers[user] = v
	})
	l.rows(`select what, id, json, changed from cards`, func(scan func(...any)) {
		var what, text string
		var id, changed int64
		scan(&what, &id, &text, &changed)
		if what == "user" {
			c := new(timeline.UserCard)
			l.parse(text, c)
			st.users[timeline.UserID(id)] = card[*timeline.UserCard]{c, hashOf(c), changed}
			return
		}
		c := new(timeline.GroupCard)
		l.parse(text, c)
		st.groups[timeline.GroupID(id)] = card[*timeline.GroupCard]{c, hashOf(c), changed}
	})
	l.rows(`select post_id from quarantine`, func(scan func(...any)) {
		var post timeline.PostID
		scan(&post)
		st.quarantine.posts[post] = 0
	})
	l.rows(`select kind, timeline_id, since, at, at_post from jobs order by place`, func(scan func(...any)) {
		var j job
		scan(&j.kind, &j.timeline, &j.since, &j.at.FreshAt, &j.at.Post)
		st.jobs = append(st.jobs, j)
	})
}

func (l *loader) folds() {
	comments := make(map[timeline.PostID][]timeline.Comment)
	l.rows(`select post_id, json from comment_folds`, func(scan func(...any)) {
		var post timeline.PostID
		var text string
		var c timeline.Comment
		scan(&post, &text)
		l.parse(text, &c)
		comments[post] = append(comments[post], c)
	})
	l.rows(`select post_id, version, text_folded, likes_folded, comments_folded, attachments_folded, facts, all_comments, changed from folds`, func(scan func(...any)) {
		var text, likes, folded, attachments, facts string
		var all bool
		h := &held{fold: new(timeline.Fold), entries: make(map[*river]*entry)}
		f := h.fold
		scan(&f.Post, &f.Version, &text, &likes, &folded, &attachments, &facts, &all, &h.changed)
		known := new(timeline.Facts)
		l.parse(facts, known)
		f.Author = known.Author
		l.parse(text, &f.Text)
		l.parse(likes, &f.Likes)
		l.parse(folded, &f.Comments)
		l.parse(attachments, &f.Attachments)
		h.hash = foldHash(f)
		if all {
			every := *f
			every.Comments = wholeComments(comments[f.Post], f.Comments.Count)
			h.all, h.allHash, h.allAt = &every, foldHash(&every), h.changed
		}
		l.st.held[f.Post] = h
		h.facts = known
	})
}

func (l *loader) rivers() {
	l.rows(`select id, epoch, user_id, what, their_id, query, sorted, search, gates, finished, floor_at, floor_post, version, stale, again, swept_at, swept_post,
			changed, trimmed, reach, visited_at, created_at from rivers`, func(scan func(...any)) {
		rv := &river{saved: true}
		var gates string
		var reach int64
		var search sql.NullString
		scan(&rv.id, &rv.epoch, &rv.key.Viewer, &rv.key.What, &rv.key.TheirID, &rv.key.Query, &rv.sorted, &search, &gates, &rv.finished, &rv.floor.FreshAt, &rv.floor.Post,
			&rv.version, &rv.stale, &rv.staleTwice, &rv.swept.FreshAt, &rv.swept.Post, &rv.changed, &rv.trimmed, &reach, &rv.persisted, &rv.created)
		l.parse(gates, &rv.gates)
		if search.Valid {
			rv.query = new(timeline.Query)
			l.parse(search.String, rv.query)
		}
		rv.visited.Store(rv.persisted)
		rv.reach.entries.Store(reach)
		rv.reach.faded.Store(rv.persisted)
		if l.err == nil && l.st.viewers[rv.key.Viewer] == nil {
			l.err = fmt.Errorf("river %d has no sets", rv.id)
		}
		if l.err == nil {
			l.st.add(rv)
		}
	})
	wants := make(map[int64]map[timeline.TimelineID]bool)
	l.rows(`select river_id, timeline_id from rivers_timelines`, func(scan func(...any)) {
		var id int64
		var t timeline.TimelineID
		scan(&id, &t)
		if wants[id] == nil {
			wants[id] = make(map[timeline.TimelineID]bool)
		}
		wants[id][t] = true
	})
	for id, rv := range l.st.rivers {
		if kinds[rv.key.What].fedBySets() {
			wants[id] = homeOf(rv.key, l.st.viewers[rv.key.Viewer].sets)
		}
		l.st.feed(rv, wants[id])
	}
	for user, v := range l.st.viewers {
		switch {
		case len(v.rivers) == 0:
			delete(l.st.viewers, user)
		case user != 0:
			l.st.uncounted[user] = true
		}
	}
}

// wholeComments returns the fold of all comments, in the order of the primary.
func wholeComments(comments []timeline.Comment, count int) timeline.CommentsFold {
	slices.SortFunc(comments, func(a, b timeline.Comment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return timeline.CommentsFold{Comments: comments, Count: count, All: true}
}

func (l *loader) entries() {
	st := l.st
	l.rows(`select river_id, post_id, text_folded, likes_folded, comments_folded, attachments_folded, per_river_folded,
			fresh_at, updated_at, deleted, river_version, changed from entries`, func(scan func(...any)) {
		var (
			id, updated, fresh, changed        int64
			version                            int32
			post                               timeline.PostID
			text, likes, comments, attachments sql.NullString
			own                                string
			deleted                            bool
			kept                               perRiver
		)
		scan(&id, &post, &text, &likes, &comments, &attachments, &own, &fresh, &updated, &deleted, &version, &changed)
		rv, h := st.rivers[id], st.held[post]
		switch {
		case l.err != nil:
		case rv == nil:
			l.err = fmt.Errorf("entry %d of no river", post)
		case deleted:
			put(&rv.tombs, post, tomb{changed, updated})
		case h == nil:
			l.err = fmt.Errorf("entry %d has no fold", post)
		default:
			l.parse(own, &kept)
			e := &entry{post: h, cursor: timeline.Cursor{FreshAt: fresh, Post: post}, reasons: kept.Reasons, hidden: kept.Hidden, own: kept.Own, moved: kept.Moved, version: version, changed: changed, decided: changed}
			if len(kept.Hits) > 0 || len(kept.Without) > 0 {
				e.extra = &extra{hits: kept.Hits, without: kept.Without}
			}
			if text.Valid {
				fold := &timeline.Fold{Post: post, Author: h.facts.Author, Version: h.facts.Version}
				l.parse(text.String, &fold.Text)
				l.parse(likes.String, &fold.Likes)
				l.parse(comments.String, &fold.Comments)
				l.parse(attachments.String, &fold.Attachments)
				e.ownRest().fold, e.ownRest().hash = fold, foldHash(fold)
			}
			rv.insert(e)
			h.add(rv, e)
		}
	})
	l.rows(`select river_id, post_id from marks`, func(scan func(...any)) {
		var id int64
		var post timeline.PostID
		scan(&id, &post)
		if rv := st.rivers[id]; rv != nil {
			rv.marked = time.Now() // the true time is not stored
			put(&rv.marks, post, true)
		}
	})
}
