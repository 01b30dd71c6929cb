package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Snapshot is one state of the primary, read only: the results of all its methods
// belong to the same moment. The moment is that of the first statement. A snapshot must
// be closed, and may not be used by several goroutines at once.
type Snapshot struct {
	tx   pgx.Tx
	end  func(context.Context) error // rolls the transaction back
	conn *pgxpool.Conn               // returned when the snapshot is closed

	limit, spent time.Duration // see SearchFor
	bounds       searchBounds  // searchMost, except in tests
	broad        *Query        // a query for which the index of words found too many posts
	source       Source        // nil: all posts are chosen from the timelines
	embeds       embeds        // the fields of posts that inboxes keep with entries
}

// closeWithin limits how long closing a snapshot may take, in case its connection does
// not answer.
const closeWithin = 5 * time.Second

// Snapshot opens a snapshot on a connection of the pool.
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
	return &Snapshot{tx: tx, end: tx.Rollback, conn: conn, bounds: searchMost, source: s.source}, nil
}

// Close ends the snapshot. A second call does nothing.
func (sn *Snapshot) Close() {
	if sn.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	// If the rollback fails, the connection is broken, and the pool closes it.
	_ = sn.end(ctx)
	sn.conn.Release()
	sn.conn = nil
}

// Facts returns the facts of posts, and the timelines that hold them. A missing post has no
// facts.
func (sn *Snapshot) Facts(ctx context.Context, ids []PostID) (_ map[PostID]*Facts, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "facts of %d posts", len(ids))
	facts, timelines, err := readFacts(ctx, sn.tx, ids)
	sn.embeds.note(facts)
	return facts, timelines, err
}

// AccessFacts returns only the facts for the visibility rule, and the timelines that they name.
func (sn *Snapshot) AccessFacts(ctx context.Context, ids []PostID) (_ map[PostID]AccessFacts, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "decide %d posts", len(ids))
	return readAccessFacts(ctx, sn.tx, ids)
}

// Folds returns the folds of posts; deleted posts have none.
func (sn *Snapshot) Folds(ctx context.Context, ids []PostID, opts FoldOptions) (_ map[PostID]*Fold, err error) {
	defer primary.Wrap(&err, "folds of %d posts", len(ids))
	if sn.embeds.posts != nil && len(opts.Without) == 0 && !opts.AllComments {
		return sn.embeddedFolds(ctx, ids)
	}
	return readFolds(ctx, sn.tx, ids, opts)
}

// Sets returns the sets of viewers, and the timelines in those sets.
func (sn *Snapshot) Sets(ctx context.Context, viewers []UserID) (_ map[UserID]*Sets, _ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "sets of %d viewers", len(viewers))
	return ReadSetsOf(ctx, sn.tx, viewers)
}

// Cards returns the cards of people and groups.
func (sn *Snapshot) Cards(ctx context.Context, users []UserID, groups []GroupID) (_ map[UserID]*UserCard, _ map[GroupID]*GroupCard, err error) {
	defer primary.Wrap(&err, "cards of %d people and %d groups", len(users), len(groups))
	if len(sn.embeds.authors) == 0 {
		return readCards(ctx, sn.tx, users, groups)
	}
	var linked []UserID
	for _, id := range users {
		if sn.embeds.authors[id] == nil {
			linked = append(linked, id)
		}
	}
	cards, groupCards, err := readCards(ctx, sn.tx, linked, groups)
	for _, id := range users {
		if card := sn.embeds.authors[id]; card != nil && err == nil {
			cards[id] = card
		}
	}
	return cards, groupCards, err
}

// Timelines returns the timelines of the ids that exist.
func (sn *Snapshot) Timelines(ctx context.Context, ids []TimelineID) (_ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "%d timelines", len(ids))
	return readTimelines(ctx, sn.tx, ids)
}

// TimelinesOf returns the timelines of the given kinds with this their_id.
func (sn *Snapshot) TimelinesOf(ctx context.Context, their int64, kinds ...What) (_ map[TimelineID]Timeline, err error) {
	defer primary.Wrap(&err, "timelines of %d", their)
	const query = `select id, what, their_id, access from timelines where their_id = $1 and what = any($2)`
	return collectTimelines(ctx, sn.tx, query, their, kinds)
}

// readTimelines returns the timelines of the ids that exist.
func readTimelines(ctx context.Context, q primary.Querier, ids []TimelineID) (map[TimelineID]Timeline, error) {
	const query = `select id, what, their_id, access from timelines where id = any($1)`
	return collectTimelines(ctx, q, query, ids)
}

// collectTimelines returns the timelines that a query finds.
func collectTimelines(ctx context.Context, q primary.Querier, query string, args ...any) (map[TimelineID]Timeline, error) {
	rows, err := q.Query(ctx, query, args...)
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
