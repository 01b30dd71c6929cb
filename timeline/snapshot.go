package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Snapshot is one state of the primary, read only: all that it answers
// belongs together. It begins at its first statement and must be closed. It is
// not for use by several goroutines at once.
type Snapshot struct {
	tx   pgx.Tx
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
func (s *Store) Snapshot(ctx context.Context) (_ *Snapshot, err error) {
	defer primary.Wrap(&err, "snapshot")
	conn, err := s.db.Pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		conn.Release()
		return nil, err
	}
	return &Snapshot{tx: tx, end: tx.Rollback, conn: conn, bounds: searchMost}, nil
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
func (sn *Snapshot) Facts(ctx context.Context, ids []PostID) (_ map[PostID]*Facts, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "facts of %d posts", len(ids))
	return readFacts(ctx, sn.tx, ids)
}

// Deciding reads just what the visibility rule looks at.
func (sn *Snapshot) Deciding(ctx context.Context, ids []PostID) (_ map[PostID]Deciding, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "decide %d posts", len(ids))
	return readDeciding(ctx, sn.tx, ids)
}

// Folds reads the folds of posts; deleted posts have none.
func (sn *Snapshot) Folds(ctx context.Context, ids []PostID, opts FoldOptions) (_ map[PostID]*Fold, err error) {
	defer primary.Wrap(&err, "folds of %d posts", len(ids))
	return readFolds(ctx, sn.tx, ids, opts)
}

// Sets reads the sets of viewers, and the timelines that those name.
func (sn *Snapshot) Sets(ctx context.Context, viewers []UserID) (_ map[UserID]*Sets, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "sets of %d viewers", len(viewers))
	return ReadSetsOf(ctx, sn.tx, viewers)
}

// Cards reads the cards of people and groups.
func (sn *Snapshot) Cards(ctx context.Context, users []UserID, groups []GroupID) (_ map[UserID]*UserCard, _ map[GroupID]*GroupCard, err error) {
	defer primary.Wrap(&err, "cards of %d people and %d groups", len(users), len(groups))
	return readCards(ctx, sn.tx, users, groups)
}

// Timelines reads timelines by id. One that is not there is not in the answer.
func (sn *Snapshot) Timelines(ctx context.Context, ids []TimelineID) (_ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "%d timelines", len(ids))
	const query = `select id, what, their_id, access from timelines where id = any($1)`
	return sn.timelines(ctx, query, ids)
}

// TimelinesOf reads the timelines of the given kinds that belong to their id.
func (sn *Snapshot) TimelinesOf(ctx context.Context, their int64, kinds ...What) (_ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "timelines of %d", their)
	const query = `select id, what, their_id, access from timelines where their_id = $1 and what = any($2)`
	return sn.timelines(ctx, query, their, kinds)
}

func (sn *Snapshot) timelines(ctx context.Context, query string, args ...any) (map[TimelineID]Timeline, error) {
	rows, err := sn.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	found := make(map[TimelineID]Timeline)
	var t Timeline
	_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.What, &t.TheirID, &t.Access}, func() error {
		found[t.ID] = t
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}
