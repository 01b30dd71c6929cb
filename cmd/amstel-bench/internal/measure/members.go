package measure

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/timeline"
)

const (
	// membersActive is how many members read and write.
	membersActive = 100
	// membersOpen is how many of the members have their home open on a socket.
	membersOpen = 50
)

// activeMembers returns the members who follow most. It creates a token for each, and a post for the others to comment on.
func (r *run) activeMembers(ctx context.Context, store *timeline.Store) (members []client.Member, err error) {
	const busiest = `
		select u.id, u.name from users u join subscriptions s on s.user_id = u.id
		where u.status = 'public' and u.suspended_at is null
		group by u.id order by count(*) desc, u.id limit $1`
	rows, err := r.Pool.Query(ctx, busiest, membersActive)
	if err != nil {
		return nil, err
	}
	type person struct {
		ID   timeline.UserID
		Name string
	}
	people, err := pgx.CollectRows(rows, pgx.RowToStructByPos[person])
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		token, err := store.NewToken(ctx, p.ID, timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
		if err != nil {
			return nil, err
		}
		post, err := store.CreatePost(ctx, p.ID, timeline.NewPost{To: []string{"user"}, Text: "What do you think?"})
		if err != nil {
			return nil, err
		}
		members = append(members, client.Member{Name: p.Name, Token: token, Post: post})
	}
	return members, nil
}

// openHomes returns the homes of the members who have theirs open.
func openHomes(members []client.Member) (pages []client.Page) {
	for _, m := range members[:min(membersOpen, len(members))] {
		pages = append(pages, client.Page{Path: client.HomePath, Token: m.Token})
	}
	return pages
}
