package timeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"amstel.dev/amstel/timeline/internal/primary"
)

const (
	// VisitQuarter is the precision to which the times of visits are kept.
	VisitQuarter = 15 * time.Minute
	// VisitWeeks is the number of weeks, besides the current one, for which visits are kept.
	VisitWeeks = 4
	// quartersOfWeek is the number of quarters of an hour of a week.
	quartersOfWeek = int(7 * 24 * time.Hour / VisitQuarter)
	// mostRegulars is the largest number of people whom one call of Regulars returns.
	mostRegulars = 1000
)

// firstMonday is the beginning of the week 0 of visits, in seconds.
const firstMonday = 4 * 24 * 60 * 60

// QuarterOf returns the number of the quarter of an hour in which a time lies. Quarters are counted
// from the beginning of week 0, so the first quarter of each week is a multiple of 672.
func QuarterOf(at time.Time) int64 {
	return (at.Unix() - firstMonday) / int64(VisitQuarter.Seconds())
}

// A VisitWeek has the quarters of an hour of one week in which a person came to the site.
type VisitWeek struct {
	User UserID
	Week int64
	came [84]byte // a bit for each quarter, the highest bit of the first byte first
}

// Add adds a quarter of that week.
func (v *VisitWeek) Add(quarter int64) {
	i := quarter - v.Week*int64(quartersOfWeek)
	v.came[i/8] |= 0x80 >> (i % 8)
}

// Has reports whether the person came in a quarter. It returns false for a quarter of
// another week.
func (v *VisitWeek) Has(quarter int64) bool {
	i := quarter - v.Week*int64(quartersOfWeek)
	return i >= 0 && i < int64(quartersOfWeek) && v.came[i/8]&(0x80>>(i%8)) != 0
}

// WeekOf returns the week that has a quarter, with no visits in it yet.
func WeekOf(user UserID, quarter int64) VisitWeek {
	return VisitWeek{User: user, Week: quarter / int64(quartersOfWeek)}
}

// RecordVisits adds visits to the times that are kept of people, and records the name of the node
// that served the people. weeks may have one VisitWeek for each person and week. RecordVisits leaves
// out people who want no times kept, and deleted or suspended accounts. No page shows these times,
// so RecordVisits notes no change.
func (s *Store) RecordVisits(ctx context.Context, node string, weeks []VisitWeek) (err error) {
	defer primary.Wrap(&err, "visits of %d people", len(weeks))
	const query = `
		insert into visit_times as v (user_id, week, node, quarters)
		select u.id, k.week, $4, k.quarters
		from unnest($1::bigint[], $2::int[], $3::bit(672)[]) k(user_id, week, quarters) join users u on u.id = k.user_id
		where u.visit_times and u.status <> 'deleted' and u.suspended_at is null
		order by u.id, k.week
		on conflict (user_id, week) do update set quarters = v.quarters | excluded.quarters, node = excluded.node
		where v.node <> excluded.node or v.quarters <> v.quarters | excluded.quarters`
	weeks = slices.SortedFunc(slices.Values(weeks), func(a, b VisitWeek) int {
		return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Week, b.Week))
	})
	users, numbers, quarters := make([]UserID, len(weeks)), make([]int64, len(weeks)), make([]pgtype.Bits, len(weeks))
	for i := range weeks {
		users[i], numbers[i] = weeks[i].User, weeks[i].Week
		quarters[i] = pgtype.Bits{Bytes: weeks[i].came[:], Len: int32(quartersOfWeek), Valid: true}
	}
	_, err = s.db.Pool.Exec(ctx, query, users, numbers, quarters, node)
	return err
}

// Regulars returns the visits of people who may come in a quarter, by person and week: of people who
// came in the same quarter of any day in the last weeks, and whom this node served last. It leaves
// out people who want no times kept, and accounts that can't sign in. It returns at most a thousand
// people.
func (s *Store) Regulars(ctx context.Context, node string, quarter int64) (_ []VisitWeek, err error) {
	defer primary.Wrap(&err, "regulars of quarter %d", quarter)
	const query = `
		with last as (
			select distinct on (user_id) user_id, node from visit_times where week >= $1 order by user_id, week desc
		), due as (
			select l.user_id from last l join users u on u.id = l.user_id
			where l.node = $2 and u.visit_times and u.status <> 'deleted' and u.suspended_at is null
				and exists (select from visit_times v where v.user_id = l.user_id and v.week >= $1
					and (v.quarters & $3::bit(672)) <> repeat('0', 672)::bit(672))
			order by l.user_id limit $4
		)
		select v.user_id, v.week, v.quarters from due join visit_times v using (user_id) where v.week >= $1
		order by v.user_id, v.week`
	same := WeekOf(0, quarter)
	const day = int64(24 * time.Hour / VisitQuarter)
	for d := range int64(7) {
		same.Add(same.Week*int64(quartersOfWeek) + d*day + quarter%day)
	}
	mask := pgtype.Bits{Bytes: same.came[:], Len: int32(quartersOfWeek), Valid: true}
	rows, err := s.db.Pool.Query(ctx, query, same.Week-VisitWeeks, node, mask, mostRegulars)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (v VisitWeek, err error) {
		var quarters pgtype.Bits
		err = row.Scan(&v.User, &v.Week, &quarters)
		copy(v.came[:], quarters.Bytes)
		return v, err
	})
}

// KeepsVisits reports whether the times of a person's visits are kept; see [ProfileEdit]. Callers
// show the setting to the person alone.
func (s *Store) KeepsVisits(ctx context.Context, user UserID) (keeps bool, err error) {
	defer primary.Wrap(&err, "whether visits of user %d are kept", user)
	const query = `select visit_times from users where id = $1 and status <> 'deleted'`
	err = s.db.Pool.QueryRow(ctx, query, user).Scan(&keeps)
	return keeps, err
}

// setKeepsVisits changes whether the times of a person's visits are kept, and forgets them
// if not, in a transaction that has locked the person's row.
func (tx *txn) setKeepsVisits(ctx context.Context, user UserID, keeps bool) error {
	const update = `update users set visit_times = $2 where id = $1`
	const forget = `delete from visit_times where user_id = $1`
	if _, err := tx.Exec(ctx, update, user, keeps); err != nil || keeps {
		return err
	}
	_, err := tx.Exec(ctx, forget, user)
	return err
}
