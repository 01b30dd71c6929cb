package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// UserCard holds the data about a person that pages show beside each post. The card of a deleted or suspended account has
// only the name.
type UserCard struct {
	ID          UserID    `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	Description string    `json:"description,omitempty"`
	Status      string    `json:"status"`
	AvatarURL   string    `json:"avatar_url,omitempty"` // of the small file, see [LargePicture]; empty without one
	CoverURL    string    `json:"cover_url,omitempty"`
	CreatedAt   time.Time `json:"created_at"`
	// Feed is the timeline of the person's feed; 0 if it is unknown.
	Feed TimelineID `json:"feed,omitempty"`
}

// GroupCard holds the data about a group that pages show beside each post.
type GroupCard struct {
	ID          GroupID   `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	Description string    `json:"description,omitempty"`
	Status      string    `json:"status"`
	AvatarURL   string    `json:"avatar_url,omitempty"` // of the small file, see [LargePicture]; empty without one
	CoverURL    string    `json:"cover_url,omitempty"`
	NSFW        bool      `json:"nsfw,omitempty"`
	Posting     string    `json:"posting"`
	Joining     string    `json:"joining"`
	CreatedAt   time.Time `json:"created_at"`
	// Feed is the group's timeline; 0 if it is unknown.
	Feed TimelineID `json:"feed,omitempty"`
}

// Gone reports whether the person's account is deleted or suspended: no viewer reads the person's posts.
func (c *UserCard) Gone() bool { return c.Status == StatusDeleted || c.Status == StatusSuspended }

// readCards reads the cards of people and groups in one round trip, by id.
func readCards(ctx context.Context, q primary.Querier, users []UserID, groups []GroupID) (map[UserID]*UserCard, map[GroupID]*GroupCard, error) {
	const usersQuery = `
		select u.id, name, case when shown then display_name else '' end, case when shown then description else '' end,
			case when shown or status = 'deleted' then status else 'suspended' end,
			case when shown then avatar_url else '' end, case when shown then cover_url else '' end, created_at, coalesce(t.id, 0)
		from users u cross join lateral (select not u.withheld shown) s left join timelines t on t.what = 'user' and t.their_id = u.id
		where u.id = any($1)`
	const groupsQuery = `
		select g.id, name, display_name, description, status, avatar_url, cover_url, nsfw, posting, joining, created_at, coalesce(t.id, 0)
		from groups g left join timelines t on t.what = 'group' and t.their_id = g.id
		where g.id = any($1)`
	userCards := make(map[UserID]*UserCard, len(users))
	groupCards := make(map[GroupID]*GroupCard, len(groups))
	var batch pgx.Batch
	if len(users) > 0 {
		batch.Queue(usersQuery, users).Query(func(rows pgx.Rows) error {
			cards, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[UserCard])
			for _, c := range cards {
				c.CreatedAt = c.CreatedAt.UTC()
				userCards[c.ID] = c
			}
			return err
		})
	}
	if len(groups) > 0 {
		batch.Queue(groupsQuery, groups).Query(func(rows pgx.Rows) error {
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
		return nil, nil, err
	}
	return userCards, groupCards, nil
}

// UserCards reads the cards of people, by id. An id without a person is left out.
func (s *Store) UserCards(ctx context.Context, ids []UserID) (_ map[UserID]*UserCard, err error) {
	defer primary.Wrap(&err, "cards of %d people", len(ids))
	users, _, err := readCards(ctx, s.db.Pool, ids, nil)
	return users, err
}

// GroupCards reads the cards of groups, by id. An id without a group is left out.
func (s *Store) GroupCards(ctx context.Context, ids []GroupID) (_ map[GroupID]*GroupCard, err error) {
	defer primary.Wrap(&err, "cards of %d groups", len(ids))
	_, groups, err := readCards(ctx, s.db.Pool, nil, ids)
	return groups, err
}
