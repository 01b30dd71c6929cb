package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// readCards reads the cards of people and groups in one round trip.
func readCards(ctx context.Context, q querier, users []UserID, groups []GroupID) (map[UserID]*UserCard, map[GroupID]*GroupCard, error) {
	const people = `
		select id, name, display_name, description, status, avatar_url, created_at from users where id = any($1)`
	const theGroups = `
		select id, name, display_name, description, status, avatar_url, nsfw, posting, joining, created_at from groups where id = any($1)`
	userCards := make(map[UserID]*UserCard, len(users))
	groupCards := make(map[GroupID]*GroupCard, len(groups))
	var batch pgx.Batch
	if len(users) > 0 {
		batch.Queue(people, users).Query(func(rows pgx.Rows) error {
			cards, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[UserCard])
			for _, c := range cards {
				c.CreatedAt = c.CreatedAt.UTC()
				userCards[c.ID] = c
			}
			return err
		})
	}
	if len(groups) > 0 {
		batch.Queue(theGroups, groups).Query(func(rows pgx.Rows) error {
			cards, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[GroupCard])
			for _, c := range cards {
				c.CreatedAt = c.CreatedAt.UTC()
				groupCards[c.ID] = c
			}
			return err
		})
	}
	if batch.Len() == 0 {
		return userCards, groupCards, nil
	}
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("cards of %d people and %d groups: %w", len(users), len(groups), err)
	}
	return userCards, groupCards, nil
}
