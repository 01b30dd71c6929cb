package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Snapshot is one state of the primary, read only: all that it answers
// belongs together. It begins at its first statement and must be closed. It is
// not for use by several goroutines at once.
type Snapshot struct {
	tx   translated
	end  func(context.Context) error // rolls back
	conn *pgxpool.Conn               // returned when the snapshot is closed

	limit, spent time.Duration // see SearchFor
	bounds       searchBounds  // searchMost, but in tests
	broad        *Query        // of which the index of words named too many
}

// closeWithin is how long the end of a snapshot may take, so that nobody waits for
// a connection that does not answer any more.
const closeWithin = 5 * time.Second

// Snapshot opens one, on a connection of the pool.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, translate(fmt.Errorf("snapshot: %w", err))
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		conn.Release()
		return nil, translate(fmt.Errorf("snapshot: %w", err))
	}
	return &Snapshot{tx: translated{tx}, end: tx.Rollback, conn: conn, bounds: searchMost}, nil
}

// Close ends the snapshot. It may be called more than once.
func (sn *Snapshot) Close() {
	if sn.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	// A failed rollback leaves a broken connection, which the pool throws away.
	_ = sn.end(ctx)
	sn.conn.Release()
	sn.conn = nil
}

// Facts reads the facts of posts and the timelines that hold them. A post that
// is not there has none.
func (sn *Snapshot) Facts(ctx context.Context, ids []PostID) (map[PostID]*Facts, map[TimelineID]Timeline, error) {
	return readFacts(ctx, sn.tx, ids)
}

// Deciding reads just what the visibility rule looks at.
func (sn *Snapshot) Deciding(ctx context.Context, ids []PostID) (map[PostID]Deciding, map[TimelineID]Timeline, error) {
	return readDeciding(ctx, sn.tx, ids)
}

// Folds reads the folds of posts; deleted posts have none.
func (sn *Snapshot) Folds(ctx context.Context, ids []PostID, opts FoldOptions) (map[PostID]*Fold, error) {
	return readFolds(ctx, sn.tx, ids, opts)
}

// Sets reads the sets of viewers, and the timelines that those name.
func (sn *Snapshot) Sets(ctx context.Context, viewers []UserID) (map[UserID]*Sets, map[TimelineID]Timeline, error) {
	return readSetsOf(ctx, sn.tx, viewers)
}

// Cards reads the cards of people and groups.
func (sn *Snapshot) Cards(ctx context.Context, users []UserID, groups []GroupID) (map[UserID]*UserCard, map[GroupID]*GroupCard, error) {
	return readCards(ctx, sn.tx, users, groups)
}

// Timelines reads timelines by id. One that is not there is not in the answer.
func (sn *Snapshot) Timelines(ctx context.Context, ids []TimelineID) (map[TimelineID]Timeline, error) {
	const query = `select id, what, their_id, access from timelines where id = any($1)`
	return sn.timelines(ctx, query, ids)
}

// TimelinesOf reads the timelines of the given kinds that belong to their id.
func (sn *Snapshot) TimelinesOf(ctx context.Context, their int64, kinds ...What) (map[TimelineID]Timeline, error) {
	const query = `select id, what, their_id, access from timelines where their_id = $1 and what = any($2)`
	return sn.timelines(ctx, query, their, kinds)
}

func (sn *Snapshot) timelines(ctx context.Context, query string, args ...any) (map[TimelineID]Timeline, error) {
	rows, err := sn.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("timelines: %w", err)
	}
	found := make(map[TimelineID]Timeline)
	var t Timeline
	_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.What, &t.TheirID, &t.Access}, func() error {
		found[t.ID] = t
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("timelines: %w", err)
	}
	return found, nil
}

// Lag is how many rows of the change log a reader may be behind, before it is
// cheaper, and always legal, to start over.
const Lag = 20_000

// A Log is what a snapshot knows of the change log: exactly the changes that
// its data shows.
type Log struct {
	Epoch    string // another one: another log, by restore, failover or import
	Head     int64  // the highest position
	Nonce    string // of the row at Head; empty when the log has none
	Broken   bool   // what is after the cursor is not whole, or not the same log: start over
	Changes  []Change
	Unplaced []Change // committed, but without a position yet
	Site     SiteSettings
	Run      int64 // the last of the rankings
}

// Log reads the change log after a cursor: the position, the nonce of the row
// there and the epoch that an earlier Log answered. With an empty epoch it
// answers the head alone.
func (sn *Snapshot) Log(ctx context.Context, cursor int64, nonce, epoch string) (*Log, error) {
	// The uuid is renewed by whoever changes the primary without the log; the
	// rest tells a restored or failed-over database from this one.
	const head = `
		select h.position,
			h.uuid || '/' || (select system_identifier from pg_control_system()) || '/' ||
				substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' || 'change_log'::regclass::oid,
			coalesce((select nonce::text from change_log where position = h.position), ''),
			coalesce((select nonce::text from change_log where position = $1), ''),
			coalesce((select min(position) from change_log), h.position + 1),
			(select value from site_settings), coalesce((select max(run) from ranking_runs), 0)
		from log_head h`
	const logged = `
		select position, change_id, kind, post_id, user_id, group_id, timelines, moved, worded, token
		from change_log where position > $1 order by position limit $2`
	const unplaced = `
		select 0, id, kind, post_id, user_id, group_id, timelines, moved, worded, token
		from changes order by id limit $1`
	var (
		log   Log
		there string
		first int64
	)
	if err := sn.tx.QueryRow(ctx, head, cursor).Scan(&log.Head, &log.Epoch, &log.Nonce, &there, &first, &log.Site, &log.Run); err != nil {
		return nil, fmt.Errorf("log head: %w", err)
	}
	if epoch == "" {
		cursor = log.Head
	} else if epoch != log.Epoch || cursor > log.Head || log.Head-cursor > Lag || there != nonce && cursor >= first ||
		cursor+1 < first && cursor < log.Head {
		log.Broken = true
		return &log, nil
	}
	var batch pgx.Batch
	next := cursor
	batch.Queue(logged, cursor, Lag+1).Query(func(rows pgx.Rows) error {
		changes, err := collectChanges(rows, func(position int64) {
			if next++; position != next {
				log.Broken = true
			}
		})
		log.Changes = changes
		return err
	})
	batch.Queue(unplaced, Lag+1).Query(func(rows pgx.Rows) error {
		changes, err := collectChanges(rows, func(int64) {})
		log.Unplaced = changes
		return err
	})
	if err := sn.tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("log after %d: %w", cursor, err)
	}
	if next != log.Head || len(log.Unplaced) > Lag {
		log.Broken = true
	}
	return &log, nil
}

// collectChanges reads rows of either table of the log.
func collectChanges(rows pgx.Rows, position func(int64)) ([]Change, error) {
	var (
		changes []Change
		at      int64
		c       Change
		post    *PostID
		user    *UserID
		group   *GroupID
	)
	_, err := pgx.ForEachRow(rows, []any{&at, &c.ID, &c.Kind, &post, &user, &group, &c.Timelines, &c.Moved, &c.Worded, &c.Token}, func() error {
		position(at)
		one := c
		c.Timelines, c.Token = nil, nil
		if post != nil {
			one.Post = *post
		}
		if user != nil {
			one.User = *user
		}
		if group != nil {
			one.Group = *group
		}
		changes = append(changes, one)
		return nil
	})
	return changes, err
}

// PositionOf answers the highest position that the given changes have, 0 while
// none has one. Run [Store.Sequence] first.
func (s *Store) PositionOf(ctx context.Context, changes []int64) (int64, error) {
	const query = `select coalesce(max(position), 0) from change_log where change_id = any($1)`
	var position int64
	if err := s.pool.QueryRow(ctx, query, changes).Scan(&position); err != nil {
		return 0, fmt.Errorf("position of %d changes: %w", len(changes), err)
	}
	return position, nil
}
