package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// How many names a person or a group can take within so many days, beside those
// that were its own before: each is gone for everybody else, for ever.
const (
	maxRenames  = 5
	renamesDays = 30
)

// claimName gives a name to a person or a group for ever, for itself or before
// it becomes the one in use; the names that it had lead to it all the same. One
// that is its own already it may go back to, whatever names look like today.
// The row of whoever is renamed is locked.
func claimName(ctx context.Context, q querier, what What, their int64, name string, at time.Time) error {
	const owner = `select what = $2 and their_id = $3 from names where name = $1`
	const taken = `select count(*) from names where what = $1 and their_id = $2 and taken_at > $3`
	const claim = `insert into names (name, what, their_id, taken_at) values ($1, $2, $3, $4) on conflict do nothing`
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
	var n int
	if err := q.QueryRow(ctx, taken, what, their, at.AddDate(0, 0, -renamesDays)).Scan(&n); err != nil {
		return err
	}
	if n >= maxRenames {
		return &InvalidError{"name", fmt.Sprintf(
			"was changed %d times in %d days, which is as often as it can be: wait, or go back to one from before", maxRenames, renamesDays)}
	}
	// Whoever claims it at the same time is waited for.
	tag, err := q.Exec(ctx, claim, name, what, their, at)
	if err == nil && tag.RowsAffected() == 0 {
		return fmt.Errorf("name: %w", ErrTaken)
	}
	return err
}
