package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	rankedMost  = 500            // posts of a ranking
	rankChunk   = 20_000         // posts read at once
	rankingKept = 24 * time.Hour // how long a run is answered for after the next
)

// A ranking is the timeline of one, with what it is by.
type ranking struct {
	id      TimelineID
	period  Period
	weights Weights
	since   PostID   // older posts are out of its period
	best    []Cursor // the highest so far, highest first: rank and post
}

// Rank brings best_of and most_faved, of all posts and of each language, for all
// periods, in line with the posts as they are, and answers how many posts it
// changed anything of. It is one run: its number is the last that there is, and
// whoever reads sees all of it or nothing. A run that changes nothing has none.
//
// Posts are read without locks. Those whose places in rankings change are then
// locked, in the order of their ids, as by everybody who writes; one that was
// deleted meanwhile enters nothing. Runs come one after the other.
func (s *Store) Rank(ctx context.Context) (changed int, err error) {
	const one = `select pg_advisory_xact_lock(hashtextextended('ranking', 0))`
	err = s.write(ctx, func(tx *txn) error {
		if _, err := tx.Exec(ctx, one); err != nil {
			return err
		}
		settings, err := siteSettings(ctx, tx)
		if err != nil {
			return err
		}
		now := s.now()
		wanted := make(map[rankedPost]int64)
		var timelines []TimelineID
		of, err := readRankings(ctx, tx, settings, now)
		if err != nil {
			return err
		}
		for everything, rankings := range of {
			if err := findBest(ctx, tx, everything, rankings, now); err != nil {
				return err
			}
			for _, r := range rankings {
				timelines = append(timelines, r.id)
				for _, at := range r.best {
					wanted[rankedPost{r.id, at.Post}] = at.FreshAt
				}
			}
		}
		changed, err = tx.rank(ctx, now, timelines, wanted)
		return err
	})
	if err == nil {
		err = s.forgetRankings(ctx, s.now().Add(-rankingKept))
	}
	if err != nil {
		return 0, translate(fmt.Errorf("rank: %w", err))
	}
	return changed, nil
}

// readRankings reads the rankings there are, by the timeline of everything that
// each is of.
func readRankings(ctx context.Context, q querier, settings SiteSettings, now time.Time) (map[TimelineID][]*ranking, error) {
	const query = `
		select e.id, t.id, t.what, t.their_id % 4
		from timelines e join timelines t on t.what in ('best_of', 'most_faved') and t.their_id / 4 = e.their_id
		where e.what = 'everything'`
	rows, err := q.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	of := make(map[TimelineID][]*ranking)
	var (
		everything TimelineID
		what       What
		r          ranking
	)
	_, err = pgx.ForEachRow(rows, []any{&everything, &r.id, &what, &r.period}, func() error {
		one := r
		one.weights = settings.BestOf
		if what == WhatMostFaved {
			one.weights = settings.MostFaved
		}
		if length := r.period.Length(); length > 0 {
			one.since = FirstID(now.Add(-length))
		}
		of[everything] = append(of[everything], &one)
		return nil
	})
	return of, err
}

// findBest walks a timeline of everything, newest posts first, until no older
// post can be among the best.
func findBest(ctx context.Context, q querier, everything TimelineID, rankings []*ranking, now time.Time) error {
	const down = `
		select coalesce(min(post_id), 0) from (
			select post_id from timeline_entries where timeline_id = $1 and post_id < $2 order by post_id desc limit $3) chunk`
	const posts = `
		select p.id, p.published_at, p.likes_count, p.comments_count, p.favs_count
		from timeline_entries e join posts p on p.id = e.post_id
		where e.timeline_id = $1 and e.post_id < $2 and e.post_id >= $3
			and (p.likes_count > 0 or p.comments_count > 0 or p.favs_count > 0) and p.deleted_at is null
			and exists (select from timelines t where t.id = any(p.places) and t.access in ('public', 'protected'))`
	var (
		id                    PostID
		published             time.Time
		likes, comments, favs int
	)
	for from := PostID(1<<62 - 1); ; {
		var to PostID
		if err := q.QueryRow(ctx, down, planned, everything, from, rankChunk).Scan(&to); err != nil || to == 0 {
			return err
		}
		rows, err := q.Query(ctx, posts, planned, everything, from, to)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&id, &published, &likes, &comments, &favs}, func() error {
			for _, r := range rankings {
				r.take(id, likes, comments, favs, published)
			}
			return nil
		})
		if err != nil {
			return err
		}
		// Ids have whole seconds.
		oldest := time.UnixMilli(to.Cursor().FreshAt + 1000)
		open := slices.ContainsFunc(rankings, func(r *ranking) bool { return r.open(to, oldest) })
		for _, r := range rankings {
			r.shorten()
		}
		if !open {
			return nil
		}
		from = to
	}
}

// take adds a post to the ranking, if it has any points.
func (r *ranking) take(id PostID, likes, comments, favs int, published time.Time) {
	if id < r.since || r.weights.points(likes, comments, favs) == 0 {
		return
	}
	r.best = append(r.best, Cursor{r.weights.Score(likes, comments, favs, published, r.period), id})
	if len(r.best) >= 4*rankedMost {
		r.shorten()
	}
}

// shorten leaves the best.
func (r *ranking) shorten() {
	slices.SortFunc(r.best, Cursor.Compare)
	r.best = r.best[:min(len(r.best), rankedMost)]
}

// open says whether posts below an id, published then at the latest, can have a
// place in the ranking.
func (r *ranking) open(below PostID, then time.Time) bool {
	if r.period != Ever {
		return below > r.since
	}
	r.shorten()
	return len(r.best) < rankedMost || r.weights.most(then) >= r.best[rankedMost-1].FreshAt
}

// A rankedPost is a post in a ranking.
type rankedPost struct {
	timeline TimelineID
	post     PostID
}

// rank makes the ranks of posts in timelines the wanted ones, in a run of its own
// if anything is to be done, and notes each post that it changed.
func (tx *txn) rank(ctx context.Context, now time.Time, timelines []TimelineID, wanted map[rankedPost]int64) (changed int, err error) {
	const entries = `select timeline_id, post_id, coalesce(rank, -1) from timeline_entries where timeline_id = any($1)`
	const open = `select timeline_id, post_id, rank from rankings where timeline_id = any($1) and to_run is null`
	const lock = `select id from posts where id = any($1) and deleted_at is null order by id for no key update`
	const run = `insert into ranking_runs (at) values ($1) returning run`
	const leave = `
		delete from timeline_entries e using unnest($1::bigint[], $2::bigint[]) k(timeline_id, post_id)
		where e.timeline_id = k.timeline_id and e.post_id = k.post_id`
	const enter = `
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at, rank)
		select k.timeline_id, p.id, p.fresh_at, $4, k.rank
		from unnest($1::bigint[], $2::bigint[], $3::bigint[]) k(timeline_id, post_id, rank) join posts p on p.id = k.post_id
		on conflict (post_id, timeline_id) do update set rank = excluded.rank`
	const end = `
		update rankings r set to_run = $3 from unnest($1::bigint[], $2::bigint[]) k(timeline_id, post_id)
		where r.timeline_id = k.timeline_id and r.post_id = k.post_id and r.to_run is null`
	const begin = `
		insert into rankings (timeline_id, post_id, rank, from_run)
		select k.timeline_id, k.post_id, k.rank, $4 from unnest($1::bigint[], $2::bigint[], $3::bigint[]) k(timeline_id, post_id, rank)`

	is, err := readRanks(ctx, tx, entries, timelines)
	if err != nil {
		return 0, err
	}
	was, err := readRanks(ctx, tx, open, timelines)
	if err != nil {
		return 0, err
	}
	posts := make(map[PostID]bool) // to lock
	for _, ranks := range []map[rankedPost]int64{is, was, wanted} {
		for k := range ranks {
			if is[k] != wanted[k] || was[k] != wanted[k] {
				posts[k.post] = true
			}
		}
	}
	if len(posts) == 0 {
		return 0, nil
	}
	var there []PostID
	if err := tx.read(ctx, &there, lock, slices.Sorted(maps.Keys(posts))); err != nil {
		return 0, err
	}
	for k := range wanted {
		if _, locked := slices.BinarySearch(there, k.post); posts[k.post] && !locked {
			delete(wanted, k)
		}
	}
	var left, entered, ended, begun ranks
	timelinesOf := make(map[PostID][]TimelineID)
	all := maps.Clone(wanted)
	maps.Copy(all, is)
	maps.Copy(all, was)
	for k := range all {
		rank, held := wanted[k]
		if is[k] != rank {
			timelinesOf[k.post] = append(timelinesOf[k.post], k.timeline)
			if held {
				entered.add(k, rank)
			} else {
				left.add(k, 0)
			}
		}
		if was[k] != rank {
			if was[k] != 0 {
				ended.add(k, 0)
			}
			if held {
				begun.add(k, rank)
			}
		}
	}
	var number int64
	if err := tx.QueryRow(ctx, run, now).Scan(&number); err != nil {
		return 0, err
	}
	var b pgx.Batch
	b.Queue(leave, left.timelines, left.posts)
	b.Queue(enter, entered.timelines, entered.posts, entered.ranks, now.UnixMilli())
	b.Queue(end, ended.timelines, ended.posts, number)
	b.Queue(begin, begun.timelines, begun.posts, begun.ranks, number)
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return 0, err
	}
	for _, post := range slices.Sorted(maps.Keys(timelinesOf)) {
		slices.Sort(timelinesOf[post])
		tx.note(Change{Kind: ChangePost, Post: post, Timelines: timelinesOf[post]})
	}
	return len(timelinesOf), nil
}

// ranks are columns of ranks.
type ranks struct {
	timelines []TimelineID
	posts     []PostID
	ranks     []int64
}

func (r *ranks) add(k rankedPost, rank int64) {
	r.timelines, r.posts, r.ranks = append(r.timelines, k.timeline), append(r.posts, k.post), append(r.ranks, rank)
}

// readRanks reads ranks by where they are.
func readRanks(ctx context.Context, q querier, query string, timelines []TimelineID) (map[rankedPost]int64, error) {
	rows, err := q.Query(ctx, query, planned, timelines)
	if err != nil {
		return nil, err
	}
	found := make(map[rankedPost]int64)
	var k rankedPost
	var rank int64
	_, err = pgx.ForEachRow(rows, []any{&k.timeline, &k.post, &rank}, func() error {
		found[k] = rank
		return nil
	})
	return found, err
}

// forgetRankings takes away the runs that were followed by another before a
// moment, and the ranks that no run left there is has.
func (s *Store) forgetRankings(ctx context.Context, before time.Time) error {
	const runs = `
		delete from ranking_runs r
		where run < (select max(run) from ranking_runs where at < $1)`
	const ended = `
		delete from rankings where to_run <= (select min(run) from ranking_runs)`
	if _, err := s.pool.Exec(ctx, runs, before); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, ended)
	return err
}
