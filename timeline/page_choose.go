package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// How a page is chosen; see [Snapshot.Choose].
const (
	lateralMost = 60   // timelines asked for their newest in one statement
	walkMost    = 2000 // entries of the global walk before it is given up
	walkChunk   = 500
)

// Chosen are posts in their order, each once. All that there is at or above Low,
// and below where was asked from, is among them; a zero Low says that there is no
// more.
type Chosen struct {
	Posts []Cursor
	Low   Cursor
}

// Choose finds the first posts of a choice below a cursor: about want of them, at
// least one if there is any. Where each stands is what [Choice.Place] says. Who
// may read them is not its business.
//
// It costs no more because there are more timelines. Up to 60 are asked for
// their newest in one statement. More: the global index is walked from the
// cursor, testing membership here, for at most 2,000 entries; where that is not
// enough (a reader of quiet feeds), the timelines are asked in the order of
// their latest_at, an upper bound, until no other can hold anything newer than
// what was found: Fagin's threshold algorithm. That goes for the orders by time;
// ranks are of a few timelines, and for OrderLifted see lifted.
func (sn *Snapshot) Choose(ctx context.Context, c Choice, below Cursor, want int) (_ Chosen, err error) {
	defer primary.Wrap(&err, "choose %d posts of %d timelines", want, len(c.Timelines))
	switch {
	case want <= 0:
		return Chosen{Low: below}, nil
	case c.Query != nil:
		return sn.chooseQuery(ctx, c, below, want)
	case len(c.Timelines) == 0:
		return Chosen{}, nil
	}
	switch c.Order {
	case OrderCreated:
		return first(ctx, sn.tx, createdStream(c.From, c.Until), c.Timelines, below, want)
	case OrderRanked:
		return ranked(ctx, sn.tx, c, below, want)
	case OrderLifted:
		return lifted(ctx, sn.tx, c, below, want)
	}
	return first(ctx, sn.tx, freshStream(), c.Timelines, below, want)
}

// first finds the first places of a stream.
func first(ctx context.Context, q primary.Querier, s stream, timelines map[TimelineID]bool, below Cursor, want int) (Chosen, error) {
	if len(timelines) == 0 {
		return Chosen{}, nil
	}
	ids := slices.Collect(maps.Keys(timelines))
	if len(ids) > lateralMost {
		found, done, err := s.walk(ctx, q, timelines, below, want)
		switch {
		case err != nil || done:
			return cut(found, want), err
		case s.tops != nil:
			return s.ofTops(ctx, q, ids, below, want)
		}
		found, err = s.threshold(ctx, q, ids, below, want)
		return cut(found, want), err
	}
	found, err := s.newest(ctx, q, ids, below, want)
	return cut(merge(nil, found, want), want), err
}

// cut makes a choice of the places found, of which no more than want were looked
// for, and no less were there.
func cut(found []Cursor, want int) Chosen {
	if len(found) < want {
		return Chosen{Posts: found}
	}
	return Chosen{Posts: found, Low: found[want-1]}
}

// walk reads the global index newest first. Done says that it found as many as
// wanted, or came to the end.
func (s *stream) walk(ctx context.Context, q primary.Querier, timelines map[TimelineID]bool, below Cursor, want int) (found []Cursor, done bool, err error) {
	at, last := below, TimelineID(0) // below the cursor: no entry of the post itself
	for walked := 0; walked < walkMost; walked += walkChunk {
		rows, err := s.all(ctx, q, at, last, walkChunk)
		if err != nil {
			return nil, false, fmt.Errorf("walk below %v: %w", below, err)
		}
		n := 0
		_, err = pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post, &last}, func() error {
			n++
			if timelines[last] && (len(found) == 0 || found[len(found)-1] != at) {
				found = append(found, at)
			}
			return nil
		})
		if err != nil {
			return nil, false, fmt.Errorf("walk below %v: %w", below, err)
		}
		if len(found) >= want {
			return found[:want], true, nil
		}
		if n < walkChunk {
			return found, true, nil
		}
	}
	return found, false, nil
}

// threshold asks the timelines a few at a time, those with the newest first.
func (s *stream) threshold(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, want int) ([]Cursor, error) {
	// Timelines of the whole site have no latest_at, and are always asked.
	const query = `
		select id, case when what in ('hashtag', 'everything', 'best_of', 'most_faved') then 9223372036854775807 else latest_at end latest
		from timelines where id = any($1) order by latest desc, id`
	type bound struct {
		ID     TimelineID
		Latest int64
	}
	rows, err := q.Query(ctx, query, primary.Planned, ids)
	if err != nil {
		return nil, fmt.Errorf("latest of %d timelines: %w", len(ids), err)
	}
	bounds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[bound])
	if err != nil {
		return nil, fmt.Errorf("latest of %d timelines: %w", len(ids), err)
	}
	var found []Cursor
	for len(bounds) > 0 {
		if len(found) >= want && bounds[0].Latest < found[want-1].FreshAt {
			break
		}
		n := min(lateralMost, len(bounds))
		some := make([]TimelineID, 0, n)
		for _, b := range bounds[:n] {
			some = append(some, b.ID)
		}
		bounds = bounds[n:]
		more, err := s.newest(ctx, q, some, below, want)
		if err != nil {
			return nil, err
		}
		found = merge(found, more, want)
	}
	return found, nil
}

// ofTops asks the timelines with the newest for more, and is for streams of which
// no other bound is known.
func (s *stream) ofTops(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, want int) (Chosen, error) {
	rows, err := s.tops(ctx, q, ids, below, want)
	if err != nil {
		return Chosen{}, fmt.Errorf("tops of %d timelines: %w", len(ids), err)
	}
	var at Cursor
	var top TimelineID
	ids = nil
	_, err = pgx.ForEachRow(rows, []any{&at.FreshAt, &at.Post, &top}, func() error {
		ids = append(ids, top)
		return nil
	})
	if err != nil {
		return Chosen{}, fmt.Errorf("tops of timelines: %w", err)
	}
	found, err := s.newest(ctx, q, ids, below, want)
	if err != nil {
		return Chosen{}, err
	}
	chosen := cut(merge(nil, found, want), want)
	if len(ids) == want { // what the others have is not above the last top
		chosen = chosen.above(at)
	}
	return chosen, nil
}

// above leaves out what is below a place.
func (c Chosen) above(low Cursor) Chosen {
	if c.Low.Below(low) {
		c.Low = low
		c.Posts = slices.DeleteFunc(c.Posts, func(at Cursor) bool { return at.Below(low) })
	}
	return c
}

// newest reads the newest of each of a few timelines, with repeats where several
// hold the same post.
func (s *stream) newest(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, want int) ([]Cursor, error) {
	rows, err := s.of(ctx, q, ids, below, want)
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	return found, nil
}

// merge puts two lists into the order of rivers, each post once, at most want.
func merge(a, b []Cursor, want int) []Cursor {
	all := append(a, b...)
	slices.SortFunc(all, Cursor.Compare)
	all = slices.Compact(all)
	return all[:min(want, len(all))]
}
