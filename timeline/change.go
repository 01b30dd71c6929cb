package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ChangeKind says what a change was of.
type ChangeKind string

// The kinds of change; who reads the log reads the state they name anew.
const (
	// ChangePost is anything of the post itself: text, comments, likes, places,
	// deletion. Timelines are those that it entered or left, or in which it has
	// another rank.
	ChangePost ChangeKind = "post"
	// ChangeViewer is whatever alters what one person sees, follows or may do.
	ChangeViewer ChangeKind = "viewer"
	// ChangeAccess is a timeline's access or excluded set.
	ChangeAccess ChangeKind = "access"
	// ChangeCard is a name, an avatar, a status of a person or a group.
	ChangeCard ChangeKind = "card"
	// ChangeSession is the end of a session or a token.
	ChangeSession ChangeKind = "session"
	// ChangeNotice is that of what somebody is told there is more, or less.
	ChangeNotice ChangeKind = "notice"
)

// A Change is what one transaction did to the primary, as ids. Who needs more
// reads the primary as it now stands.
type Change struct {
	ID        int64 // of the row that the writer appended, in the order of writing
	Kind      ChangeKind
	Post      PostID
	User      UserID
	Group     GroupID
	Timelines []TimelineID
	Moved     bool   // of a post: its FreshAt or its places changed
	Worded    bool   // of a post: its text, its language or the text of a comment did
	Token     []byte // of a session: the hash of the secret that ended
}

// Log queues the statement that appends the change to the change log.
func (c Change) Log(batch *pgx.Batch) {
	const query = `
		insert into changes (kind, post_id, user_id, group_id, timelines, moved, worded, token)
		values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), nullif($4::bigint, 0), coalesce($5::bigint[], '{}'), $6, $7, $8)`
	batch.Queue(query, c.Kind, c.Post, c.User, c.Group, c.Timelines, c.Moved, c.Worded, c.Token)
}

// noteViewers notes a viewer change of each of the people.
func (tx *txn) noteViewers(people ...UserID) {
	for _, p := range people {
		tx.Note(Change{Kind: ChangeViewer, User: p})
	}
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
func (sn *Snapshot) Log(ctx context.Context, cursor int64, nonce, epoch string) (_ *Log, err error) {
	defer primary.Wrap(&err, "log after %d", cursor)
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
		return nil, err
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
		return nil, err
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
func (s *Store) PositionOf(ctx context.Context, changes []int64) (position int64, err error) {
	defer primary.Wrap(&err, "position of %d changes", len(changes))
	const query = `select coalesce(max(position), 0) from change_log where change_id = any($1)`
	if err := s.db.Pool.QueryRow(ctx, query, changes).Scan(&position); err != nil {
		return 0, err
	}
	return position, nil
}

// Sequence gives every change that was committed before the call its position
// in the log, whoever wrote it, and answers the highest position.
func (s *Store) Sequence(ctx context.Context) (head int64, err error) {
	defer primary.Wrap(&err, "sequence changes")
	const query = `select sequence_changes()`
	for {
		if err := s.db.Pool.QueryRow(ctx, query).Scan(&head); err != nil {
			return 0, err
		}
		s.db.Reached(pointSequenced)
		// A call that moved nothing found nothing left.
		if s.head.Swap(head) == head {
			return head, nil
		}
	}
}
