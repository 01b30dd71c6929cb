package inbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// sizeOf returns the site's setting for the size of a source: the milliseconds of a period for timed;
// the entries of a document, an inbox or a ring for sized, capped and segments; and a number of
// subscribers for hybrid.
func sizeOf(s timeline.SourceSettings, source string) int64 {
	switch source {
	case timeline.SourceTimed:
		return max(1, s.Period.Milliseconds())
	case timeline.SourceSized:
		return int64(math.Ceil(s.Sized))
	case timeline.SourceCapped:
		return int64(math.Ceil(s.Cap))
	case timeline.SourceSegments:
		return int64(math.Ceil(s.Slots))
	}
	return int64(math.Ceil(s.Hybrid))
}

// pulledFrom returns a number of subscribers. A source pulls the timelines of feeds with so many
// subscribers or more, that is, reads them and does not push their posts. 0: it pulls none.
func pulledFrom(s timeline.SourceSettings, source string) int64 {
	limit := int64(math.Ceil(s.FanoutLimit))
	if source == timeline.SourceHybrid {
		if hybrid := int64(math.Ceil(s.Hybrid)); limit == 0 || hybrid < limit {
			return hybrid
		}
	}
	return limit
}

// make makes an inbox without entries, and commits its feeds. If the inbox exists, make does nothing.
// It deletes inboxes of the same river and source with another choice: they are outdated, because the
// viewer's subscriptions changed.
func (in *Source) make(ctx context.Context, db *primary.DB, w wish) error {
	const other = `
		delete from inboxes where kind = $1 and viewer_id = $2 and their_id = $3 and source = $4 and choice <> $5 and viewer_id <> 0`
	const insert = `
		insert into inboxes (kind, viewer_id, their_id, source, choice, lifted, size, depth, embeds)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`
	// The likes and comments of a person are counted with the subscribers of the person's feed.
	const big = `
		select t.id from timelines t
		join timelines b on b.id = t.id or t.what in ('user_likes', 'user_comments') and b.what = 'user' and b.their_id = t.their_id
		where t.id = any($1) and $2 > 0
		group by t.id having sum((select count(*) from (select from subscriptions s where s.timeline_id = b.id limit $2) n)) >= $2`
	const feeds = `
		insert into inbox_feeds (timeline_id, inbox_id, base, pulled, since, began)
		select f.id, $1, f.base, f.id = any($6), f.since, f.began
		from unnest($2::bigint[], $3::boolean[], $4::bigint[], $5::bigint[]) f(id, base, since, began)`
	err := db.Write(ctx, func(tx *primary.Tx) error {
		s := w.key.Settings
		if _, err := tx.Exec(ctx, other, w.key.Kind, w.key.Viewer, w.key.Their, w.key.Source, w.hash); err != nil {
			return err
		}
		var id int64
		err := tx.QueryRow(ctx, insert, w.key.Kind, w.key.Viewer, w.key.Their, w.key.Source, w.hash, w.lifted,
			sizeOf(s, w.key.Source), int(s.Depth), s.Embed).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var ids []timeline.TimelineID
		var base []bool
		var since, began []int64
		for _, f := range w.feeds {
			ids, base, since, began = append(ids, f.id), append(base, f.base), append(since, f.since), append(began, f.began)
		}
		pulled := []timeline.TimelineID{}
		if err := primary.Read(ctx, tx, &pulled, big, ids, pulledFrom(s, w.key.Source)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, feeds, id, ids, base, since, began, pulled)
		return err
	})
	if err != nil {
		return fmt.Errorf("make the inbox of viewer %d, %s %d: %w", w.key.Viewer, w.key.Kind, w.key.Their, err)
	}
	in.note()
	in.opts.Reached(PointMade)
	return nil
}

// settlePause is the time between two checks whether transactions have ended.
const settlePause = 2 * time.Millisecond

// settle waits until every transaction has ended that had written something when settle was called.
// All writes that come to their end later see the feeds that were committed before settle.
func settle(ctx context.Context, db *primary.DB) error {
	const running = `
		select backend_xid::text from pg_stat_activity
		where datname = current_database() and backend_xid is not null`
	var first []string
	if err := primary.Read(ctx, db.Pool, &first, running); err != nil {
		return err
	}
	for len(first) > 0 {
		select {
		case <-time.After(settlePause):
		case <-ctx.Done():
			return ctx.Err()
		}
		var now []string
		if err := primary.Read(ctx, db.Pool, &now, running); err != nil {
			return err
		}
		first = slices.DeleteFunc(first, func(xid string) bool { return !slices.Contains(now, xid) })
	}
	return nil
}

// fillOne fills one inbox that is not ready, and reports whether it found one. Several processes
// may fill at the same time, each another inbox.
func (in *Source) fillOne(ctx context.Context, db *primary.DB) (did bool, err error) {
	defer primary.Wrap(&err, "fill an inbox")
	const candidates = `select id from inboxes where not ready order by id limit 100`
	const next = `
		select id from inboxes where id = any($1) and not ready order by id for update skip locked limit 1`
	const describe = `select kind, viewer_id, their_id, lifted from inboxes where id = $1`
	const feeds = `select timeline_id, base, since, began, pulled from inbox_feeds where inbox_id = $1`
	const ready = `update inboxes set ready = true, log_uuid = $2 where id = $1`
	const uuid = `select uuid::text from log_head`
	var made []int64
	if err := primary.Read(ctx, db.Pool, &made, candidates); err != nil || len(made) == 0 {
		return false, err
	}
	if err := settle(ctx, db); err != nil {
		return false, err
	}
	// Take the connection of the snapshot before the lock. After it, writes that wait for the lock
	// may hold all other connections of the pool.
	conn, err := db.Pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	err = db.Write(ctx, func(tx *primary.Tx) error {
		var id int64
		err := tx.QueryRow(ctx, next, made).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		did = true
		found, err := lock(ctx, tx, []int64{id})
		if err != nil {
			return err
		}
		st := found[id]
		w := wish{}
		if err := tx.QueryRow(ctx, describe, id).Scan(&w.key.Kind, &w.key.Viewer, &w.key.Their, &w.lifted); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, feeds, id)
		if err != nil {
			return err
		}
		var f feed
		var pulled bool
		pushed := make(map[timeline.TimelineID]bool)
		if _, err := pgx.ForEachRow(rows, []any{&f.id, &f.base, &f.since, &f.began, &pulled}, func() error {
			w.feeds = append(w.feeds, f)
			if !pulled {
				pushed[f.id] = true
			}
			return nil
		}); err != nil {
			return err
		}
		// A write that moves a post of this inbox needs the lock that this transaction holds. So
		// such a write was either committed before the snapshot begins, or waits for this
		// transaction.
		var epoch string
		var chosen timeline.Chosen
		snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		err = pgx.BeginTxFunc(ctx, conn, snapshot, func(q pgx.Tx) error {
			if err := q.QueryRow(ctx, uuid).Scan(&epoch); err != nil {
				return err
			}
			chosen, err = readPushed(ctx, q, w.choice(), pushed, in.wanted(st))
			return err
		})
		if err != nil {
			return err
		}
		in.opts.Reached(PointRead)
		if err := in.write(ctx, tx, st, chosen); err != nil {
			return err
		}
		in.opts.Reached(PointFilled)
		_, err = tx.Exec(ctx, ready, id, epoch)
		return err
	})
	if err == nil && did {
		in.counts.fills.Add(1)
		in.note()
	}
	return did, err
}

// wanted returns how many posts a fill looks for.
func (in *Source) wanted(st *state) int {
	if st.source == timeline.SourceCapped {
		return int(st.size)
	}
	return st.depth
}

// readPushed returns the first posts of a choice that are in at least one of the pushed timelines:
// about want of them, and the place down to which they are complete.
func readPushed(ctx context.Context, q primary.Querier, c timeline.Choice, pushed map[timeline.TimelineID]bool, want int) (all timeline.Chosen, err error) {
	part := c
	part.Timelines = pushed
	for below := timeline.Top; ; {
		some, err := timeline.ChooseRead(ctx, q, c, below, min(want, 500))
		if err != nil {
			return all, err
		}
		all.Low = some.Low
		posts := some.Posts
		if len(pushed) < len(c.Timelines) && len(posts) > 0 {
			ids := make([]timeline.PostID, len(posts))
			for i, at := range posts {
				ids[i] = at.Post
			}
			places, err := timeline.PlacesOf(ctx, q, part, ids)
			if err != nil {
				return all, err
			}
			in := make(map[timeline.PostID]bool, len(places))
			for _, at := range places {
				in[at.Post] = true
			}
			posts = slices.DeleteFunc(posts, func(at timeline.Cursor) bool { return !in[at.Post] })
		}
		all.Posts = append(all.Posts, posts...)
		if len(all.Posts) >= want || some.Low == (timeline.Cursor{}) {
			return all, nil
		}
		below = some.Low
	}
}

// write replaces the entries of an inbox by a choice.
func (in *Source) write(ctx context.Context, q primary.Querier, st *state, chosen timeline.Chosen) error {
	const rows = `delete from inbox_rows where inbox_id = $1`
	const segments = `delete from inbox_segments where inbox_id = $1`
	const documents = `delete from inbox_documents where inbox_id = $1`
	var b pgx.Batch
	b.Queue(rows, st.id)
	b.Queue(segments, st.id)
	b.Queue(documents, st.id)
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	st.low, st.entries, st.opened, st.counter = chosen.Low, 0, 0, 0
	if st.low != (timeline.Cursor{}) {
		st.low.Post-- // the choice has the post at its low place, too
	}
	posts := make([]timeline.PostID, 0, len(chosen.Posts))
	for _, at := range chosen.Posts {
		posts = append(posts, at.Post)
	}
	var data map[timeline.PostID][]byte
	var err error
	if st.embeds != "none" {
		if data, err = timeline.EmbedsOf(ctx, q, posts, st.embeds); err != nil {
			return err
		}
	}
	var puts []put
	var numbers []int64
	slices.Reverse(posts)
	for i, post := range posts { // the oldest first, as if they had come one by one
		at := chosen.Posts[len(posts)-1-i]
		puts = append(puts, put{in: st, at: at.FreshAt, data: data[post]})
		st.entries++
		if keepsDocuments(st.source) {
			numbers = append(numbers, documentFor(st, at.FreshAt))
		}
	}
	b = pgx.Batch{}
	switch {
	case len(posts) == 0:
	case keepsDocuments(st.source):
		queueDocumentPuts(&b, posts, puts, numbers)
	case st.source == timeline.SourceSegments:
		if err := fillRings(ctx, q, st, posts, puts); err != nil {
			return err
		}
	default:
		queueRowPuts(&b, posts, puts)
	}
	if b.Len() > 0 {
		if err := q.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
	}
	if err := drop(ctx, q, st); err != nil {
		return err
	}
	return save(ctx, q, []*state{st})
}

// fillRings writes entries into the rings of the posts' authors.
func fillRings(ctx context.Context, q primary.Querier, st *state, posts []timeline.PostID, puts []put) error {
	const insert = `
		insert into inbox_rows (inbox_id, post_id, at, data, segment)
		select $1, k.id, k.at, k.data, p.user_id
		from unnest($2::bigint[], $3::bigint[], $4::jsonb[]) k(id, at, data) join posts p on p.id = k.id`
	var ats []int64
	var data [][]byte
	for _, p := range puts {
		ats, data = append(ats, p.at), append(data, p.data)
	}
	if _, err := q.Exec(ctx, insert, st.id, posts, ats, data); err != nil {
		return err
	}
	return resize(ctx, q, st, st.size)
}

// note remembers that inboxes were made or filled. Then [Source.due] asks for another look.
func (in *Source) note() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.changed = true
}
