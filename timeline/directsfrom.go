package timeline

import (
	"context"
	"fmt"
)

// DirectsFrom is whose direct messages a person takes: anybody's, or those of
// his subscriptions alone. It is for nobody but him to know.
func (s *Store) DirectsFrom(ctx context.Context, user UserID) (string, error) {
	const query = `select directs_from from users where id = $1 and status <> 'deleted'`
	var from string
	if err := s.pool.QueryRow(ctx, query, user).Scan(&from); err != nil {
		return "", fmt.Errorf("whose directs user %d takes: %w", user, err)
	}
	return from, nil
}
