package timeline

import (
	"context"
	"fmt"
)

// Secret reads a secret of the site, which all nodes share.
func (s *Store) Secret(ctx context.Context, key string) ([]byte, error) {
	const query = `select value from site where key = $1`
	var value []byte
	if err := s.pool.QueryRow(ctx, query, key).Scan(&value); err != nil {
		return nil, fmt.Errorf("secret %s: %w", key, err)
	}
	return value, nil
}
