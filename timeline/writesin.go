package timeline

import (
	"context"
	"fmt"
)

// WritesIn is the code of the language that a person set as the one he writes in;
// empty where that is told from each post.
func (s *Store) WritesIn(ctx context.Context, user UserID) (string, error) {
	const query = `select lang from users where id = $1`
	var lang string
	err := s.view(ctx, func(q querier) error { return q.QueryRow(ctx, query, user).Scan(&lang) })
	if err != nil {
		return "", fmt.Errorf("language of user %d: %w", user, err)
	}
	return lang, nil
}
