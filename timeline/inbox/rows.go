package inbox

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// findInRows adds to old the entries that inboxes of rows have of a post, by inbox.
func findInRows(ctx context.Context, q primary.Querier, ids []int64, post timeline.PostID, old map[int64]held) error {
	const query = `select inbox_id, at, data from inbox_rows where inbox_id = any($1) and post_id = $2`
	rows, err := q.Query(ctx, query, ids, post)
	if err != nil {
		return err
	}
	var id int64
	var was held
	_, err = pgx.ForEachRow(rows, []any{&id, &was.at, &was.data}, func() error {
		old[id] = was
		was.data = nil
		return nil
	})
	return err
}

// queueRowRemovals queues the removal of a post from inboxes of rows.
func queueRowRemovals(b *pgx.Batch, post timeline.PostID, ids []int64) {
	const query = `delete from inbox_rows where inbox_id = any($1) and post_id = $2`
	b.Queue(query, ids, post)
}

// queueRowPuts queues entries for inboxes of rows.
func queueRowPuts(b *pgx.Batch, posts []timeline.PostID, puts []put) {
	const query = `
		insert into inbox_rows (inbox_id, post_id, at, data)
		select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::jsonb[])`
	var ids, ats []int64
	var data [][]byte
	for _, p := range puts {
		ids, ats, data = append(ids, p.in.id), append(ats, p.at), append(data, p.data)
	}
	b.Queue(query, ids, posts, ats, data)
}

// dropRows drops the lowest entries of an inbox that has too many. With the source capped, these are
// more than its size; with other sources, more than twice as many as it must keep.
func dropRows(ctx context.Context, q primary.Querier, st *state) error {
	const drop = `
		delete from inbox_rows r using (
			select post_id from inbox_rows where inbox_id = $1 order by at, post_id limit $2) o
		where r.inbox_id = $1 and r.post_id = o.post_id
		returning r.at, r.post_id`
	most, to := 2*st.depth, st.depth
	if st.source == timeline.SourceCapped {
		most, to = int(st.size), int(st.size)
	}
	if st.entries <= most {
		return nil
	}
	rows, err := q.Query(ctx, drop, st.id, st.entries-to)
	if err != nil {
		return err
	}
	var at timeline.Cursor
	_, err = pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post}, func() error {
		st.raise(at)
		st.entries--
		return nil
	})
	return err
}

// putInRings adds a post to inboxes of the source segments. A segment is an author, and has a ring of
// slots. The entries of a segment are counted: the entry with number N takes the slot N modulo the
// number of slots, and displaces the entry there. An entry that moves takes a new slot.
//
// Example with three slots: a, b, c and d are put at 1, 2, 3 and 4. The entry of d has number 3, and
// takes slot 0, where a was. From then on the low place of the inbox is 1, the place of a.
func putInRings(ctx context.Context, q primary.Querier, post timeline.PostID, segment int64, puts []put) error {
	const count = `
		insert into inbox_segments as s (inbox_id, segment, counter)
		select id, $2, 1 from unnest($1::bigint[]) k(id)
		on conflict (inbox_id, segment) do update set counter = s.counter + 1
		returning inbox_id, counter - 1`
	const displace = `
		delete from inbox_rows r using unnest($1::bigint[], $3::bigint[]) k(id, slot)
		where r.inbox_id = k.id and r.segment = $2 and r.slot = k.slot
		returning r.inbox_id, r.at, r.post_id`
	const insert = `
		insert into inbox_rows (inbox_id, post_id, at, data, segment, slot)
		select k.id, $2, k.at, k.data, $3, k.slot
		from unnest($1::bigint[], $4::bigint[], $5::jsonb[], $6::bigint[]) k(id, at, data, slot)`
	if len(puts) == 0 {
		return nil
	}
	of := make(map[int64]*state, len(puts))
	ids := make([]int64, 0, len(puts))
	for _, p := range puts {
		of[p.in.id] = p.in
		ids = append(ids, p.in.id)
	}
	slot := make(map[int64]int64, len(puts))
	rows, err := q.Query(ctx, count, ids, segment)
	if err != nil {
		return err
	}
	var id, n int64
	if _, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
		slot[id] = n % of[id].size
		return nil
	}); err != nil {
		return err
	}
	var slots, ats []int64
	var data [][]byte
	for _, p := range puts {
		slots, ats, data = append(slots, slot[p.in.id]), append(ats, p.at), append(data, p.data)
	}
	if rows, err = q.Query(ctx, displace, ids, segment, slots); err != nil {
		return err
	}
	var at timeline.Cursor
	if _, err := pgx.ForEachRow(rows, []any{&id, &at.FreshAt, &at.Post}, func() error {
		of[id].raise(at)
		of[id].entries--
		return nil
	}); err != nil {
		return err
	}
	_, err = q.Exec(ctx, insert, ids, post, segment, ats, data, slots)
	return err
}

// resize gives each segment of an inbox another number of slots. As many of the newest entries of
// each segment stay as there are slots, and get the first slots, the oldest entry first.
func resize(ctx context.Context, q primary.Querier, st *state, size int64) error {
	const drop = `
		delete from inbox_rows r using (
			select post_id, row_number() over (partition by segment order by at desc, post_id desc) n
			from inbox_rows where inbox_id = $1) o
		where r.inbox_id = $1 and r.post_id = o.post_id and o.n > $2
		returning r.at, r.post_id`
	const clear = `update inbox_rows set slot = null where inbox_id = $1`
	const number = `
		update inbox_rows r set slot = o.n - 1
		from (select post_id, row_number() over (partition by segment order by at, post_id) n from inbox_rows where inbox_id = $1) o
		where r.inbox_id = $1 and r.post_id = o.post_id`
	const forget = `delete from inbox_segments where inbox_id = $1`
	const count = `
		insert into inbox_segments (inbox_id, segment, counter)
		select inbox_id, segment, count(*) from inbox_rows where inbox_id = $1 group by 1, 2`
	rows, err := q.Query(ctx, drop, st.id, size)
	if err != nil {
		return err
	}
	var at timeline.Cursor
	if _, err := pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post}, func() error {
		st.raise(at)
		st.entries--
		return nil
	}); err != nil {
		return err
	}
	var b pgx.Batch
	b.Queue(clear, st.id)
	b.Queue(number, st.id)
	b.Queue(forget, st.id)
	b.Queue(count, st.id)
	st.size = size
	return q.SendBatch(ctx, &b).Close()
}
