package timeline

import (
	"context"
	"fmt"
)

// FindHashtag is the id of a hashtag by its name, which is in lower case and
// without the sign; [ErrNotFound] while nobody has used it.
func (s *Store) FindHashtag(ctx context.Context, name string) (int64, error) {
	const query = `select id from hashtags where name = $1`
	var id int64
	err := s.view(ctx, func(q querier) error { return q.QueryRow(ctx, query, name).Scan(&id) })
	if err != nil {
		return 0, fmt.Errorf("hashtag %q: %w", name, err)
	}
	return id, nil
}
