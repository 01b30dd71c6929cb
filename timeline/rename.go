package timeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// claimName gives a name to a person or a group for ever, for itself or before
// it becomes the one in use; the names that it had lead to it all the same. One
// that is its own already it may go back to, whatever names look like today.
// The row of whoever is renamed is locked.
func claimName(ctx context.Context, q querier, what What, their int64, name string) error {
	const owner = `select what = $2 and their_id = $3 from names where name = $1`
	const claim = `insert into names (name, what, their_id) values ($1, $2, $3) on conflict do nothing`
	if !validText(name) {
		return &InvalidError{"name", "is not valid UTF-8 text"}
	}
	var own bool
	err := q.QueryRow(ctx, owner, name, what, their).Scan(&own)
	if own || err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if err := checkName(name); err != nil {
		return err
	}
	// Whoever claims it at the same time is waited for.
	tag, err := q.Exec(ctx, claim, name, what, their)
	if err == nil && tag.RowsAffected() == 0 {
		return fmt.Errorf("name: %w", ErrTaken)
	}
	return err
}
