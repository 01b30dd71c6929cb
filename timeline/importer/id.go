package importer

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// sequenceBits are the bits of an id below its seconds; see next_id.
const sequenceBits = 22

// drawIDs gives new posts and comments their ids: by their times, and those of
// one second in the order of the file, which the sequence alone would break
// where its part of an id begins anew.
func (t *taking) drawIDs(ctx context.Context, lines []*line) error {
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
