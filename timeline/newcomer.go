package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// NewcomerFollows is the number of subscriptions that completes the first step.
const NewcomerFollows = 3

// Steps says which of the first steps a newcomer has done.
type Steps struct {
	Open     bool // the person is a newcomer and has not dismissed the steps
	Follows  int  // how many subscriptions the person has
	Wrote    bool // the person has a post
	Pictured bool // the person has a picture
}

// Steps returns how far a person has come with the first steps.
func (s *Store) Steps(ctx context.Context, user UserID) (st Steps, err error) {
	defer primary.Wrap(&err, "first steps of user %d", user)
	const query = `
		select newcomer, avatar_url <> '',
			(select count(*) from subscriptions where user_id = $1),
			exists (select from posts where user_id = $1 and deleted_at is null)
		from users where id = $1`
	err = s.db.Pool.QueryRow(ctx, query, user).Scan(&st.Open, &st.Pictured, &st.Follows, &st.Wrote)
	return st, err
}

// DismissSteps hides the first steps from the actor's pages for good. It notes no change, because
// no river shows the steps.
func (s *Store) DismissSteps(ctx context.Context, actor UserID) (err error) {
	defer primary.Wrap(&err, "dismiss the first steps of user %d", actor)
	const update = `update users set newcomer = false where id = $1 and newcomer`
	return s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, update, actor)
		return err
	})
}
