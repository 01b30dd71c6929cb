package timeline

import (
	"context"
	"fmt"
	"strings"
)

// Named is whom a name belongs to: exactly one of the ids is set. Name is the
// present one, also where it was looked up by one that it had before.
type Named struct {
	Name  string
	User  UserID
	Group GroupID
}

// Lookup finds the person or group that has the name, or had it, in whatever
// case it is written; ErrNotFound where there is none, or a deleted one.
func (s *Store) Lookup(ctx context.Context, name string) (Named, error) {
	return lookup(ctx, s.pool, name)
}

func lookup(ctx context.Context, q querier, name string) (Named, error) {
	const query = `
		select coalesce(u.name, g.name, n.name), coalesce(u.id, 0), coalesce(g.id, 0)
		from names n
		left join users u on n.what = 'user' and u.id = n.their_id and u.status <> 'deleted'
		left join groups g on n.what = 'group' and g.id = n.their_id and g.status <> 'deleted'
		where n.name = $1`
	var n Named
	if !validText(name) {
		return n, fmt.Errorf("name %q: %w", name, ErrNotFound)
	}
	if err := q.QueryRow(ctx, query, strings.ToLower(name)).Scan(&n.Name, &n.User, &n.Group); err != nil {
		return n, fmt.Errorf("name %q: %w", name, err)
	}
	if n.User == 0 && n.Group == 0 {
		return n, fmt.Errorf("name %q: %w", name, ErrNotFound)
	}
	return n, nil
}

// UserCards reads the cards of people. One who is not there has none.
func (s *Store) UserCards(ctx context.Context, ids []UserID) (map[UserID]*UserCard, error) {
	users, _, err := readCards(ctx, s.pool, ids, nil)
	return users, err
}

// GroupCards reads the cards of groups. One that is not there has none.
func (s *Store) GroupCards(ctx context.Context, ids []GroupID) (map[GroupID]*GroupCard, error) {
	_, groups, err := readCards(ctx, s.pool, nil, ids)
	return groups, err
}
