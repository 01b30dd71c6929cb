package primary

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/text"
)

// LockActor locks the row of the writing person until the transaction ends. It returns
// [ErrUnauthorized] if the person is suspended or deleted.
func LockActor[ID ~int64](ctx context.Context, tx Querier, actor ID) error {
	const query = `select from users where id = $1 and suspended_at is null and status <> 'deleted' for share`
	err := tx.QueryRow(ctx, query, actor).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	return err
}

// CheckRoom returns a [text.InvalidError] with the code full if, after a row was added, an owner
// has more than limit rows. The query counts the rows of one owner, its first argument, up to its
// second argument; whatThere names the rows in the error.
func CheckRoom(ctx context.Context, q Querier, query string, whose any, limit int, whatThere string) error {
	var n int
	if err := q.QueryRow(ctx, query, whose, limit+1).Scan(&n); err != nil {
		return err
	}
	if n > limit {
		return &text.InvalidError{Field: "name", Reason: fmt.Sprintf("can't be added: %s %d already, as many as there can be", whatThere, limit), Code: "full"}
	}
	return nil
}
