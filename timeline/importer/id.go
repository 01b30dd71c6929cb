package importer

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// sequenceBits is the number of low bits of an id that do not count seconds; see next_id
// in the schema.
const sequenceBits = 22

// drawIDs assigns ids to new posts and comments. Ids rise with time, and within one second with
// the order of the file.
//
// The lowest bits of an id come from a sequence of 18 bits that wraps around, so an id may be
// lower than an id drawn earlier in the same second. Example: lines 1, 2 and 3 are of the same
// second and draw 262142, 262143 and 0. The ids of the second are sorted: line 1 gets 0, line 2
// gets 262142 and line 3 gets 262143.
func (t *batchTx) drawIDs(ctx context.Context, lines []*line) error {
	const query = `select next_id(k.at) from unnest($1::timestamptz[]) with ordinality k(at, n) order by k.n`
	if len(lines) == 0 {
		return nil
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
		if l.kind == kindPost {
			p := t.posts[l.id]
			p.id = timeline.PostID(id)
			t.byPost[p.id] = p
		} else {
			t.comments[l.id].id = timeline.CommentID(id)
		}
	}
	return nil
}
