package inbox

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A state is the row of an inbox, locked by the transaction that changes the inbox.
type state struct {
	id      int64
	source  string
	ready   bool            // filled, and up to date
	size    int64           // see sizeOf
	depth   int             // how many entries the inbox must keep
	embeds  string          // which fields of posts the inbox keeps
	low     timeline.Cursor // the inbox has every post of its choice above this place
	entries int             // how many entries the inbox has
	opened  int             // of the source sized: how many entries went into the open document
	counter int64           // of the source sized: the number of the open document
}

// raise raises the low place to the place of an entry that the inbox has lost.
func (st *state) raise(at timeline.Cursor) {
	if st.low.Below(at) {
		st.low = at
	}
}

// held is the entry that an inbox has of a post.
type held struct {
	at     int64
	number int64 // of the entry's document
	data   []byte
}

// lock locks inboxes in the order of their ids, and returns the inboxes that exist.
func lock(ctx context.Context, q primary.Querier, ids []int64) (map[int64]*state, error) {
	const query = `
		select id, source, ready, size, depth, embeds, low_at, low_post, entries, opened, counter
		from inboxes where id = any($1) order by id for update`
	rows, err := q.Query(ctx, query, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]*state, len(ids))
	var st state
	_, err = pgx.ForEachRow(rows, []any{&st.id, &st.source, &st.ready, &st.size, &st.depth, &st.embeds, &st.low.FreshAt, &st.low.Post,
		&st.entries, &st.opened, &st.counter}, func() error {
		one := st
		found[st.id] = &one
		return nil
	})
	return found, err
}

// save writes the changed columns of the rows of inboxes.
func save(ctx context.Context, q primary.Querier, states []*state) error {
	const query = `
		update inboxes i set size = k.size, low_at = k.low_at, low_post = k.low_post, entries = k.entries, opened = k.opened, counter = k.counter
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::bigint[])
			k(id, size, low_at, low_post, entries, opened, counter)
		where i.id = k.id`
	var ids, sizes, lows, lowPosts, counters []int64
	var entries, opened []int
	for _, st := range states {
		ids, sizes, lows, lowPosts = append(ids, st.id), append(sizes, st.size), append(lows, st.low.FreshAt), append(lowPosts, int64(st.low.Post))
		entries, opened, counters = append(entries, st.entries), append(opened, st.opened), append(counters, st.counter)
	}
	_, err := q.Exec(ctx, query, ids, sizes, lows, lowPosts, entries, opened, counters)
	return err
}

// tell updates the entries of a post in inboxes: it moves each to the place where the post stands now
// by the timelines, or removes it. It updates only inboxes that are ready; the fills of the others
// will find the post.
func (in *Source) tell(ctx context.Context, q primary.Querier, post timeline.PostID, ids []int64) error {
	const places = `
		select c.inbox_id, case when not i.lifted or c.put < c.acted then c.fresh else greatest(c.fresh, c.acted) end
		from (
			select f.inbox_id, max(e.fresh_at) fresh, min(e.entered_at) filter (where not f.base and e.entered_at >= f.began) acted,
				min(greatest(e.entered_at, f.began)) filter (where f.base) put
			from timeline_entries e join inbox_feeds f on f.timeline_id = e.timeline_id and e.entered_at >= f.since
			where e.post_id = $1 and f.inbox_id = any($2)
			group by f.inbox_id having bool_or(not f.pulled)) c
		join inboxes i on i.id = c.inbox_id`
	const author = `select coalesce((select user_id from posts where id = $1), 0)`
	if len(ids) == 0 {
		return nil
	}
	found, err := lock(ctx, q, ids)
	if err != nil {
		return fmt.Errorf("lock %d inboxes: %w", len(ids), err)
	}
	maps.DeleteFunc(found, func(_ int64, st *state) bool { return !st.ready })
	if len(found) == 0 {
		return nil
	}
	ids = slices.Sorted(maps.Keys(found))
	var documents, rows []int64
	data := make(map[string][]byte) // the embedded fields, by the value of state.embeds
	for _, id := range ids {
		if keepsDocuments(found[id].source) {
			documents = append(documents, id)
		} else {
			rows = append(rows, id)
		}
		data[found[id].embeds] = nil
	}
	stands := make(map[int64]int64, len(ids))
	var segment int64
	var b pgx.Batch
	b.Queue(places, post, ids).Query(primary.CollectMap(stands))
	b.Queue(author, post).QueryRow(func(row pgx.Row) error { return row.Scan(&segment) })
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("places of post %d: %w", post, err)
	}
	had := make(map[int64]held)
	if len(documents) > 0 {
		if err := findInDocuments(ctx, q, documents, post, had); err != nil {
			return err
		}
	}
	if len(rows) > 0 {
		if err := findInRows(ctx, q, rows, post, had); err != nil {
			return err
		}
	}
	for embeds := range data {
		if embeds != "none" {
			fields, err := timeline.EmbedsOf(ctx, q, []timeline.PostID{post}, embeds)
			if err != nil {
				return err
			}
			data[embeds] = fields[post]
		}
	}
	change := pgx.Batch{}
	var gone, goneDocuments, goneNumbers []int64
	var intoRows, intoRings, intoDocuments []put
	var numbers []int64
	changed := make(map[int64]*state)
	for _, id := range ids {
		st := found[id]
		at, in := stands[id]
		in = in && st.low.Below(timeline.Cursor{FreshAt: at, Post: post})
		was, has := had[id]
		embed := data[st.embeds]
		if in && has && was.at == at && string(was.data) == string(embed) || !in && !has {
			continue
		}
		changed[id] = st
		if has {
			st.entries--
			if keepsDocuments(st.source) {
				goneDocuments, goneNumbers = append(goneDocuments, id), append(goneNumbers, was.number)
			} else {
				gone = append(gone, id)
			}
		}
		if !in {
			continue
		}
		st.entries++
		p := put{in: st, at: at, data: embed}
		switch {
		case keepsDocuments(st.source):
			intoDocuments, numbers = append(intoDocuments, p), append(numbers, documentFor(st, at))
		case st.source == timeline.SourceSegments:
			intoRings = append(intoRings, p)
		default:
			intoRows = append(intoRows, p)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if len(gone) > 0 {
		queueRowRemovals(&change, post, gone)
	}
	if len(goneDocuments) > 0 {
		queueDocumentRemovals(&change, post, goneDocuments, goneNumbers)
	}
	if len(intoRows) > 0 {
		queueRowPuts(&change, slices.Repeat([]timeline.PostID{post}, len(intoRows)), intoRows)
	}
	if len(intoDocuments) > 0 {
		queueDocumentPuts(&change, slices.Repeat([]timeline.PostID{post}, len(intoDocuments)), intoDocuments, numbers)
	}
	if change.Len() > 0 {
		if err := q.SendBatch(ctx, &change).Close(); err != nil {
			return fmt.Errorf("tell %d inboxes of post %d: %w", len(changed), post, err)
		}
	}
	if err := putInRings(ctx, q, post, segment, intoRings); err != nil {
		return fmt.Errorf("tell %d inboxes of post %d: %w", len(intoRings), post, err)
	}
	for _, st := range changed {
		if err := drop(ctx, q, st); err != nil {
			return fmt.Errorf("shorten inbox %d: %w", st.id, err)
		}
	}
	in.counts.updated.Add(int64(len(changed)))
	return save(ctx, q, slices.Collect(maps.Values(changed)))
}

// drop drops the lowest entries of an inbox that has too many.
func drop(ctx context.Context, q primary.Querier, st *state) error {
	switch {
	case keepsDocuments(st.source):
		return dropDocuments(ctx, q, st)
	case st.source == timeline.SourceSegments:
		return nil // the rings bound the number of entries
	}
	return dropRows(ctx, q, st)
}

// Written adds queries to the batch that find the inboxes that changes of posts concern. The function
// that it returns updates these inboxes, or, if they are many, leaves them to a worker. See the
// package comment.
func (in *Source) Written(changes []timeline.Change, b *pgx.Batch) func(context.Context, primary.Querier) error {
	const concerned = `
		select distinct f.inbox_id from inbox_feeds f
		where not f.pulled and f.timeline_id = any(array(select timeline_id from timeline_entries where post_id = $1) || $2::bigint[])
		limit $3`
	// If only the text, likes or comments of a post changed, only inboxes that keep fields of posts
	// need an update.
	const concernedByContent = `
		select distinct f.inbox_id from inbox_feeds f join inboxes i on i.id = f.inbox_id and i.embeds <> 'none'
		where not f.pulled and f.timeline_id = any(array(select timeline_id from timeline_entries where post_id = $1))
		limit $2`
	const stale = `
		insert into inbox_stale (viewer_id)
		select v.id from unnest($1::bigint[]) v(id) where exists (select from inboxes where viewer_id = v.id)
		order by 1 on conflict do nothing`
	const rename = `
		insert into inbox_fanouts (post_id, timelines)
		select p.id, '{}' from posts p where p.user_id = $1 and p.deleted_at is null
			and exists (select from inboxes where embeds like '%author%')`
	left := make(map[timeline.PostID][]timeline.TimelineID)
	moved := make(map[timeline.PostID]bool)
	var viewers []timeline.UserID
	for _, c := range changes {
		switch c.Kind {
		case timeline.ChangePost:
			left[c.Post] = append(left[c.Post], c.Timelines...)
			moved[c.Post] = moved[c.Post] || c.PlaceChanged || len(c.Timelines) > 0
		case timeline.ChangeViewer:
			viewers = append(viewers, c.User)
		case timeline.ChangeCard:
			if c.User != 0 {
				b.Queue(rename, c.User)
			}
		}
	}
	if len(viewers) > 0 {
		b.Queue(stale, viewers)
	}
	if len(left) == 0 {
		return nil
	}
	posts := slices.Sorted(maps.Keys(left))
	of := make(map[timeline.PostID]*[]int64, len(posts))
	for _, post := range posts {
		ids := new([]int64)
		of[post] = ids
		if moved[post] {
			b.Queue(concerned, post, left[post], in.opts.PushMost+1).Query(primary.Collect(ids))
		} else {
			b.Queue(concernedByContent, post, in.opts.PushMost+1).Query(primary.Collect(ids))
		}
	}
	return func(ctx context.Context, q primary.Querier) error {
		const later = `insert into inbox_fanouts (post_id, timelines) values ($1, $2)`
		var all []int64
		for _, post := range posts {
			if len(*of[post]) <= in.opts.PushMost {
				all = append(all, *of[post]...)
			}
		}
		if len(all) > 0 && len(posts) > 1 { // lock the inboxes of all posts in one order, before the first tell
			if _, err := lock(ctx, q, all); err != nil {
				return err
			}
		}
		for _, post := range posts {
			ids := *of[post]
			if len(ids) > in.opts.PushMost {
				if _, err := q.Exec(ctx, later, post, append([]timeline.TimelineID{}, left[post]...)); err != nil {
					return fmt.Errorf("leave the inboxes of post %d for later: %w", post, err)
				}
				in.ring()
				continue
			}
			if err := in.tell(ctx, q, post, ids); err != nil {
				return err
			}
		}
		return nil
	}
}
