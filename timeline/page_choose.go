package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// The limits of the methods by which a page is chosen; see [Snapshot.Choose].
const (
	lateralMost = 60   // most timelines whose newest entries one statement reads
	walkMost    = 2000 // most entries that the walk of all timelines reads before it gives up
	walkChunk   = 500
)

// A Chosen is a part of a choice: posts in their order, each once. It is complete from the place
// where the search began down to Low. A zero Low means that no more posts follow.
type Chosen struct {
	Posts []Cursor
	Low   Cursor
	// Embedded has the fields that inboxes keep of the posts they found; see [EmbedsOf].
	Embedded map[PostID][]byte
}

// Choose returns the first posts of a choice below a cursor: about want of them, and at
// least one if there is any. [Choice.Cursor] defines where each post stands. Choose does
// not look at access.
//
// The cost does not grow with the number of timelines:
//
//   - Up to 60 timelines: one statement reads the newest entries of each.
//   - More timelines: walk reads the entries of all timelines of the site from the
//     cursor down and keeps those of the choice, for at most 2,000 entries. This is
//     fast if the timelines are busy.
//   - If the walk does not find enough: threshold reads the timelines in the order of
//     their latest_at, until no other timeline can hold anything newer than what was
//     found. This is Fagin's threshold algorithm; see [stream.threshold].
//
// These are the methods for the orders by time. OrderRanked reads few timelines, and
// OrderLifted combines two orders; see chooseRanked and chooseLifted.
//
// If the site has set a source for the river, the source is asked first.
func (sn *Snapshot) Choose(ctx context.Context, c Choice, below Cursor, want int) (_ Chosen, err error) {
	defer primary.Wrap(&err, "choose %d posts of %d timelines", want, len(c.Timelines))
	if c.Query != nil && want > 0 {
		return sn.chooseQuery(ctx, c, below, want)
	}
	if chosen, ok, err := sn.fromSource(ctx, c, below, want); ok || err != nil {
		return chosen, err
	}
	return ChooseRead(ctx, sn.tx, c, below, want)
}

// chooseByTime returns the first posts of a stream, in the order of its time.
func chooseByTime(ctx context.Context, q primary.Querier, s stream, timelines map[TimelineID]bool, below Cursor, want int) (Chosen, error) {
	if len(timelines) == 0 {
		return Chosen{}, nil
	}
	ids := slices.Collect(maps.Keys(timelines))
	if len(ids) > lateralMost {
		found, done, err := s.walk(ctx, q, timelines, below, want)
		switch {
		case err != nil || done:
			return newChosen(found, want), err
		case s.tops != nil:
			return s.ofTops(ctx, q, ids, below, want)
		}
		found, err = s.threshold(ctx, q, ids, below, want)
		return newChosen(found, want), err
	}
	found, err := s.newest(ctx, q, ids, below, Cursor{}, want)
	return newChosen(merge(nil, found, want), want), err
}

// newChosen returns the first want of the places found as a choice. The caller looked for
// want places in each timeline, so if there are fewer altogether, no more follow.
func newChosen(found []Cursor, want int) Chosen {
	if len(found) < want {
		return Chosen{Posts: found}
	}
	return Chosen{Posts: found, Low: found[want-1]}
}

// walk reads the entries of all timelines, newest first, and keeps the entries of the given
// timelines. It reports done if it found as many as wanted, or reached the end.
func (s *stream) walk(ctx context.Context, q primary.Querier, timelines map[TimelineID]bool, below Cursor, want int) (found []Cursor, done bool, err error) {
	at, last := below, TimelineID(0) // 0: begin below the cursor, with no entry of its post
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

// threshold finds the newest entries of many timelines without reading all of the
// timelines. It reads them in groups of 60, in the order of latest_at, an upper bound of
// the freshness of a timeline's entries. It stops when the bound of the next timeline is
// below the lowest place that is wanted.
//
// Example with groups of one timeline and want = 2: timelines A, B and C have the bounds
// 90, 70 and 40. A has entries at 88 and 50. The bound of B, 70, is above 50, so B must
// be read, but no entry of B below 50: it has 69. Found are 88 and 69. The bound of C, 40, is below
// 69, so no entry of C can be among the first two, and C is not read.
func (s *stream) threshold(ctx context.Context, q primary.Querier, ids []TimelineID, below Cursor, want int) ([]Cursor, error) {
	// The shared timelines of the site have no latest_at, and are always read.
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
	var low Cursor // no entry below it is wanted
	for len(bounds) > 0 && bounds[0].Latest >= low.FreshAt {
		n := min(lateralMost, len(bounds))
		some := make([]TimelineID, 0, n)
		for _, b := range bounds[:n] {
			some = append(some, b.ID)
		}
		bounds = bounds[n:]
		more, err := s.newest(ctx, q, some, below, low, want)
		if err != nil {
			return nil, err
		}
		if found = merge(found, more, want); len(found) == want {
			low = found[want-1]
		}
	}
	return found, nil
}

// ofTops finds the newest entries of many timelines for streams in which no bound such
// as latest_at is known. It first reads the newest entry of each timeline, by an index,
// and then reads more only of the want timelines with the highest newest entries: no
// other timeline can have one of the first want entries. Of these timelines it reads no entry below
// the lowest of the newest ones, since the other timelines may have entries there: far down a home
// that would be want entries of each of want timelines.
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
	if len(ids) < want { // the other timelines are empty
		at = Cursor{}
	}
	found, err := s.newest(ctx, q, ids, below, at, want)
	if err != nil {
		return Chosen{}, err
	}
	chosen := newChosen(merge(nil, found, want), want)
	if chosen.Low.Below(at) { // so few posts are at or above the last of the tops; there may be more below
		chosen.Low = at
	}
	return chosen, nil
}

// newest reads the newest entries of each of a few timelines, below a place and not below low. A
// post that several of them hold comes several times.
func (s *stream) newest(ctx context.Context, q primary.Querier, ids []TimelineID, below, low Cursor, want int) ([]Cursor, error) {
	rows, err := s.of(ctx, q, ids, below, low, want)
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
	if err != nil {
		return nil, fmt.Errorf("newest of %d timelines: %w", len(ids), err)
	}
	return found, nil
}

// merge returns the places of two lists in the order of rivers, each once, at most want
// of them.
func merge(a, b []Cursor, want int) []Cursor {
	all := append(a, b...)
	slices.SortFunc(all, Cursor.Compare)
	all = slices.Compact(all)
	return all[:min(want, len(all))]
}
