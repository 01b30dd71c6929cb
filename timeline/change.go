package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ChangeKind is the kind of thing that a change changed.
type ChangeKind string

// The kinds of change. A reader of the log reads again the state that a change is about.
const (
	// ChangePost is a change of a post: its text, comments, likes, places, or deletion.
	// Timelines are the timelines that the post entered or left, and the rankings that gave the
	// post a new rank.
	ChangePost ChangeKind = "post"
	// ChangeViewer is a change of the sets of one person: what the person sees, follows or may
	// do.
	ChangeViewer ChangeKind = "viewer"
	// ChangeAccess is a change of the access of timelines, or of the people they exclude.
	ChangeAccess ChangeKind = "access"
	// ChangeCard is a change of the name, the avatar or the status of a person or a group.
	ChangeCard ChangeKind = "card"
	// ChangeSession is the end of a session or a token.
	ChangeSession ChangeKind = "session"
	// ChangeNotice is a change of a person's notices: some were added or removed.
	ChangeNotice ChangeKind = "notice"
)

// A Change names the rows that one transaction changed in the primary, by ids alone. A reader of
// the log that needs the data reads the primary, in its state at the time of reading.
type Change struct {
	ID           int64 // of the row in the table changes; rises in the order of writing
	Kind         ChangeKind
	Post         PostID
	User         UserID
	Group        GroupID
	Timelines    []TimelineID
	PlaceChanged bool   // of a post: FreshAt or the places changed
	TextChanged  bool   // of a post: the text, the language, the files or the text of a comment changed
	Token        []byte // of a session: the hash of the secret that ended
}

// Log queues the statement that appends the change to the table changes.
func (c Change) Log(batch *pgx.Batch) {
	const query = `
		insert into changes (kind, post_id, user_id, group_id, timelines, moved, worded, token)
		values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), nullif($4::bigint, 0), coalesce($5::bigint[], '{}'), $6, $7, $8)`
	batch.Queue(query, c.Kind, c.Post, c.User, c.Group, c.Timelines, c.PlaceChanged, c.TextChanged, c.Token)
}

// noteViewers notes a viewer change of each of these people.
func (tx *txn) noteViewers(people ...UserID) {
	for _, p := range people {
		tx.Note(Change{Kind: ChangeViewer, User: p})
	}
}

// Lag is how many rows of the change log a reader may be behind. A reader further behind starts
// over, which is cheaper then, and always correct.
const Lag = 20_000

// A Log is the change log in one snapshot: exactly the changes whose effects the snapshot
// contains.
type Log struct {
	Epoch    string // names one life of the log; a restore, a failover or an import begins another
	Head     int64  // the highest position
	Nonce    string // of the row at Head; empty if the log has no rows
	Broken   bool   // the changes after the cursor are incomplete or of another log: start over
	Changes  []Change
	Unplaced []Change // committed, and without a position yet
	Site     SiteSettings
	Run      int64 // the newest run of the rankings
}

// Log reads the change log after a cursor: the position, the nonce of the row at the position, and
// the epoch that an earlier Log returned. With an empty epoch Log reads no changes, and returns
// the present end of the log.
//
// The nonce is a random value of each row. It tells whether the row at the cursor is the row that
// the reader has read: after a restore of an older copy, positions are given a second time, to
// other changes. For example, a reader stands at position 90 with nonce "a". The primary is
// restored as of position 80 and writes on to 95: position 90 has nonce "b" now, so the log is
// Broken for this reader.
func (sn *Snapshot) Log(ctx context.Context, cursor int64, nonce, epoch string) (_ *Log, err error) {
	defer primary.Wrap(&err, "log after %d", cursor)
	// A program that changes the primary without writing the log sets a new uuid. The other
	// parts of the epoch distinguish this database from a restored or failed-over one.
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
		found string // the nonce of the row at the cursor; empty if there is no row
		first int64
	)
	if err := sn.tx.QueryRow(ctx, head, cursor).Scan(&log.Head, &log.Epoch, &log.Nonce, &found, &first, &log.Site, &log.Run); err != nil {
		return nil, err
	}
	if epoch == "" {
		cursor = log.Head
	} else if epoch != log.Epoch || cursor > log.Head || log.Head-cursor > Lag || found != nonce && cursor >= first ||
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

// collectChanges reads rows of the table change_log or of the table changes, and calls
// position with the first column of each.
func collectChanges(rows pgx.Rows, position func(int64)) ([]Change, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		var pos int64
		err = row.Scan(&pos, &c.ID, &c.Kind, (*zeronull.Int8)(&c.Post), (*zeronull.Int8)(&c.User), (*zeronull.Int8)(&c.Group),
			&c.Timelines, &c.PlaceChanged, &c.TextChanged, &c.Token)
		position(pos)
		return c, err
	})
}

// PositionOf returns the highest log position of the given changes, or 0 if none has a position
// yet. Call [Store.Sequence] first: it assigns the positions.
func (s *Store) PositionOf(ctx context.Context, changes []int64) (position int64, err error) {
	defer primary.Wrap(&err, "position of %d changes", len(changes))
	const query = `select coalesce(max(position), 0) from change_log where change_id = any($1)`
	if err := s.db.Pool.QueryRow(ctx, query, changes).Scan(&position); err != nil {
		return 0, err
	}
	return position, nil
}

// sequencedAtOnce is the largest number of positions that one call of the function sequence_changes assigns.
const sequencedAtOnce = 1000

// Sequence assigns a log position to each change committed before the call, by any process, and
// returns the highest position.
func (s *Store) Sequence(ctx context.Context) (head int64, err error) {
	defer primary.Wrap(&err, "sequence changes")
	const query = `select sequence_changes()`
	for before := s.head.Load(); ; before = head {
		if err := s.db.Pool.QueryRow(ctx, query).Scan(&head); err != nil {
			return 0, err
		}
		s.db.Reached(pointSequenced)
		s.head.Store(head)
		// One call assigns a limited number of positions. If the log has grown by fewer since it was looked at before,
		// the call was not limited. After a restore of the primary the log may be shorter.
		if grown := head - before; 0 <= grown && grown < sequencedAtOnce {
			return head, nil
		}
	}
}
