package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// logChanges appends changes to the log of the transaction that q is.
func logChanges(ctx context.Context, q querier, changes []Change) error {
	const query = `
		insert into changes (kind, post_id, user_id, group_id, timelines, moved, worded, token)
		values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), nullif($4::bigint, 0), coalesce($5::bigint[], '{}'), $6, $7, $8)`
	if len(changes) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, c := range changes {
		batch.Queue(query, c.Kind, c.Post, c.User, c.Group, c.Timelines, c.Moved, c.Worded, c.Token)
	}
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("log %d changes: %w", len(changes), err)
	}
	return nil
}

// noteViewers notes a viewer change of each of the people.
func (tx *txn) noteViewers(people ...UserID) {
	for _, p := range people {
		tx.note(Change{Kind: ChangeViewer, User: p})
	}
}
