package ranking

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

const (
	rankedMost  = 500            // posts of one ranking
	rankChunk   = 2_000          // most posts, or favourites, that one statement reads
	mostChunks  = 5              // chunks of each count that findMost reads
	rankingKept = 24 * time.Hour // how long a run is kept after the next run
)

// The points at which [timeline.Options.Reached] is called.
const (
	pointRanked      = "timeline: ranked"       // the ranks are written, but not committed
	pointRanksStored = "timeline: ranks stored" // the ranks are committed
)

// Rank updates the timelines best_of and most_faved, of all posts and of each language, for all
// periods, and returns the number of posts whose rank in a timeline changed. A call is one run.
// Readers see all of a run or nothing of it. Runs that change a rank are numbered, each with a
// higher number than the run before.
//
// Rank reads posts without locking them. Then it locks the posts whose ranks change, in the order of
// their ids as every write does. A post that was deleted meanwhile gets no rank. Runs never overlap.
func Rank(ctx context.Context, store *timeline.Store) (changed int, err error) {
	defer primary.Wrap(&err, "rank")
	const settings = `select value from site_settings`
	const one = `select pg_advisory_xact_lock(hashtextextended('ranking', 0))`
	db := store.Primary()
	err = db.Write(ctx, func(tx *primary.Tx) error {
		if _, err := tx.Exec(ctx, one); err != nil {
			return err
		}
		var site timeline.SiteSettings
		if err := tx.QueryRow(ctx, settings).Scan(&site); err != nil {
			return err
		}
		now := db.Now()
		wanted := make(map[rankedPost]int64)
		var timelines []timeline.TimelineID
		of, err := readRankings(ctx, tx, site, now)
		if err != nil {
			return err
		}
		if err := findRanked(ctx, tx, of, rankChunk); err != nil {
			return err
		}
		for _, rankings := range of {
			for _, r := range rankings {
				r.shorten()
				timelines = append(timelines, r.id)
				for _, at := range r.best {
					wanted[rankedPost{r.id, at.Post}] = at.FreshAt
				}
			}
		}
		changed, err = write(ctx, tx, now, timelines, wanted)
		db.Reached(pointRanked)
		return err
	})
	db.Reached(pointRanksStored)
	if err == nil {
		err = forget(ctx, db.Pool, db.Now().Add(-rankingKept))
	}
	return changed, err
}

// A rankedPost is a post in a ranking.
type rankedPost struct {
	timeline timeline.TimelineID
	post     timeline.PostID
}

// write stores the wanted ranks of posts in timelines as a new run, unless they equal the stored
// ranks, and notes a change of each post with a new rank. It returns the number of these posts.
func write(ctx context.Context, tx *primary.Tx, now time.Time, timelines []timeline.TimelineID, wanted map[rankedPost]int64) (changed int, err error) {
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
	posts := make(map[timeline.PostID]bool) // the posts to lock: a rank of theirs differs
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
	var there []timeline.PostID
	if err := primary.Read(ctx, tx, &there, lock, slices.Sorted(maps.Keys(posts))); err != nil {
		return 0, err
	}
	for k := range wanted {
		if _, locked := slices.BinarySearch(there, k.post); posts[k.post] && !locked {
			delete(wanted, k)
		}
	}
	var left, entered, ended, begun ranks
	timelinesOf := make(map[timeline.PostID][]timeline.TimelineID)
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
		tx.Note(timeline.Change{Kind: timeline.ChangePost, Post: post, Timelines: timelinesOf[post]})
	}
	return len(timelinesOf), nil
}

// ranks are the columns of rows about ranks, for a statement that writes all of them at once.
type ranks struct {
	timelines []timeline.TimelineID
	posts     []timeline.PostID
	ranks     []int64
}

func (r *ranks) add(k rankedPost, rank int64) {
	r.timelines, r.posts, r.ranks = append(r.timelines, k.timeline), append(r.posts, k.post), append(r.ranks, rank)
}

// readRanks returns the ranks that a query finds, by timeline and post.
func readRanks(ctx context.Context, q primary.Querier, query string, timelines []timeline.TimelineID) (map[rankedPost]int64, error) {
	rows, err := q.Query(ctx, query, primary.Planned, timelines)
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

// forget deletes the runs that ended, because the next run began, before a moment, and the ranks of
// those runs.
func forget(ctx context.Context, q primary.Querier, before time.Time) error {
	const runs = `
		delete from ranking_runs r
		where run < (select max(run) from ranking_runs where at < $1)`
	const ended = `
		delete from rankings where to_run <= (select min(run) from ranking_runs)`
	if _, err := q.Exec(ctx, runs, before); err != nil {
		return err
	}
	_, err := q.Exec(ctx, ended)
	return err
}
