package measure

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// visitBar is the longest median of the time of a first visit. visitRatio is how many times as long
	// the naive page must take at least, in the large community.
	visitBar   = 10.0 // ms
	visitRatio = 20.0
	// warmUp is the number of homes to visit before the measurement, so that every connection
	// has its statements prepared.
	warmUp = 10
)

// A busy person has many subscriptions.
type busy struct {
	User  timeline.UserID
	Feeds int // the number of feeds and groups that the person follows
}

// visitSmall measures on the imported community.
func (r *run) visitSmall(ctx context.Context) error {
	record, err := r.visits(ctx, r.Pool)
	if err != nil {
		return err
	}
	record.Name = "visit"
	record.Expect(fmt.Sprintf("p50 <= %v ms", visitBar), record.P50 <= visitBar)
	return r.report(record)
}

// visitLarge makes a larger community in a new database, and measures on it. It also measures the kinds
// of rivers there, if kinds are to be measured.
func (r *run) visitLarge(ctx context.Context) error {
	if r.LargePosts == 0 {
		return nil
	}
	path := filepath.Join(r.Folder, "large.jsonl")
	if err := dataset.Large(r.LargePosts).Save(path); err != nil {
		return err
	}
	pool, err := r.Fresh(ctx, "amstel_large")
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := r.importFrom(ctx, pool, path); err != nil {
		return err
	}
	record, err := r.visits(ctx, pool)
	if err != nil {
		return err
	}
	record.Name = "visit.large"
	record.Expect(fmt.Sprintf("p50 <= %v ms and ratio >= %v", visitBar, visitRatio), record.P50 <= visitBar && record.Ratio >= visitRatio)
	if err := r.report(record); err != nil || !r.measures(Kinds) {
		return err
	}
	return r.kinds(ctx, pool, "kind.large.")
}

// visits measures first visits of the homes of the people who follow most, in turns with the naive pages
// of the same homes.
func (r *run) visits(ctx context.Context, pool *pgxpool.Pool) (report.Record, error) {
	people, err := busiest(ctx, pool, r.Homes+warmUp)
	if err != nil {
		return report.Record{}, err
	}
	measured, warm := people, people
	if len(people) > r.Homes {
		measured, warm = people[:r.Homes], people[r.Homes:]
	}
	v := &homeVisits{pool: pool, store: timeline.New(pool, timeline.Options{})}
	for round := range r.Rounds + 1 {
		people := measured
		if round == 0 {
			people = warm
		}
		err := r.onEmptyNode(ctx, v.store, func(node *river.Node) error { return v.round(ctx, node, people, round) })
		if err != nil {
			return report.Record{}, err
		}
		if round == 0 {
			v.visit, v.naive = nil, nil
		}
	}
	posts, entries, err := size(ctx, pool)
	if err != nil {
		return report.Record{}, err
	}
	half, whole := v.visit.Quantile(0.5), v.naive.Quantile(0.5)
	record := report.Record{
		Unit: "ms",
		Of: fmt.Sprintf("first visits of the homes of the %d people who follow most (%d to %d feeds); %d posts in %d timeline entries",
			len(measured), measured[0].Feeds, measured[len(measured)-1].Feeds, posts, entries),
		Beside: &report.Beside{Name: "naive page, ms", Value: whole, P99: v.naive.Quantile(0.99)}, Ratio: report.Ratio(whole, half),
	}
	record.SetTimes(v.visit, 0.5)
	return record, nil
}

// A homeVisits visits homes on a node, and reads the naive pages of the same homes.
type homeVisits struct {
	pool         *pgxpool.Pool
	store        *timeline.Store
	visit, naive report.Times // how long the visits and the naive pages took
}

// round visits each home once, on a node without rivers.
func (v *homeVisits) round(ctx context.Context, node *river.Node, people []busy, round int) error {
	for i, person := range people {
		if err := v.home(ctx, node, person.User, i%2 == round%2); err != nil {
			return fmt.Errorf("home of user %d: %w", person.User, err)
		}
	}
	return nil
}

// home visits a home and reads its naive page, in one order or the other. Both must have the same posts.
func (v *homeVisits) home(ctx context.Context, node *river.Node, user timeline.UserID, naiveFirst bool) error {
	var shown, ids []timeline.PostID
	first := func() error {
		begun := time.Now()
		view, err := node.Visit(ctx, river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)}, river.At{})
		if err != nil {
			return err
		}
		v.visit = append(v.visit, time.Since(begun))
		for i := range view.Entries {
			shown = append(shown, view.Entries[i].Facts.ID)
		}
		if !view.Live {
			return errors.New("the river was not built")
		}
		return nil
	}
	second := func() (err error) {
		begun := time.Now()
		ids, err = naive(ctx, v.pool, user, pageSize)
		v.naive = append(v.naive, time.Since(begun))
		return err
	}
	if naiveFirst {
		first, second = second, first
	}
	if err := first(); err != nil {
		return err
	}
	if err := second(); err != nil {
		return err
	}
	return same(ids, shown)
}

// pageSize is how many entries a page has.
const pageSize = 25

// settled waits until a node's loop has applied all changes so far.
func settled(ctx context.Context, node *river.Node) error {
	for {
		err := node.WaitApplied(ctx)
		if !errors.Is(err, river.ErrBehind) {
			return err
		}
		// Until its first turn the node returns ErrBehind, each time after a moment.
	}
}

// busiest returns up to n people: those with most subscriptions, the first of them first.
func busiest(ctx context.Context, pool *pgxpool.Pool, n int) ([]busy, error) {
	const query = `
		select user_id, count(*) from subscriptions group by user_id
		order by 2 desc, 1 limit $1`
	rows, _ := pool.Query(ctx, query, n) // CollectRows reports its error
	people, err := pgx.CollectRows(rows, pgx.RowToStructByPos[busy])
	if err == nil && len(people) == 0 {
		err = errors.New("no person follows another")
	}
	return people, err
}

// size returns the numbers of posts and of timeline entries in a community.
func size(ctx context.Context, pool *pgxpool.Pool) (posts, entries int, err error) {
	const query = `select (select count(*) from posts), (select count(*) from timeline_entries)`
	err = pool.QueryRow(ctx, query).Scan(&posts, &entries)
	return posts, entries, err
}
