package timeline

import (
	"context"
	"fmt"
)

// HasPassword says whether a person has set a password; who was imported, or
// made without one, signs in by a link first.
func (s *Store) HasPassword(ctx context.Context, user UserID) (bool, error) {
	const query = `select password_hash is not null from users where id = $1`
	var has bool
	if err := s.pool.QueryRow(ctx, query, user).Scan(&has); err != nil {
		return false, fmt.Errorf("user %d: %w", user, err)
	}
	return has, nil
}
