package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ListNames are the names of somebody's lists, in their order.
func (s *Store) ListNames(ctx context.Context, owner UserID) ([]string, error) {
	const query = `select name from lists where user_id = $1 order by lower(name), name`
	var names []string
	err := s.view(ctx, func(q querier) error {
		rows, err := q.Query(ctx, query, owner)
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lists of user %d: %w", owner, err)
	}
	return names, nil
}
