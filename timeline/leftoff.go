package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// VisitGap ends a visit: who does nothing on a page for longer, and then comes
// again, begins another.
const VisitGap = 30 * time.Minute

// maxLeftOff is on how many pages it is kept where somebody left off: on those
// that he was on last.
const maxLeftOff = 500

// LeftOff is how far somebody has seen a page, on whichever device: up to which
// place, and when he was there last; and the same as the visit before that one
// left it. A zero Was says that there was none.
type LeftOff struct {
	Seen Cursor
	At   time.Time

	Was   Cursor
	WasAt time.Time
}

// See is what becomes of it when he is shown the page down from a place. Within
// a visit nothing goes back, whatever order it is heard of in: another device
// may show what is older.
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

// Before is where the last visit ended that is not the one of now, and when;
// false: there was none.
func (l LeftOff) Before(now time.Time) (place Cursor, at time.Time, ok bool) {
	if !l.At.IsZero() && now.Sub(l.At) > VisitGap {
		return l.Seen, l.At, true
	}
	return l.Was, l.WasAt, l.Was != (Cursor{})
}

// LeftOff reads how far somebody has seen a page; zero: he never was there. A
// page is named by its river's descriptor, as it has the same posts at every
// address.
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

// Seen keeps that somebody was shown a page down from a place, by the rule of
// [LeftOff.See]. It is no change that anybody else is shown, and so is none of
// the log's.
func (s *Store) Seen(ctx context.Context, user UserID, page string, place Cursor, at time.Time) (err error) {
	defer primary.Wrap(&err, "user %d has seen %q", user, page)
	// A row that was not there has no xmax: only a new page can be one too many.
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
