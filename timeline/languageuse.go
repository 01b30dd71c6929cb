package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// LanguagesUsed are the languages, by their English names, in which there are
// posts that everybody may read. Others are told of to nobody.
func (s *Store) LanguagesUsed(ctx context.Context) ([]Language, error) {
	const query = `
		select t.their_id from timelines t
		where t.what = 'everything' and t.their_id <> 0 and exists (
			select from timeline_entries e
			join timeline_entries placed on placed.post_id = e.post_id
			join timelines place on place.id = placed.timeline_id and place.what in ('user', 'group') and place.access = 'public'
			join posts p on p.id = e.post_id and p.deleted_at is null
			join users u on u.id = p.user_id and u.status <> 'deleted'
			where e.timeline_id = t.id
			order by e.fresh_at desc limit 1)`
	var ids []int64
	err := s.view(ctx, func(q querier) error {
		rows, err := q.Query(ctx, query)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("languages used: %w", err)
	}
	used := make(map[int64]bool, len(ids))
	for _, id := range ids {
		used[id] = true
	}
	var found []Language
	for _, l := range languages {
		if used[LangID(l.Code)] {
			found = append(found, l)
		}
	}
	return found, nil
}
