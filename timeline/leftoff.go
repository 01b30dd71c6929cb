package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// VisitGap is the pause that ends a visit to a page: after a longer pause, the next look at the
// page begins another visit.
const VisitGap = 30 * time.Minute

// maxLeftOff is the number of pages for which a person's place is kept: the pages viewed last.
const maxLeftOff = 500

// LeftOff says how far up a person has seen a page, on all devices together. Seen is the highest
// place of the current or last visit, and At the time of the last look. Was and WasAt are the same
// of the visit before, and zero if there was none.
//
// For example, ann looks at her home at 9:00 and at 9:10, and again at 14:00. From then on Seen is
// the top entry of 14:00, and Was the top entry of 9:10.
type LeftOff struct {
	Seen Cursor
	At   time.Time

	Was   Cursor
	WasAt time.Time
}

// See returns l after the person has seen the page from place downwards at time at. Within a visit
// Seen only rises, because devices may report in any order: a slower device may report an older
// state of the page last.
func (l LeftOff) See(place Cursor, at time.Time) LeftOff {
	switch {
	case l.At.IsZero():
		l.Seen = place
	case at.Sub(l.At) > VisitGap:
		l.Was, l.WasAt, l.Seen = l.Seen, l.At, place
	case l.Seen.Below(place):
		l.Seen = place
	}
	if at.After(l.At) {
		l.At = at
	}
	return l
}

// LastVisit returns the place and the time of the end of the last visit, not counting a visit
// still under way at time now. It returns false if there was no earlier visit.
func (l LeftOff) LastVisit(now time.Time) (place Cursor, at time.Time, ok bool) {
	if !l.At.IsZero() && now.Sub(l.At) > VisitGap {
		return l.Seen, l.At, true
	}
	return l.Was, l.WasAt, l.Was != (Cursor{})
}

// LeftOff returns how far up a person has seen a page, or the zero LeftOff if they never saw the
// page. page is the descriptor of the page's river, which is the same for all addresses of the
// page.
func (s *Store) LeftOff(ctx context.Context, user UserID, page string) (l LeftOff, err error) {
	defer primary.Wrap(&err, "where user %d left off", user)
	const query = `
		select seen_at, seen_post, at, was_at, was_post, was
		from left_off where user_id = $1 and page = $2`
	var was *time.Time
	err = s.db.Pool.QueryRow(ctx, query, user, page).Scan(&l.Seen.FreshAt, &l.Seen.Post, &l.At, &l.Was.FreshAt, &l.Was.Post, &was)
	if errors.Is(err, pgx.ErrNoRows) {
		return LeftOff{}, nil
	}
	if err != nil {
		return LeftOff{}, err
	}
	if l.At = l.At.UTC(); was != nil {
		l.WasAt = was.UTC()
	}
	return l, nil
}

// RecordSeen records that a person saw a page from place downwards at time at. Its statement is the
// rule of [LeftOff.See] in SQL. RecordSeen notes no change, because no page shows the record to
// other people.
func (s *Store) RecordSeen(ctx context.Context, user UserID, page string, place Cursor, at time.Time) (err error) {
	defer primary.Wrap(&err, "user %d has seen %q", user, page)
	// xmax is 0 in an inserted row, and not in an updated one. Only an inserted row can exceed
	// the limit.
	const query = `
		with seen as (
			insert into left_off as l (user_id, page, seen_at, seen_post, at)
			select id, $2, $3, $4, $5 from users where id = $1 and status <> 'deleted'
			on conflict (user_id, page) do update set
				was_at = case when $5 > l.at + $6::interval then l.seen_at else l.was_at end,
				was_post = case when $5 > l.at + $6::interval then l.seen_post else l.was_post end,
				was = case when $5 > l.at + $6::interval then l.at else l.was end,
				seen_at = case when $5 > l.at + $6::interval or (excluded.seen_at, excluded.seen_post) > (l.seen_at, l.seen_post)
					then excluded.seen_at else l.seen_at end,
				seen_post = case when $5 > l.at + $6::interval or (excluded.seen_at, excluded.seen_post) > (l.seen_at, l.seen_post)
					then excluded.seen_post else l.seen_post end,
				at = greatest(l.at, excluded.at)
			returning xmax = 0 as new
		)
		delete from left_off where user_id = $1 and page in (
			select page from left_off where user_id = $1 and page <> $2 order by at desc, page offset $7)
		and exists (select from seen where new)`
	_, err = s.db.Pool.Exec(ctx, query, user, page, place.FreshAt, place.Post, at.UTC().Truncate(time.Millisecond), VisitGap, maxLeftOff-1)
	return err
}
