package importer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// sequenceBits is the number of low bits of an id that do not count seconds; see next_id
// in the schema.
const sequenceBits = 22

// drawIDs calls assign with an id for each new post, comment or file. Ids rise with time, and within
// one second in the order of the lines.
//
// The lowest bits of an id come from a sequence of 18 bits that wraps around. So of two ids of one
// second, the id that was drawn later may be the lower one. Therefore drawIDs sorts the ids that it
// has drawn for each second. Example: lines 1, 2 and 3 are of the same second and draw 262142, 262143
// and 0. Line 1 gets 0, line 2 gets 262142 and line 3 gets 262143.
func (t *batchTx) drawIDs(ctx context.Context, lines []*line, assign func(*line, int64)) error {
	const query = `select next_id(k.at) from unnest($1::timestamptz[]) with ordinality k(at, n) order by k.n`
	lines, err := t.keepIDs(ctx, lines, assign)
	if err != nil || len(lines) == 0 {
		return err
	}
	times := make([]time.Time, len(lines))
	for i, l := range lines {
		times[i] = l.at
	}
	rows, err := t.tx.Query(ctx, query, times)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	seconds := make(map[int64][]int64, len(ids))
	for _, id := range ids {
		seconds[id>>sequenceBits] = append(seconds[id>>sequenceBits], id)
	}
	for _, drawn := range seconds {
		slices.Sort(drawn)
	}
	for i, l := range lines {
		second := ids[i] >> sequenceBits
		id := seconds[second][0]
		seconds[second] = seconds[second][1:]
		assign(l, id)
	}
	return nil
}

// keepIDs assigns the ids in the lines of an export to the posts, comments and files of these lines,
// so that their addresses stay the same, and returns the other lines. A line keeps its id if no post,
// comment or file here has the id, and if the time in the id is about the time of the line, because
// pages are sorted by ids.
func (t *batchTx) keepIDs(ctx context.Context, lines []*line, assign func(*line, int64)) (others []*line, err error) {
	const taken = `
		select id from posts where id = any($1)
		union all
		select id from all_comments where id = any($1)
		union all
		select id from attachments where id = any($1)`
	wanted := make(map[int64]*line)
	for _, l := range lines {
		if id, ok := l.ownID(); ok && wanted[id] == nil && !t.assigned[id] {
			wanted[id] = l
		} else {
			others = append(others, l)
		}
	}
	if len(wanted) == 0 {
		return others, nil
	}
	rows, err := t.tx.Query(ctx, taken, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		others = append(others, wanted[id])
		delete(wanted, id)
	}
	for id, l := range wanted {
		t.assigned[id] = true
		assign(l, id)
	}
	slices.SortFunc(others, func(a, b *line) int { return cmp.Compare(a.number, b.number) })
	return others, nil
}

// ownID returns the id that a line of an export has, and reports whether this site could have made
// the id at about the time of the line.
func (l *line) ownID() (int64, bool) {
	const year2000 = 946684800
	const around = 3600 // seconds
	id, err := strconv.ParseInt(l.id, 10, 64)
	if err != nil || !l.exported || id <= 0 || id >= 1<<53 || strconv.FormatInt(id, 10) != l.id {
		return 0, false
	}
	apart := id>>sequenceBits - max(l.at.Unix()-year2000, 0)
	return id, apart >= -around && apart <= around
}
